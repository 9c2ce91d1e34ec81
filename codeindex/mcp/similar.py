"""Answer the tool `similar` with code similar to the code at a place."""

from __future__ import annotations

from codeindex.mcp.reply import Reply
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import SimilarCodeRequest
from codeindex.mcp.search_code import CompactAnswerDict, make_answer_reply, make_filters
from codeindex.mcp.session import AgentSession
from codeindex.types import AnswerDict


def similar(
    server: RepositoryServer, session: AgentSession, request: SimilarCodeRequest
) -> Reply[AnswerDict | CompactAnswerDict]:
    index = server.index(request.repo)
    answer = index.similar(
        request.place,
        filters=make_filters(
            server, request.path, request.language, request.module, request.repo, request.member
        ),
        tests=request.include_tests,
        limit=request.limit,
        budget=request.budget,
        cursor=request.cursor,
        sent_as=session.sent_as,
    )
    return make_answer_reply(session, answer, compact=request.compact)
