"""Answer the tool `similar` with code similar to the code at a place."""

from __future__ import annotations

from codeindex.mcp.reply import AnswerReply, Reply
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import SimilarCodeRequest
from codeindex.mcp.search_code import CompactAnswerDict, make_filters, note_hits
from codeindex.mcp.session import AgentSession
from codeindex.types import AnswerDict


def similar(
    server: RepositoryServer, session: AgentSession, request: SimilarCodeRequest
) -> Reply[AnswerDict | CompactAnswerDict]:
    index = server.index(request.repo)
    answer = index.similar(
        request.place,
        filters=make_filters(
            server, (request.path,), request.language, request.module, request.repo, request.member
        ),
        tests=request.include_tests,
        limit=request.limit,
        budget=request.budget,
        cursor=request.cursor,
        sent_as=session.sent_as,
    )
    note_hits(session, answer)
    return AnswerReply(answer, request.compact)
