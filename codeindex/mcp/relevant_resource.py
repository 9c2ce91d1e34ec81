"""What belongs to what a session is about, and was not shown in it yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codeindex.api.index import Index
from codeindex.errors import CodeIndexError
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.session import AgentSession
from codeindex.text.sanitize import escape_line

_QUERIES, _FILES = 3, 3
"""The newest questions and files that say what a session is about."""
_EACH, _MOST = 5, 15


def relevant_text(served: RepositoryServer, session: AgentSession) -> str:
    """Return a list in Markdown: places that the last questions and files lead to."""
    index = served.index()
    known = session.files(index.repository.name)
    lines: dict[str, str] = {}
    for path, why in _related(index, session, known):
        if path not in known:
            lines.setdefault(path, f"- `{escape_line(path)}`: {escape_line(why)}")
    if not lines:
        return "Nothing was asked or read in this session yet.\n"
    return "\n".join(["# Likely relevant", "", *list(lines.values())[:_MOST], ""])


def _related(
    index: Index, session: AgentSession, known: Sequence[str]
) -> Iterator[tuple[str, str]]:
    for query in session.queries()[:_QUERIES]:
        try:
            spots = index.combined.search_relevant(query, limit=_EACH).spots
        except CodeIndexError:
            continue  # it was no question then either
        for spot in spots:
            yield spot.file, f"{spot.signature or spot.symbol or spot.kind} (asked: {query})"
    for path in known[:_FILES]:
        try:
            related = index.changes.context(path, limit=_EACH)
        except CodeIndexError:
            continue  # it is gone since it was read
        for item in related.items:
            yield item.file, f"{', '.join(one.kind for one in item.reasons)} of {path}"
