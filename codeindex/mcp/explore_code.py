"""The tool `explore_code`: a question answered in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.mcp.multi_call import answer_each, split_budget
from codeindex.mcp.reply import Reply, ReportReply
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import ExploreCodeRequest
from codeindex.mcp.search_code import note_hits
from codeindex.mcp.session import AgentSession

if TYPE_CHECKING:
    from codeindex.search.explore import Exploration

_LEAST = 400
"""Tokens of the answer to one of several queries: a list of places, a short function, links."""


def explore_code(
    served: RepositoryServer, session: AgentSession, request: ExploreCodeRequest
) -> Reply[Exploration]:
    index = served.index(request.repo)
    each = split_budget(request.budget, len(request.query), least=_LEAST)

    def reply(query: str) -> ReportReply:
        found = index.combined.explore(query, request.path, budget=each, sent_as=session.sent_as)
        session.note_query(query)
        note_hits(session, found.answer)
        return ReportReply(found, {}, whole=True)

    return answer_each(request.query, reply)
