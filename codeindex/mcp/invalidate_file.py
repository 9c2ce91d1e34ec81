"""Answer the tool `invalidate_file`, which clients' hooks call after an agent's edit."""

from __future__ import annotations

from typing import Annotated, Any

from codeindex.analysis.change.invalidation import Invalidation
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import HookInvalidationRequest
from codeindex.mcp.session import AgentSession


def invalidate_file(
    server: RepositoryServer, session: AgentSession, request: HookInvalidationRequest
) -> Annotated[dict[str, Any], Invalidation]:
    index = server.index_of_file(request.path, request.repo)
    report = index.admin.invalidate_file(request.path)
    session.note_named(index.repository.name, report.file)
    return report.as_dict()
