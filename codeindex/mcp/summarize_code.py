"""The tool `summarize_code`: files, folders and symbols in short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.errors import QueryError
from codeindex.mcp.multi_call import several
from codeindex.mcp.reply import Reply, ReportReply
from codeindex.mcp.repositories import Served
from codeindex.mcp.session import Session

if TYPE_CHECKING:
    from codeindex.analysis.outline.declarations import Declarations
    from codeindex.analysis.outline.explain_symbol import SymbolExplanations
    from codeindex.analysis.outline.summary import FileSummaries, FileSummary
    from codeindex.analysis.outline.tree import FileTree

_LEVELS = 2
"""Levels of folders that stand for a repository: with three, its listing is cut."""
_WHOLE = frozenset({"", ".", "./", "/"})


def summarize_code(
    served: Served, session: Session, paths: tuple[str, ...] = (), *, repo: str = ""
) -> Reply[FileSummary | FileSummaries | SymbolExplanations | Declarations | FileTree]:
    """Summarize files, folders or symbols without their code: what they declare, import and use.

    Without `paths`: the folders of the repository.
    """
    index = served.index(repo)

    def reply(path: str) -> ReportReply:
        if path.strip() in _WHOLE:
            return ReportReply(index.tree(depth=_LEVELS), {})
        return ReportReply(index.summarize(path), {"path": path})

    for one in paths:
        session.note_query(one)
    if len(paths) > _MOST:
        raise QueryError(f"{len(paths)} are named: ask for {_MOST} at once at most.")
    return several(paths or ("",), reply)


_MOST = 20
"""Files, folders and symbols of one call: more would not fit into an answer."""
