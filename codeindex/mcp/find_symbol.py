"""Answer the tool `find_symbol` with the definitions of a symbol or its relations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from codeindex.api.cross_repository import WITH_USES_ELSEWHERE, add_uses_elsewhere
from codeindex.api.requests import Request, parameters_of
from codeindex.api.requests.changes import ContextRequest, ForDiffRequest
from codeindex.api.requests.graph import (
    CalleesRequest,
    CallersRequest,
    ImpactRequest,
    ImplementersRequest,
    ImportsRequest,
    RelatedTestsRequest,
    TypeFlowRequest,
    UnusedRequest,
)
from codeindex.api.requests.symbols import LookupRequest, SignaturesRequest
from codeindex.errors import QueryError
from codeindex.mcp.multi_call import answer_each, refuse_too_many
from codeindex.mcp.reply import AnswerReply, Reply, ReportReply
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import SEARCH_BUDGET, FindSymbolRequest
from codeindex.mcp.search_code import make_filters
from codeindex.mcp.session import AgentSession

if TYPE_CHECKING:
    from codeindex.analysis.change.diff_impact import DiffImpact
    from codeindex.analysis.change.related_files import RelatedFiles
    from codeindex.analysis.outline.lookup import DeclarationMatches
    from codeindex.analysis.relations.callees import Callees
    from codeindex.analysis.relations.callers import Callers
    from codeindex.analysis.relations.impact import Impact
    from codeindex.analysis.relations.implementers import Implementers
    from codeindex.analysis.relations.imports import Imports
    from codeindex.analysis.relations.related_tests import RelatedTest, RelatedTests
    from codeindex.analysis.relations.type_flow import TypeFlow
    from codeindex.analysis.relations.unused import UnusedSymbols
    from codeindex.api.index import Index
    from codeindex.types import AnswerDict

_ROWS, _SHORT_ROWS = 20, 60
"""Most rows if the request does not tell. Implementers have no code beside them, and who asks for
them wants all: of 61 in a Java repository, 20 take 790 tokens, and those 61 again 1,900."""


def find_symbol(
    server: RepositoryServer, session: AgentSession, request: FindSymbolRequest
) -> Reply[
    DeclarationMatches
    | Callers
    | Callees
    | Implementers
    | RelatedTests
    | Impact
    | RelatedFiles
    | TypeFlow
    | Imports
    | UnusedSymbols
    | DiffImpact
    | AnswerDict
]:
    names, mode = request.names, request.mode
    if not names:
        raise QueryError("The symbols are missing: name them, like Cart.add or shop/cart.py::add.")
    refuse_too_many(names, "symbols")
    index = server.index(request.repo)
    path = server.scoped_paths(request.repo, request.path, request.member)
    if mode in _SEARCHES:
        return answer_each(names, lambda name: _search(server, session, index, name, request, path))
    options = _options(request, path)
    subject = next(iter(parameters_of(_REPORTS[mode])))
    others = server.other_indexes(index)
    listed: list[RelatedTest] = []

    def reply(name: str) -> ReportReply:
        report = index.run(_REPORTS[mode](**{subject: name}, **options))
        if mode == "tests" and session.sent_as == "text":
            report = report.without(listed)
            listed.extend(report.tests)
        if others and _REPORTS[mode].capability in WITH_USES_ELSEWHERE:
            report = add_uses_elsewhere(index, report, others)
        if session.sent_as == "text":
            report = _without_known_unread(session, index.repository.name, report)
        return ReportReply(report, {"name": name})

    return answer_each(names, reply)


def _without_known_unread(session: AgentSession, repo: str, report: Any) -> Any:
    """Return a report without the names of unread files if an answer named them before.

    Their number remains.
    """
    unread = getattr(report, "unread_paths", ())
    return (
        replace(report, unread_paths=()) if unread and session.note_unread(repo, unread) else report
    )


def _options(request: FindSymbolRequest, path: tuple[str, ...]) -> dict[str, Any]:
    """Return the arguments that limit the list of a mode: `limit`, `path`, `include_tests`.

    `path` has the request's files and folders. If the mode does not use `path` or `include_tests`
    and one of them is given, raise QueryError: the agent would believe that the list is limited.
    """
    taken = _limiting_parameters(request.mode)
    filters = {"path": any(path), "include_tests": request.include_tests != "include"}
    for name, is_given in filters.items():
        if is_given and name not in taken:
            called = "member" if name == "path" and request.member else name
            modes = (mode for mode in _REPORTS if name in _limiting_parameters(mode))
            raise QueryError(
                f"`{called}` does not limit the mode `{request.mode}`: leave it out. It limits"
                f" {', '.join((*modes, *_SEARCHES))}."
            )
    rows = _SHORT_ROWS if request.mode == "implementers" else _ROWS
    limit = rows if request.limit is None else request.limit
    given = {"limit": limit, "path": path, "include_tests": request.include_tests}
    return {name: value for name, value in given.items() if name in taken}


def _limiting_parameters(mode: str) -> set[str]:
    """Return the names of the keyword-only parameters of a mode's request.

    The other parameters of the request are its subject.
    """
    parameters = parameters_of(_REPORTS[mode])
    return {name for name, parameter in parameters.items() if parameter.keyword_only}


_REPORTS: Mapping[str, type[Request]] = {
    "definition": LookupRequest,
    "callers": CallersRequest,
    "callees": CalleesRequest,
    "implementers": ImplementersRequest,
    "tests": RelatedTestsRequest,
    "impact": ImpactRequest,
    "context": ContextRequest,
    "signature": SignaturesRequest,
    "type_uses": TypeFlowRequest,
    "imports": ImportsRequest,
    "unused": UnusedRequest,
    "diff": ForDiffRequest,
}
"""For each mode, the request for a name."""
_SEARCHES = ("flow", "similar")
"""Modes that are answered by a search."""


def _search(
    server: RepositoryServer,
    session: AgentSession,
    index: Index,
    name: str,
    request: FindSymbolRequest,
    path: tuple[str, ...],
) -> Reply[Any]:
    """Search for calls (mode `flow`), or for similar code (mode `similar`).

    `name` is `A -> B` for the calls that lead from A to B, or a place like `a.py:10`.
    """
    filters = make_filters(server, path, "", repo=index.repository.name)
    arguments: dict[str, Any] = {
        "filters": filters,
        "tests": request.include_tests,
        "limit": _ROWS if request.limit is None else request.limit,
        "budget": SEARCH_BUDGET,
        "sent_as": session.sent_as,
    }
    if request.mode == "similar":
        return AnswerReply(index.similar(name, **arguments))
    start, arrow, goal = (part.strip() for part in name.partition("->"))
    if not (arrow and start and goal):
        raise QueryError(f"{name!r} does not name two symbols: write it as A -> B.")
    for end in (start, goal):
        index.symbols.explain(end)  # QueryError with similar names if it does not exist
    query = f"data flow from {start} to {goal}"
    return AnswerReply(index.search(query, **arguments))
