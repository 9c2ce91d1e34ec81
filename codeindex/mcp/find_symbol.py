"""Answer the tool `find_symbol` with the definitions of a symbol or its relations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codeindex.api.cross_repository import add_callers_elsewhere, add_impact_elsewhere
from codeindex.api.requests import Request
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
from codeindex.mcp.multi_call import answer_each
from codeindex.mcp.reply import AnswerReply, Reply, ReportReply
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import SEARCH_BUDGET, FindSymbolRequest
from codeindex.mcp.search_code import make_filters
from codeindex.mcp.session import AgentSession
from codeindex.types import TestScope

if TYPE_CHECKING:
    from codeindex.analysis.change.diff_impact import DiffImpact
    from codeindex.analysis.change.related_files import RelatedFiles
    from codeindex.analysis.outline.lookup import DeclarationMatches
    from codeindex.analysis.relations.callees import Callees
    from codeindex.analysis.relations.callers import Callers
    from codeindex.analysis.relations.impact import Impact
    from codeindex.analysis.relations.implementers import Implementers
    from codeindex.analysis.relations.imports import Imports
    from codeindex.analysis.relations.related_tests import RelatedTests
    from codeindex.analysis.relations.type_flow import TypeFlow
    from codeindex.analysis.relations.unused import UnusedSymbols
    from codeindex.api.index import Index
    from codeindex.types import AnswerDict

_MAX_NAMES = 20
"""Most names in one call: more answers do not fit into `output_limits.MAX_CHARACTERS`."""


@dataclass(frozen=True, slots=True)
class _ListOptions:
    """What limits a list of results: a number, folders or files, and whether it has tests."""

    limit: int
    path: tuple[str, ...]
    tests: TestScope


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
        raise QueryError("Nothing is named: give symbols, like Cart.add or shop/cart.py::add.")
    if len(names) > _MAX_NAMES:
        raise QueryError(f"{len(names)} are named: ask for {_MAX_NAMES} at once at most.")
    index = server.index(request.repo)
    path = server.scoped_paths(request.repo, request.path, request.member)
    options = _ListOptions(request.limit, path, request.include_tests)
    if mode in _SEARCHES:
        return answer_each(names, lambda name: _search(server, session, index, name, mode, options))
    request_for = _REPORTS[mode]

    others = server.other_indexes(index)

    def reply(name: str) -> ReportReply:
        report = index.run(request_for(name, options))
        if add_uses := _ELSEWHERE.get(mode) if others else None:
            report = add_uses(index, report, others)
        return ReportReply(report, {"name": name})

    return answer_each(names, reply)


def _filter_arguments(options: _ListOptions) -> dict[str, Any]:
    return {"limit": options.limit, "path": options.path, "include_tests": options.tests}


_REPORTS: Mapping[str, Callable[[str, _ListOptions], Request]] = {
    "definition": lambda name, options: LookupRequest(name, **_filter_arguments(options)),
    "callers": lambda name, options: CallersRequest(name, **_filter_arguments(options)),
    "callees": lambda name, options: CalleesRequest(name, limit=options.limit),
    "implementers": lambda name, options: ImplementersRequest(name, **_filter_arguments(options)),
    "tests": lambda name, options: RelatedTestsRequest(
        name, path=options.path, limit=options.limit
    ),
    "impact": lambda name, options: ImpactRequest(name, limit=options.limit),
    "context": lambda name, options: ContextRequest(name, limit=options.limit),
    "signature": lambda name, options: SignaturesRequest(name, limit=options.limit),
    "type_uses": lambda name, options: TypeFlowRequest(
        name, path=options.path, limit=options.limit
    ),
    "imports": lambda name, _: ImportsRequest(name),
    "unused": lambda name, options: UnusedRequest(name, limit=options.limit),
    "diff": lambda name, options: ForDiffRequest(name, limit=options.limit),
}
"""For each mode, a function that makes the request for a name."""
_ELSEWHERE: Mapping[str, Callable[[Index, Any, Sequence[Index]], Any]] = {
    "callers": add_callers_elsewhere,
    "impact": add_impact_elsewhere,
}
"""For some modes, a function that adds the uses in the server's other repositories."""
_SEARCHES = frozenset({"flow", "similar"})
"""Modes that are answered by a search."""


def _search(
    server: RepositoryServer,
    session: AgentSession,
    index: Index,
    name: str,
    mode: str,
    options: _ListOptions,
) -> Reply[Any]:
    """Search for calls (mode `flow`), or for similar code (mode `similar`).

    `name` is `A -> B` for the calls that lead from A to B, or a place like `a.py:10`.
    """
    filters = make_filters(server, options.path, "", repo=index.repository.name)
    arguments: dict[str, Any] = {
        "filters": filters,
        "tests": options.tests,
        "limit": options.limit,
        "budget": SEARCH_BUDGET,
        "sent_as": session.sent_as,
    }
    if mode == "similar":
        return AnswerReply(index.similar(name, **arguments))
    start, arrow, goal = (part.strip() for part in name.partition("->"))
    if not (arrow and start and goal):
        raise QueryError(f"{name!r} is no way from one symbol to another: write it as A -> B.")
    for end in (start, goal):
        index.symbols.explain(end)  # QueryError with similar names if it does not exist
    query = f"data flow from {start} to {goal}"
    return AnswerReply(index.search(query, **arguments))
