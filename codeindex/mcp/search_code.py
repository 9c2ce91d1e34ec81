"""Answer the tool `search_code`: search by meaning, text, regular expression or syntax."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, TypedDict

from codeindex.api.requests.graph import CallersRequest
from codeindex.errors import QueryError
from codeindex.mcp.multi_call import answer_each, split_budget
from codeindex.mcp.reply import AnswerReply, GrepReply, Reply, list_lines_once, share_budget
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import LINES_BUDGET, SEARCH_BUDGET, SearchCodeRequest
from codeindex.mcp.session import AgentSession
from codeindex.search.exact.agent_lines import AgentLinesDict
from codeindex.search.exact.agent_lines_text import without_seen_context
from codeindex.search.exact.lines import GrepResult
from codeindex.search.exact.scan import compile_pattern
from codeindex.text.globs import escape_glob, is_glob
from codeindex.text.short_names import shorten_name
from codeindex.types import CALLABLE_KINDS, Answer, AnswerDict, Filters
from codeindex.types.report import plural

_MIN_BUDGET = 200
"""Least budget of each of several queries; a list of places takes about 160 tokens."""
_WORD = re.compile(r"\w{3}")
_FEW, _CALLERS = 2, 3
"""Callers are shown if at most `_FEW` functions contain a message, and at most `_CALLERS` of each.
A caller takes about 35 tokens; a further call of the agent to ask for them takes 90 and more."""
DEFAULT_LIMIT = 10
"""Most hits of a search by meaning if no `limit` is given."""


class ResultRows(TypedDict):
    """Search results as `rows`, whose values have the order of `columns`."""

    columns: list[str]
    rows: list[list[Any]]


class CompactAnswerDict(TypedDict, total=False):
    """An answer with `compact`: `results` are rows, all other fields are those of `AnswerDict`."""

    results: ResultRows


class GrepByRepositoryDict(TypedDict):
    """Matching lines by name of the repository."""

    repos: dict[str, AgentLinesDict]


def search_code(
    server: RepositoryServer, session: AgentSession, request: SearchCodeRequest
) -> Reply[AnswerDict | CompactAnswerDict | AgentLinesDict | GrepByRepositoryDict]:
    filters = make_filters(
        server, request.path, request.language, request.module, request.repo, request.member
    )
    if request.mode != "meaning":
        return _grep(server, session, request, filters)
    _refuse_cursor_of_several(request)
    whole = SEARCH_BUDGET if request.budget is None else request.budget
    budget = split_budget(whole, len(request.query), least=_MIN_BUDGET)

    def reply(query: str) -> AnswerReply:
        answer = server.search(
            query,
            seen=session.shown_lines(),
            filters=filters,
            tests=request.include_tests,
            limit=DEFAULT_LIMIT if request.limit is None else request.limit,
            cursor=request.cursor,
            budget=budget,
            sent_as=session.sent_as,
            min_score=request.min_score,
            vector=request.vector,
            **_repository_arguments(request),
        )
        session.note_query(query)
        note_hits(session, answer)
        return AnswerReply(answer, request.compact, scoped=request.scope is not None)

    return answer_each(request.query, reply)


def _repository_arguments(request: SearchCodeRequest) -> dict[str, Any]:
    """Return the request's arguments that select repositories, and whether to sync them."""
    return {"repo": request.repo, "scope": request.scope, "sync": request.sync}


def refuse_unknown_paths(
    server: RepositoryServer, paths: Sequence[str], repos: Sequence[str]
) -> None:
    """Raise QueryError for a path or glob that matches no indexed file of any of `repos`."""
    if unknown := _unknown_paths(server, paths, repos):
        raise _unknown_path_error(server, unknown[0], repos)


def _unknown_path_error(server: RepositoryServer, path: str, repos: Sequence[str]) -> QueryError:
    """Return the error for a path that matches no file; it names three files of the same name."""
    name = path.rstrip("/").rpartition("/")[2]
    found = [*islice(_files_of_name(server, name, repos), 3)] if name else []
    places = f" Files of that name: {', '.join(found)}." if found else ""
    return QueryError(
        f"No indexed file or folder is called {path!r}, so nothing was searched.{places}"
    )


def _files_of_name(server: RepositoryServer, name: str, repos: Sequence[str]) -> Iterator[str]:
    """Yield the paths of the files with a name, each with its repository if there are several."""
    same = make_filters(server, (f"**/{escape_glob(name)}",), "")
    for repo in repos:
        where = f" in {repo}" if len(repos) > 1 else ""
        yield from (f"{file}{where}" for file in server.index(repo).files(filters=same))


def _unknown_paths(
    server: RepositoryServer, paths: Sequence[str], repos: Sequence[str]
) -> list[str]:
    """Return the paths and globs that match no indexed file of any of `repos`."""
    return [
        path
        for path in filter(None, paths)
        if not any(
            server.index(repo).files(filters=make_filters(server, (path,), "")) for repo in repos
        )
    ]


def _grep(
    server: RepositoryServer, session: AgentSession, request: SearchCodeRequest, filters: Filters
) -> Reply[Any]:
    """Return a reply with the lines that match a text, a regular expression or syntax.

    Each of several patterns gets its own part of the answer, and a fair share of the budget.
    """
    _refuse_cursor_of_several(request)
    _check_line_arguments(request)
    budget = 0 if request.limit else LINES_BUDGET
    budget = budget if request.budget is None else request.budget
    as_text = session.sent_as == "text"

    def reply(query: str) -> GrepReply:
        note = _reason_for_text(query) if as_text and request.mode == "regex" else ""
        mode = "exact" if note else request.mode
        results = server.grep(
            query,
            mode=mode,
            filters=filters,
            tests=request.include_tests,
            symbols=as_text,
            limit=request.limit or budget or LINES_BUDGET,
            cursor=request.cursor,
            before=request.around,
            after=request.around,
            **_repository_arguments(request),
        )
        if note:  # what the result advises must fit the mode that the agent gave
            results = [replace(result, mode="regex") for result in results]
        if as_text and request.around:
            results = [without_seen_context(result, session.shown_lines()) for result in results]
        unknown = _check_paths(server, request.path, results)
        session.note_query(query)
        _note_files(session, results)
        further = list[str]()
        if as_text and len(results) == 1 and mode != "ast":
            further += _callers_of_message(server, query, results[0])
        return GrepReply(results, budget, tuple(unknown), note, further=further)

    replies = answer_each(request.query, reply)
    return share_budget(list_lines_once(replies) if as_text else replies, sent_as=session.sent_as)


def _check_paths(
    server: RepositoryServer, paths: Sequence[str], results: Sequence[GrepResult]
) -> Sequence[str]:
    """Return the paths of a request that match no indexed file of the searched repositories.

    Raise QueryError if none of the paths does, or some do not and nothing was found.
    """
    has_matches = any(result.counts for result in results)
    if has_matches and len(paths) <= 1:
        return ()
    searched = [result.repo for result in results]
    unknown = _unknown_paths(server, paths, searched)
    if unknown and (len(unknown) == len(paths) or not has_matches):
        raise _unknown_path_error(server, unknown[0], searched)
    return unknown


def _note_files(session: AgentSession, results: Sequence[GrepResult]) -> None:
    """Record in the session which files have matching lines."""
    for result in results:
        for path in dict.fromkeys(line.path for line in result.lines):
            session.note_suggested(result.repo, path)


def _callers_of_message(server: RepositoryServer, text: str, result: GrepResult) -> Iterator[str]:
    """Yield a line for each certain caller of the functions in which a message was found.

    A text with a blank is taken for a message. Yield nothing if more than `_FEW` functions contain
    it. Who looks for a message asks next when its function runs.
    """
    if " " not in text:
        return
    index = server.index(result.repo)
    places = dict.fromkeys((line.path, line.symbol) for line in result.matches if line.symbol)
    names = {symbol: path for path, symbol in places} if len(places) <= _FEW else {}
    for name, kinds in index.symbols.kinds(list(names)).items():
        if not kinds or not kinds <= CALLABLE_KINDS:
            continue
        symbol = f"{names[name]}::{name}"
        found = index.run(CallersRequest(symbol, include_tests="exclude", limit=_CALLERS))
        certain = [caller for caller in found.callers if caller.certainty == "resolved"]
        for caller in certain:
            of = shorten_name(caller.name, caller.file) or "(top level)"
            yield f"called at {caller.file}:{caller.lines[0]} {of}: {caller.text}"
        if certain and (left := found.total_certain - len(certain)):
            yield f"… {plural(left, 'more caller')} of {name}"


def _reason_for_text(pattern: str) -> str:
    """Return why a pattern is searched for as a text, or "" if it is a regular expression.

    A pattern with an error, such as `close(`, is taken for a text if it has a word.
    """
    try:
        compile_pattern(pattern, ignore_case=False, alone=False)
    except re.error as error:
        if _WORD.search(pattern):
            return f"no regular expression ({error}), so it is searched for as a text"
    except (OverflowError, RecursionError):
        pass  # the search says what is wrong
    return ""


def _refuse_cursor_of_several(request: SearchCodeRequest) -> None:
    if request.cursor and len(request.query) > 1:
        raise QueryError("A cursor continues one query: give only that query.")


def _check_line_arguments(request: SearchCodeRequest) -> None:
    """Raise QueryError for an argument that is invalid for a search of lines, like `min_score`."""
    if request.around < 0:
        raise QueryError(f"`around` is {request.around}: give a number of lines.")
    for name, value in {"min_score": request.min_score, "vector": request.vector}.items():
        if value:
            raise QueryError(f"Lines have no score: `{name}` is for the mode `meaning`.")


def note_hits(session: AgentSession, answer: Answer) -> None:
    """Record in the session which files the hits of an answer are in, and which lines it shows.

    Only a hit that is shown in full counts as shown lines.
    """
    for hit in answer.hits:
        session.note_suggested(hit.repo, hit.path)
        if hit.shown == "full":
            session.note_shown(hit.repo, hit.path, enumerate(hit.lines, hit.start_line))


def make_filters(
    server: RepositoryServer,
    paths: Sequence[str],
    language: str,
    module: str = "",
    repo: str = "",
    member: str = "",
) -> Filters:
    """Return the filters for a search below any of `paths`, which are files, folders or globs.

    `member` is a workspace member, whose folder stands for a path; "" means no filter.
    """
    places = server.scoped_paths(repo, paths, member)
    globs = tuple(place for place in places if is_glob(place))
    others = tuple(place.strip("/") for place in places if place not in globs)
    if globs:  # a file must match one of the globs, so that folders are globs beside them
        escaped = [escape_glob(place) for place in others]
        globs = (*(f"/{place}{end}" for place in escaped for end in ("", "/**")), *globs)
    return Filters(
        languages=(language,) if language else (),
        globs=globs,
        paths=() if globs else others,
        module=module,
    )
