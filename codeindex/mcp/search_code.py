"""The tool `search_code`, and `code_search`, which answers as an older contract has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

from codeindex.errors import QueryError
from codeindex.mcp.served import Served
from codeindex.mcp.session import Session
from codeindex.search.exact.lean import FoundDict, agent_lines
from codeindex.search.lean import agent_answer
from codeindex.types import Answer, AnswerDict

if TYPE_CHECKING:
    from codeindex.search.exact.lines import Lines
    from codeindex.search.filters import Filters

BUDGET = 1_000
"""Tokens of an answer unless asked otherwise: an answer of so many names a right file for all dev
queries, as one of 2,000 does (`tests/benchmarks/agent.py`)."""
_MOST_LINES = 4_800
"""Tokens of lines: what is cut for its size (`mcp.bounded`) has no cursor."""
RESULTS = 10
"""Hits of a search by meaning, unless asked otherwise."""
Scope = dict[str, Any]
"""`{"type": "repo", "repo": …}`, `{"type": "repos", "repos": […]}` or `{"type": "all"}`."""
_GLOB = frozenset("*?[!")


class Rows(TypedDict):
    """Results under one header."""

    columns: list[str]
    rows: list[list[Any]]


class AnswerInRows(TypedDict, total=False):
    """What of an answer is in another form where it is `compact`."""

    results: Rows


class FoundEachDict(TypedDict):
    """Lines of several repositories, by name."""

    repos: dict[str, FoundDict]


class SnippetDict(TypedDict):
    """A result as the older contract has it."""

    file_path: str
    line_start: int
    line_end: int
    snippet: str
    score: float


class SnippetsDict(TypedDict):
    """An answer as the older contract has it."""

    results: list[SnippetDict]


def search_code(
    served: Served,
    session: Session,
    query: str,
    *,
    mode: Literal["meaning", "exact", "regex"] = "meaning",
    path: str = "",
    language: str = "",
    include_tests: Literal["include", "exclude", "only"] = "include",
    limit: int | None = None,
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
) -> AnswerDict | AnswerInRows | FoundDict | FoundEachDict:
    """Find code by what it does, when you do not know its names: describe it in words.

    Also answers "what calls X", "who imports Y", "subclasses of Z", "data flow from A to B" and
    "how does W work". Best first; text may be shortened: `read` shows the rest. For one symbol's
    definition or callers use `find`. With `confidence` weak it may not be here. Modes `exact` and
    `regex` (Python's) are grep: every line that matches as `path:line:text`, and the count of all.
    """
    filters = filters_of(served, path, language, module, repo, member)
    if mode != "meaning":
        found = served.grep(
            query,
            mode=mode,
            repo=repo,
            scope=scope,
            sync=sync,
            filters=filters,
            tests=include_tests,
            limit=limit or budget or BUDGET,
            cursor=cursor,
        )
        if not any(one.counts for one in found):
            _refuse_nowhere(served, path, [one.repo for one in found])
        return _lines(session, query, found, budget)
    answer = served.search(
        query,
        seen=session.seen(),
        repo=repo,
        scope=scope,
        sync=sync,
        filters=filters,
        tests=include_tests,
        limit=RESULTS if limit is None else limit,
        min_score=min_score,
        cursor=cursor,
        budget=budget,
        vector=vector,
    )
    session.note_query(query)
    return shown(session, answer, compact=compact)


def code_search(
    served: Served,
    session: Session,
    query: str,
    *,
    language: str = "",
    path: str = "",
    limit: int = 10,
    sync: bool = False,
) -> SnippetsDict:
    """Find code by what it does: `search_code` with snippets alone."""
    filters = filters_of(served, path, language)
    answer = served.search(query, sync=sync, filters=filters, limit=limit)
    if not answer.hits:
        _refuse_nowhere(served, path, answer.searched_repos)
    session.note_query(query)
    _note_hits(session, answer)
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


def _refuse_nowhere(served: Served, path: str, repos: Sequence[str]) -> None:
    """Raise QueryError if nothing was found since no file is where it was looked for."""
    known = filters_of(served, path, "")
    if path and not any(served.index(one).files(filters=known) for one in repos):
        raise QueryError(f"No indexed file or folder is called {path!r}, so nothing was searched.")


def _lines(
    session: Session, query: str, found: Sequence[Lines], budget: int
) -> FoundDict | FoundEachDict:
    """Return lines as agents get them; several repositories share the budget."""
    session.note_query(query)
    for one in found:
        for path in dict.fromkeys(line.path for line in one.lines):
            session.note_suggested(one.repo, path)
    most = min(budget or _MOST_LINES, _MOST_LINES)
    told = [agent_lines(one, budget=most // len(found)) for one in found]
    if len(told) == 1:
        return told[0]
    return {"repos": {one.repo: each for one, each in zip(found, told, strict=True)}}


def shown(session: Session, answer: Answer, *, compact: bool) -> AnswerDict | AnswerInRows:
    """Return an answer as agents get it, and remember what it shows."""
    _note_hits(session, answer)
    found = agent_answer(answer)
    return _in_rows(found) if compact else found


def _note_hits(session: Session, answer: Answer) -> None:
    """Remember what an answer leads to, and what of it is shown whole."""
    for hit in answer.hits:
        session.note_suggested(hit.repo, hit.path)
        if hit.shown == "full":
            session.note_shown(hit.repo, hit.path, enumerate(hit.lines, hit.start_line))


def _in_rows(answer: AnswerDict) -> AnswerInRows:
    """Return the results as rows of one header."""
    results = answer["results"]
    columns = list(dict.fromkeys(name for one in results for name in one))
    rows = [[one.get(name) for name in columns] for one in results]
    return cast("AnswerInRows", {**answer, "results": Rows(columns=columns, rows=rows)})


def filters_of(
    served: Served,
    path: str,
    language: str,
    module: str = "",
    repo: str = "",
    member: str = "",
) -> Filters:
    """Return what the parameters of a search let pass; a path may be a glob."""
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
