"""The tools that a client's hooks call around reading and writing a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from codeindex.api.index import Index
from codeindex.errors import QueryError
from codeindex.hooks.hook_events import HookAnswerDict, format_related_files
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import HookContextRequest, HookInvalidationRequest
from codeindex.mcp.session import AgentSession
from codeindex.store.datadir.file_paths import path_in_root, resolve_client_path

if TYPE_CHECKING:
    from codeindex.analysis.change.invalidation import Invalidation


def suggest_context(
    served: RepositoryServer, session: AgentSession, request: HookContextRequest
) -> HookAnswerDict:
    index = _index_of(served, request.path, request.repo)
    name = index.repository.name
    found = index.changes.suggest_context(
        request.path, limit=request.limit, seen=tuple(session.files(name))
    )
    session.note_named(name, found.file)
    for one in found.items:
        session.note_named(name, one.file)
        session.note_suggested(name, one.file)
    return format_related_files(found.file, found.items)


def invalidate_file(
    served: RepositoryServer, session: AgentSession, request: HookInvalidationRequest
) -> Annotated[dict[str, Any], Invalidation]:
    index = _index_of(served, request.path, request.repo)
    found = index.admin.invalidate_file(request.path)
    session.note_named(index.repository.name, found.file)
    return found.as_dict()


def _index_of(served: RepositoryServer, path: str, repo: str) -> Index:
    """Return the index that a file belongs to: an absolute path says so itself."""
    if repo or not Path(path).is_absolute():
        return served.index(repo)
    at = resolve_client_path(path, base=Path())
    for index in served.served():
        if at and path_in_root(index.root, at):
            return index
    raise QueryError(f"'{path}' is in no repository that is served: see the tool `status`.")
