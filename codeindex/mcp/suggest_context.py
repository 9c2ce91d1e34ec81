"""Answer the tools that hooks of clients call: before a file is read, and after it was edited."""

from __future__ import annotations

from typing import Annotated, Any

from codeindex.analysis.change.invalidation import Invalidation
from codeindex.hooks.hook_events import HookAnswerDict, format_related_files
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import HookContextRequest, HookInvalidationRequest
from codeindex.mcp.session import AgentSession


def suggest_file_context(
    server: RepositoryServer, session: AgentSession, request: HookContextRequest
) -> HookAnswerDict:
    index = server.index_of_file(request.path, request.repo)
    repo = index.repository.name
    report = index.changes.suggest_context(
        request.path, limit=request.limit, seen=tuple(session.files(repo))
    )
    session.note_named(repo, report.file)
    for item in report.items:
        session.note_named(repo, item.file)
        session.note_suggested(repo, item.file)
    return format_related_files(report.file, report.items)


def invalidate_file(
    server: RepositoryServer, session: AgentSession, request: HookInvalidationRequest
) -> Annotated[dict[str, Any], Invalidation]:
    index = server.index_of_file(request.path, request.repo)
    report = index.admin.invalidate_file(request.path)
    session.note_named(index.repository.name, report.file)
    return report.as_dict()
