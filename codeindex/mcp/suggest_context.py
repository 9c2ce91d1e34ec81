"""Answer the tool `suggest_context`; clients' hooks call it before an agent reads a file."""

from __future__ import annotations

from codeindex.hooks.hook_events import HookAnswerDict, format_related_files
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import HookContextRequest
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
