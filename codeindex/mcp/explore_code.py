"""The tool `explore_code`: a question answered in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.mcp.multi_call import several, share_of_each
from codeindex.mcp.reply import Reply, ReportReply
from codeindex.mcp.repositories import Served
from codeindex.mcp.search_code import note_hits
from codeindex.mcp.session import Session

if TYPE_CHECKING:
    from codeindex.search.explore import Exploration

_BUDGET = 2_000
"""Tokens of an answer unless asked otherwise: the text of two or three functions, and links."""
_LEAST = 400
"""Tokens of the answer to one of several queries: a list of places, a short function, links."""


def explore_code(
    served: Served,
    session: Session,
    query: tuple[str, ...],
    *,
    path: str = "",
    budget: int = _BUDGET,
    repo: str = "",
) -> Reply[Exploration]:
    """Answer a question about the code in one call: start here.

    Takes a question, a task or an issue's text. Shows the code that answers, its callers, what it
    calls and its tests.
    """
    index = served.index(repo)
    each = share_of_each(budget, len(query), least=_LEAST)

    def reply(one: str) -> ReportReply:
        found = index.explore(one, path, budget=each, sent_as=session.sent_as)
        session.note_query(one)
        note_hits(session, found.answer)
        return ReportReply(found, {}, whole=True)

    return several(query, reply)
