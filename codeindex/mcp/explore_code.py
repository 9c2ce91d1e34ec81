"""Answer the tool `explore_code` with code, callers, tests and uses of names for a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.api.requests.combined import ExploreRequest
from codeindex.mcp.multi_call import answer_each, split_budget
from codeindex.mcp.reply import Reply, ReportReply
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import ExploreCodeRequest
from codeindex.mcp.search_code import make_filters, note_hits
from codeindex.mcp.session import AgentSession

if TYPE_CHECKING:
    from codeindex.search.explore import Exploration

_MIN_BUDGET = 400
"""Least budget of each of several queries: enough for places, a short function and links."""


def explore_code(
    server: RepositoryServer, session: AgentSession, request: ExploreCodeRequest
) -> Reply[Exploration]:
    index = server.index(request.repo)
    filters = make_filters(
        server, request.path, "", repo=index.repository.name, member=request.member
    )
    share = split_budget(request.budget, len(request.query), least=_MIN_BUDGET)

    def reply(query: str) -> ReportReply:
        exploration = index.combined.explore_new(
            ExploreRequest(query, budget=share, sent_as=session.sent_as),
            filters=filters,
            seen=session.shown_lines(),
        )
        session.note_query(query)
        note_hits(session, exploration.answer)
        for region in exploration.code:
            lines = region.lines_sent(session.sent_as)
            session.note_shown(index.repository.name, region.path, lines)
        return ReportReply(exploration, {}, whole=True)

    return answer_each(request.query, reply)
