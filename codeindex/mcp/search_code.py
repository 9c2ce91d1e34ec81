"""The tool `search_code`, and `code_search`, which answers as an older contract has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from codeindex.errors import QueryError
from codeindex.mcp.multi_call import answer_each, split_budget
from codeindex.mcp.reply import AnswerReply, GrepReply, Reply
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import SEARCH_BUDGET, CodeSearchRequest, SearchCodeRequest
from codeindex.mcp.session import AgentSession
from codeindex.search.exact.agent_lines import AgentLinesDict
from codeindex.types import Answer, AnswerDict

if TYPE_CHECKING:
    from codeindex.types import Filters

_LEAST_BUDGET = 200
"""Tokens of the answer to one of several queries: a list of places, about 160."""
RESULTS = 10
"""Hits of a search by meaning, unless asked otherwise."""
_GLOB = frozenset("*?[!")


class ResultRows(TypedDict):
    """Results under one header."""

    columns: list[str]
    rows: list[list[Any]]


class CompactAnswerDict(TypedDict, total=False):
    """Fields whose shape differs when `compact` is set."""

    results: ResultRows


class GrepByRepositoryDict(TypedDict):
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
    served: RepositoryServer, session: AgentSession, request: SearchCodeRequest
) -> Reply[AnswerDict | CompactAnswerDict | AgentLinesDict | GrepByRepositoryDict]:
    filters = make_filters(
        served, request.path, request.language, request.module, request.repo, request.member
    )
    if request.mode != "meaning":
        return _lines(served, session, request, filters)
    if request.cursor and len(request.query) > 1:
        raise QueryError("A cursor goes on with one query: give that query alone.")
    budget = split_budget(request.budget, len(request.query), least=_LEAST_BUDGET)

    def reply(query: str) -> AnswerReply:
        answer = served.search(
            query,
            seen=session.seen(),
            filters=filters,
            tests=request.include_tests,
            limit=RESULTS if request.limit is None else request.limit,
            cursor=request.cursor,
            budget=budget,
            sent_as=session.sent_as,
            min_score=request.min_score,
            vector=request.vector,
            **_repositories(request),
        )
        session.note_query(query)
        return make_answer_reply(session, answer, compact=request.compact)

    return answer_each(request.query, reply)


def _repositories(request: SearchCodeRequest) -> dict[str, Any]:
    """Return which repositories are searched, and whether they are synced first."""
    return {"repo": request.repo, "scope": request.scope, "sync": request.sync}


def code_search(
    served: RepositoryServer, session: AgentSession, request: CodeSearchRequest
) -> SnippetsDict:
    query, path = request.query, request.path
    filters = make_filters(served, path, request.language)
    answer = served.search(query, sync=request.sync, filters=filters, limit=request.limit)
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


def _refuse_nowhere(served: RepositoryServer, path: str, repos: Sequence[str]) -> None:
    """Raise QueryError if nothing was found because no file is below the path."""
    known = make_filters(served, path, "")
    if path and not any(served.index(repo).files(filters=known) for repo in repos):
        raise QueryError(f"No indexed file or folder is called {path!r}, so nothing was searched.")


def _lines(
    served: RepositoryServer, session: AgentSession, request: SearchCodeRequest, filters: Filters
) -> Reply[Any]:
    """List every line that has one of the texts, or matches one; repositories share the budget."""
    mode: Literal["exact", "regex"] = "regex" if request.mode == "regex" else "exact"
    found = served.grep(
        request.query,
        mode=mode,
        filters=filters,
        tests=request.include_tests,
        limit=request.limit or request.budget or SEARCH_BUDGET,
        cursor=request.cursor,
        symbols=session.sent_as == "text",
        **_repositories(request),
    )
    if not any(lines.counts for lines in found):
        _refuse_nowhere(served, request.path, [lines.repo for lines in found])
    for query in request.query:
        session.note_query(query)
    for lines in found:
        for path in dict.fromkeys(line.path for line in lines.lines):
            session.note_suggested(lines.repo, path)
    return GrepReply(found, request.budget)


def make_answer_reply(session: AgentSession, answer: Answer, *, compact: bool) -> AnswerReply:
    """Return an answer as agents get it, and remember what it shows."""
    note_hits(session, answer)
    return AnswerReply(answer, compact)


def note_hits(session: AgentSession, answer: Answer) -> None:
    """Remember what an answer leads to, and what of it is shown whole."""
    for hit in answer.hits:
        session.note_suggested(hit.repo, hit.path)
        if hit.shown == "full":
            session.note_shown(hit.repo, hit.path, enumerate(hit.lines, hit.start_line))


def make_filters(
    served: RepositoryServer,
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
