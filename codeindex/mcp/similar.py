"""The tool `similar`: code that is like the code at a place."""

from __future__ import annotations

from typing import Literal

from codeindex.mcp.reply import Reply
from codeindex.mcp.repositories import Served
from codeindex.mcp.search_code import BUDGET, AnswerInRows, filters_of, shown
from codeindex.mcp.session import Session
from codeindex.types import AnswerDict


def similar(
    served: Served,
    session: Session,
    place: str,
    *,
    path: str = "",
    language: str = "",
    include_tests: Literal["include", "exclude", "only"] = "include",
    limit: int = 10,
    budget: int = BUDGET,
    cursor: str = "",
    repo: str = "",
    module: str = "",
    member: str = "",
    compact: bool = False,
) -> Reply[AnswerDict | AnswerInRows]:
    """Find code that is like the code at PLACE, before you write it again or change one of many."""
    index = served.index(repo)
    answer = index.similar(
        place,
        filters=filters_of(served, path, language, module, repo, member),
        tests=include_tests,
        limit=limit,
        budget=budget,
        cursor=cursor,
        sent_as=session.sent_as,
    )
    return shown(session, answer, compact=compact)
