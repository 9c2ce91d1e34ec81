"""Answer the tool `similar` with code similar to the code at a place."""

from __future__ import annotations

from codeindex.api.requests.core import SimilarRequest
from codeindex.mcp.reply import AnswerReply, Reply
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import SimilarCodeRequest
from codeindex.mcp.search_code import CompactAnswerDict, make_filters, note_hits
from codeindex.mcp.session import AgentSession
from codeindex.types import Answer, AnswerDict


def similar(
    server: RepositoryServer, session: AgentSession, request: SimilarCodeRequest
) -> Reply[AnswerDict | CompactAnswerDict]:
    filters = make_filters(
        server, (request.path,), request.language, request.module, request.repo, request.member
    )
    wanted = SimilarRequest.from_other(
        request, filters=filters, tests=request.include_tests, sent_as=session.sent_as
    )
    answer: Answer = server.index(request.repo).run(wanted)
    note_hits(session, answer)
    return AnswerReply(answer, request.compact)
