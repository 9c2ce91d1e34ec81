"""The tool `search_code`, and `code_search`, which answers as an older contract has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from codeindex.errors import QueryError
from codeindex.mcp.multi_call import several, share_of_each
from codeindex.mcp.reply import AnswerReply, LinesReply, Reply
from codeindex.mcp.repositories import Served
from codeindex.mcp.session import Session
from codeindex.search.exact.agent_lines import AgentLinesDict
from codeindex.types import Answer, AnswerDict, TestScope

if TYPE_CHECKING:
    from codeindex.types import Filters

BUDGET = 1_000
"""Tokens of an answer unless asked otherwise: an answer of so many names a right file for all dev
queries, as one of 2,000 does (`tests/benchmarks/agent.py`)."""
_LEAST_BUDGET = 200
"""Tokens of the answer to one of several queries: a list of places, about 160."""
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
    """Fields whose shape differs when `compact` is set."""

    results: Rows


class FoundEachDict(TypedDict):
    """Lines of several repositories, by name."""

    repos: dict[str, AgentLinesDict]


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
    query: tuple[str, ...],
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
) -> Reply[AnswerDict | AnswerInRows | AgentLinesDict | FoundEachDict]:
    """Find code by what it does, described in words, when you do not know its names.

    Lists the best places, then their code. Modes `exact` and `regex` (Python's) list every line
    that matches, under its file and function.
    """
    asked = Asked(
        filters_of(served, path, language, module, repo, member),
        path,
        include_tests,
        limit,
        budget,
        cursor,
        {"repo": repo, "scope": scope, "sync": sync},
    )
    if mode != "meaning":
        return _lines(served, session, query, mode, asked)
    if cursor and len(query) > 1:
        raise QueryError("A cursor goes on with one query: give that query alone.")
    each = replace(asked, budget=share_of_each(budget, len(query), least=_LEAST_BUDGET))

    def reply(one: str) -> AnswerReply:
        answer = _meant(served, session, one, each, min_score=min_score, vector=vector)
        return shown(session, answer, compact=compact)

    return several(query, reply)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a search takes beside its queries; `where` names repositories and whether to sync."""

    filters: Filters
    path: str
    tests: TestScope
    limit: int | None
    budget: int
    cursor: str
    where: Mapping[str, Any]


def _meant(served: Served, session: Session, query: str, asked: Asked, **more: Any) -> Answer:
    """Search by meaning, and remember what is shown."""
    answer = served.search(
        query,
        seen=session.seen(),
        filters=asked.filters,
        tests=asked.tests,
        limit=RESULTS if asked.limit is None else asked.limit,
        cursor=asked.cursor,
        budget=asked.budget,
        sent_as=session.sent_as,
        **asked.where,
        **more,
    )
    session.note_query(query)
    return answer


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
    note_hits(session, answer)
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
    served: Served,
    session: Session,
    query: tuple[str, ...],
    mode: Literal["exact", "regex"],
    asked: Asked,
) -> Reply[Any]:
    """List every line that has one of the texts, or matches one; repositories share the budget."""
    found = served.grep(
        query,
        mode=mode,
        filters=asked.filters,
        tests=asked.tests,
        limit=asked.limit or asked.budget or BUDGET,
        cursor=asked.cursor,
        symbols=session.sent_as == "text",
        **asked.where,
    )
    if not any(one.counts for one in found):
        _refuse_nowhere(served, asked.path, [one.repo for one in found])
    for one in query:
        session.note_query(one)
    for one_repo in found:
        for path in dict.fromkeys(line.path for line in one_repo.lines):
            session.note_suggested(one_repo.repo, path)
    return LinesReply(found, asked.budget)


def shown(session: Session, answer: Answer, *, compact: bool) -> AnswerReply:
    """Return an answer as agents get it, and remember what it shows."""
    note_hits(session, answer)
    return AnswerReply(answer, compact)


def note_hits(session: Session, answer: Answer) -> None:
    """Remember what an answer leads to, and what of it is shown whole."""
    for hit in answer.hits:
        session.note_suggested(hit.repo, hit.path)
        if hit.shown == "full":
            session.note_shown(hit.repo, hit.path, enumerate(hit.lines, hit.start_line))


def filters_of(
    served: Served,
    path: str,
    language: str,
    module: str = "",
    repo: str = "",
    member: str = "",
) -> Filters:
    """Return what the parameters of a search let pass; a path may be a glob."""
    from codeindex.types import Filters

    if member:
        path = served.member_path(repo, member)
    is_glob = bool(_GLOB & set(path))
    return Filters(
        languages=(language,) if language else (),
        globs=(path,) if is_glob else (),
        paths=(path.strip("/"),) if path and not is_glob else (),
        module=module,
    )
