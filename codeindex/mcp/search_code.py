"""The tool `search_code`, and `code_search`, which answers as an older contract has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from codeindex.mcp.served import Served
from codeindex.mcp.session import Session
from codeindex.search.lean import agent_answer
from codeindex.types import Answer, Span

if TYPE_CHECKING:
    from codeindex.search.filters import Filters

BUDGET = 2_000
"""Tokens of an answer unless asked otherwise: .97 of dev queries have their file in so many."""
Scope = dict[str, Any]
"""`{"type": "repo", "repo": …}`, `{"type": "repos", "repos": […]}` or `{"type": "all"}`."""
_GLOB = frozenset("*?[!")


def search_code(
    served: Served,
    session: Session,
    query: str,
    *,
    path: str = "",
    language: str = "",
    include_tests: Literal["include", "exclude", "only"] = "include",
    limit: int = 10,
    budget: int = BUDGET,
    cursor: str = "",
    repo: str = "",
    scope: Scope | None = None,
    module: str = "",
    min_score: float = 0.0,
    member: str = "",
    sync: bool = False,
    compact: bool = False,
    vector: tuple[float, ...] = (),
) -> dict[str, Any]:
    """Find code by what it does, when you do not know its names: describe it in words.

    Also answers "what calls X", "who imports Y", "subclasses of Z", "data flow from A to B" and
    "how does W work". Best first; text may be shortened: `read` shows the rest. For exact text use
    grep; for one symbol's definition or callers use `find`.
    """
    answer = _answer(
        served,
        session,
        query,
        repo=repo,
        scope=scope,
        sync=sync,
        filters=_filters(served, path, language, module, repo, member),
        tests=include_tests,
        limit=limit,
        min_score=min_score,
        cursor=cursor,
        budget=budget,
        vector=vector,
    )
    found = agent_answer(answer)
    return _in_rows(found) if compact else found


def code_search(
    served: Served,
    session: Session,
    query: str,
    *,
    language: str = "",
    path: str = "",
    limit: int = 10,
    sync: bool = False,
) -> dict[str, Any]:
    """Find code by what it does: `search_code` with snippets alone."""
    filters = _filters(served, path, language, "", "", "")
    answer = _answer(served, session, query, sync=sync, filters=filters, limit=limit)
    return {
        "results": [
            {
                "file_path": hit.path,
                "line_start": hit.start_line,
                "line_end": hit.end_line,
                "snippet": hit.text,
                "score": round(hit.score, 4),
            }
            for hit in answer.hits
        ]
    }


def _answer(served: Served, session: Session, query: str, **asked: Any) -> Answer:
    """Search without repeating what was shown, and remember what is shown now."""
    answer = served.search(query, seen=session.seen(), **asked)
    session.note_query(query)
    for hit in answer.hits:
        if hit.shown == "full":
            session.note_shown(Span(hit.path, hit.start_line, hit.end_line, hit.repo))
    return answer


def _in_rows(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the results as rows of one header."""
    results = answer["results"]
    columns = list(dict.fromkeys(name for one in results for name in one))
    rows = [[one.get(name) for name in columns] for one in results]
    return answer | {"results": {"columns": columns, "rows": rows}}


def _filters(
    served: Served, path: str, language: str, module: str, repo: str, member: str
) -> Filters:
    from codeindex.search.filters import Filters

    if member:
        path = served.member_path(repo, member)
    is_glob = bool(_GLOB & set(path))
    return Filters(
        languages=(language,) if language else (),
        globs=(path,) if is_glob else (),
        paths=(path.strip("/"),) if path and not is_glob else (),
        module=module,
    )
