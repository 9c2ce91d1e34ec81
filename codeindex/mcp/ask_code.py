"""The tool `ask_code`: an answer in sentences, each with its place."""

from __future__ import annotations

from typing import Any

from codeindex.mcp.served import Served
from codeindex.mcp.session import Session


def ask_code(
    served: Served,
    session: Session,
    query: str,
    *,
    repo: str = "",
    limit: int = 5,
    path: str = "",
    min_score: float = 0.0,
) -> dict[str, Any]:
    """Answer a question about the code in sentences that each cite file and lines.

    Put together from definitions, documentation and uses; nothing is made up, nothing is explained.
    """
    index = served.index(repo)
    session.note_query(query)
    return index.ask(query, limit=limit, path=path, min_score=min_score).as_dict()
