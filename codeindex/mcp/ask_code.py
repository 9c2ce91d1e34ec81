"""The tool `ask_code`: an answer in sentences, each with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeindex.errors import ScopeError
from codeindex.mcp.search_code import Scope
from codeindex.mcp.served import Served
from codeindex.mcp.session import Session

if TYPE_CHECKING:
    from codeindex.search.ask.extract import ExtractDict


def ask_code(
    served: Served,
    session: Session,
    query: str,
    *,
    repo: str = "",
    scope: Scope | None = None,
    limit: int = 5,
    path: str = "",
    min_score: float = 0.0,
) -> ExtractDict:
    """Answer a question about the code in sentences that each cite file and lines.

    Put together from definitions, documentation and uses; nothing is made up, nothing is explained.
    """
    index = served.index(repo if scope is None else _only(scope))
    session.note_query(query)
    return index.ask(query, limit=limit, path=path, min_score=min_score).as_dict()


def _only(scope: Scope) -> str:
    match scope:
        case {"type": "repo", "repo": str(name)} | {"type": "repos", "repos": [str(name)]}:
            return name
        case _:
            pass
    raise ScopeError(
        'An answer is about one repository: give {"type": "repo", "repo": NAME} as `scope`, or ask'
        " search_code, which searches several."
    )
