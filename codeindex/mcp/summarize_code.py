"""Answer the tool `summarize_code` with summaries of files, folders and symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.mcp.multi_call import answer_each, refuse_too_many
from codeindex.mcp.reply import Reply, ReportReply
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import SummarizeCodeRequest
from codeindex.mcp.session import AgentSession

if TYPE_CHECKING:
    from codeindex.analysis.outline.declarations import Declarations
    from codeindex.analysis.outline.explain_symbol import SymbolExplanations
    from codeindex.analysis.outline.summary import FileSummaries, FileSummary
    from codeindex.analysis.outline.tree import FileTree

_LEVELS = 2
"""Levels of folders shown for a whole repository; three would exceed the size limit."""
_ROOT_PATHS = frozenset({"", ".", "./", "/"})


def summarize_code(
    server: RepositoryServer, session: AgentSession, request: SummarizeCodeRequest
) -> Reply[FileSummary | FileSummaries | SymbolExplanations | Declarations | FileTree]:
    index = server.index(request.repo)

    def reply(path: str) -> ReportReply:
        if path.strip() in _ROOT_PATHS:
            return ReportReply(index.source.tree(depth=_LEVELS), {})
        report = index.combined.summarize(path)
        _note_summary(session, index.repository.name, path, report)
        return ReportReply(report, {"path": path})

    refuse_too_many(request.paths, "paths")
    return answer_each(request.paths or ("",), reply)


def _note_summary(session: AgentSession, repo: str, name: str, report: object) -> None:
    """Note in the session a file that is summarized, or the name of a symbol that is explained.

    Summaries of folders and globs are not noted.
    """
    from codeindex.analysis.outline.explain_symbol import SymbolExplanations  # loads numpy
    from codeindex.analysis.outline.summary import FileSummary

    if isinstance(report, FileSummary):
        session.note_named(repo, report.file)
    elif isinstance(report, SymbolExplanations):
        session.note_query(name)
