"""The tool `ask_code`: an answer in sentences, each with its place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from codeindex.errors import ScopeError
from codeindex.mcp.client_model import current
from codeindex.mcp.repositories import Served
from codeindex.mcp.search_code import Scope
from codeindex.mcp.session import Session

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.ask.extract import Extract, ExtractDict

_NO_MODEL = "This client offers no model to write with: the answer is put together without one."


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
    sample: bool = False,
    agentic: int = 0,
) -> ExtractDict:
    """Answer a question about the code in sentences that each cite file and lines.

    Put together from definitions, documents and the graph; nothing is made up. With `sample` your
    client's model writes it from that evidence, and what the evidence does not bear out is marked.
    """
    from codeindex.ask.merge_repositories import merge_extracts

    names = [repo] if scope is None else _names(scope)
    session.note_query(query)

    def asked(index: Index) -> Extract:
        writer = current() if sample else None
        found = index.ask_writer(
            query,
            writer,
            model=writer.name if writer else "",
            limit=limit,
            path=path,
            min_score=min_score,
            agentic=agentic,
        )
        if writer and found.meta["llmModel"]:
            found = replace(found, meta=found.meta | {"llmModel": writer.name})
        return replace(found, notes=(_NO_MODEL,)) if sample and writer is None else found

    return merge_extracts([asked(served.index(name)) for name in names]).as_dict()


def _names(scope: Scope) -> list[str]:
    match scope:
        case {"type": "repo", "repo": str(name)}:
            return [name]
        case {"type": "repos", "repos": [_, *_] as names} if all(
            isinstance(one, str) for one in names
        ):
            return list(dict.fromkeys(names))
        case _:
            pass
    raise ScopeError(
        'An answer is about repositories that are named: give {"type": "repo", "repo": NAME} or'
        ' {"type": "repos", "repos": [NAMES]} as `scope`, or ask search_code, which searches all.'
    )
