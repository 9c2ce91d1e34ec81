"""The tool `summarize_code`: files, folders and symbols in short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.errors import QueryError
from codeindex.mcp.multi_call import answer_each
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
"""Levels of folders that stand for a repository: with three, its listing is cut."""
_WHOLE = frozenset({"", ".", "./", "/"})


def summarize_code(
    served: RepositoryServer, session: AgentSession, request: SummarizeCodeRequest
) -> Reply[FileSummary | FileSummaries | SymbolExplanations | Declarations | FileTree]:
    index = served.index(request.repo)

    def reply(path: str) -> ReportReply:
        if path.strip() in _WHOLE:
            return ReportReply(index.source.tree(depth=_LEVELS), {})
        return ReportReply(index.combined.summarize(path), {"path": path})

    for path in request.paths:
        session.note_query(path)
    if len(request.paths) > _MOST:
        raise QueryError(f"{len(request.paths)} are named: ask for {_MOST} at once at most.")
    return answer_each(request.paths or ("",), reply)


_MOST = 20
"""Files, folders and symbols of one call: more would not fit into an answer."""
