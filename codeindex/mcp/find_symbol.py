"""The tool `find_symbol`: where a symbol is, and what is linked with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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

_MOST = 20
"""Names of one call: more would not fit into an answer."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What limits a listing: results, a folder or file, and whether tests are in it."""

    limit: int
    path: str
    tests: TestScope


def find_symbol(
    served: RepositoryServer, session: AgentSession, request: FindSymbolRequest
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
    if len(names) > _MOST:
        raise QueryError(f"{len(names)} are named: ask for {_MOST} at once at most.")
    index = served.index(request.repo)
    listing = Listing(request.limit, request.path, request.include_tests)
    if mode in _SEARCHES:
        return answer_each(
            names, lambda name: _searched(served, session, index, name, mode, listing)
        )
    request_for = _REPORTS[mode]

    def reply(name: str) -> ReportReply:
        return ReportReply(index.run(request_for(name, listing)), {"name": name})

    return answer_each(names, reply)


def _filtered(listing: Listing) -> dict[str, Any]:
    return {"limit": listing.limit, "path": listing.path, "include_tests": listing.tests}


_REPORTS: Mapping[str, Callable[[str, Listing], Request]] = {
    "definition": lambda name, listing: LookupRequest(name, **_filtered(listing)),
    "callers": lambda name, listing: CallersRequest(name, **_filtered(listing)),
    "callees": lambda name, listing: CalleesRequest(name, limit=listing.limit),
    "implementers": lambda name, listing: ImplementersRequest(name, **_filtered(listing)),
    "tests": lambda name, listing: RelatedTestsRequest(
        name, path=listing.path, limit=listing.limit
    ),
    "impact": lambda name, listing: ImpactRequest(name, limit=listing.limit),
    "context": lambda name, listing: ContextRequest(name, limit=listing.limit),
    "signature": lambda name, listing: SignaturesRequest(name, limit=listing.limit),
    "type_uses": lambda name, listing: TypeFlowRequest(
        name, path=listing.path, limit=listing.limit
    ),
    "imports": lambda name, _: ImportsRequest(name),
    "unused": lambda name, listing: UnusedRequest(name, limit=listing.limit),
    "diff": lambda name, listing: ForDiffRequest(name, limit=listing.limit),
}
"""The request of each mode, for a name and what limits the listing."""
_SEARCHES = frozenset({"flow", "similar"})
"""Modes whose answer is one of a search."""


def _searched(
    served: RepositoryServer,
    session: AgentSession,
    index: Index,
    name: str,
    mode: str,
    listing: Listing,
) -> Reply[Any]:
    """Answer by a route of the search: steps from A to B, or code that is like a place."""
    filters = make_filters(served, listing.path, "", repo=index.repository.name)
    page: dict[str, Any] = {
        "filters": filters,
        "tests": listing.tests,
        "limit": listing.limit,
        "budget": SEARCH_BUDGET,
        "sent_as": session.sent_as,
    }
    if mode == "similar":
        return AnswerReply(index.similar(name, **page))
    start, arrow, goal = (part.strip() for part in name.partition("->"))
    if not (arrow and start and goal):
        raise QueryError(f"{name!r} is no way from one symbol to another: write it as A -> B.")
    for end in (start, goal):
        index.symbols.explain(end)  # QueryError with the nearest names where there is none
    query = f"data flow from {start} to {goal}"
    return AnswerReply(index.search(query, **page))
