"""Write the resource `codeindex://relevant`: related files that a session has not shown yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codeindex.api.index import Index
from codeindex.errors import CodeIndexError
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.session import AgentSession
from codeindex.text.sanitize import escape_line

_QUERIES, _FILES = 3, 3
"""How many of the newest queries and files of a session are searched for related code."""
_RESULTS_EACH, _MAX_RESULTS = 5, 15


def relevant_text(server: RepositoryServer, session: AgentSession) -> str:
    """Return a Markdown list of unseen files related to the session's newest queries and files."""
    index = server.index()
    shown = session.files(index.repository.name)
    lines: dict[str, str] = {}
    for path, why in _related(index, session, shown):
        if path not in shown:
            lines.setdefault(path, f"- `{escape_line(path)}`: {escape_line(why)}")
    if not lines:
        return "Nothing was asked or read in this session yet.\n"
    return "\n".join(["# Likely relevant", "", *list(lines.values())[:_MAX_RESULTS], ""])


def _related(
    index: Index, session: AgentSession, shown: Sequence[str]
) -> Iterator[tuple[str, str]]:
    for query in session.queries()[:_QUERIES]:
        try:
            spots = index.combined.search_relevant(query, limit=_RESULTS_EACH).spots
        except CodeIndexError:
            continue  # the query was invalid when it was asked, too
        for spot in spots:
            yield spot.file, f"{spot.signature or spot.symbol or spot.kind} (asked: {query})"
    for path in shown[:_FILES]:
        try:
            related = index.changes.context(path, limit=_RESULTS_EACH)
        except CodeIndexError:
            continue  # the file was deleted since it was read
        for item in related.items:
            yield item.file, f"{', '.join(reason.kind for reason in item.reasons)} of {path}"
