"""The tool `similar`: code that is like the code at a place."""

from __future__ import annotations

from codeindex.mcp.reply import Reply
from codeindex.mcp.repositories import Served
from codeindex.mcp.requests import SimilarCodeRequest
from codeindex.mcp.search_code import AnswerInRows, filters_of, shown
from codeindex.mcp.session import Session
from codeindex.types import AnswerDict


def similar(
    served: Served, session: Session, request: SimilarCodeRequest
) -> Reply[AnswerDict | AnswerInRows]:
    index = served.index(request.repo)
    answer = index.similar(
        request.place,
        filters=filters_of(
            served, request.path, request.language, request.module, request.repo, request.member
        ),
        tests=request.include_tests,
        limit=request.limit,
        budget=request.budget,
        cursor=request.cursor,
        sent_as=session.sent_as,
    )
    return shown(session, answer, compact=request.compact)
