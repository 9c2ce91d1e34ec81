"""The tool `find_symbol`: where a symbol is, and what is linked with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from codeindex.errors import QueryError
from codeindex.mcp.multi_call import several
from codeindex.mcp.reply import AnswerReply, Reply, ReportReply
from codeindex.mcp.repositories import Served
from codeindex.mcp.search_code import BUDGET, filters_of
from codeindex.mcp.session import Session
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
    from codeindex.types.report import Report

_MOST = 20
"""Names of one call: more would not fit into an answer."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What limits a listing: results, a folder or file, and whether tests are in it."""

    limit: int
    path: str
    tests: TestScope


def find_symbol(  # noqa: PLR0913 (what the tool takes)
    served: Served,
    session: Session,
    names: tuple[str, ...],
    *,
    mode: Literal[
        "definition",
        "callers",
        "callees",
        "implementers",
        "tests",
        "impact",
        "context",
        "flow",
        "signature",
        "type_uses",
        "imports",
        "similar",
        "unused",
        "diff",
    ] = "definition",
    path: str = "",
    include_tests: Literal["include", "exclude", "only"] = "include",
    limit: int = 20,
    repo: str = "",
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
    """Find symbols by a name or part of one, and what is linked with them.

    Modes: `definition`; `callers`, `callees`, `implementers`, `tests` of a symbol; `impact` of
    changing it; `context`: what else to read or change with a symbol or file; `flow`: calls from
    "A -> B"; `signature`: "Cart -> Price"; `type_uses`; `imports` of a file; `similar` to a.py:10;
    `unused` below a folder; what else a `diff` needs (HEAD, old..new).
    """
    if not names:
        raise QueryError("Nothing is named: give symbols, like Cart.add or shop/cart.py::add.")
    if len(names) > _MOST:
        raise QueryError(f"{len(names)} are named: ask for {_MOST} at once at most.")
    index, listing = served.index(repo), Listing(limit, path, include_tests)
    if mode in _SEARCHES:
        return several(names, lambda one: _searched(served, session, index, one, mode, listing))
    ask = _REPORTS[mode]
    return several(names, lambda one: ReportReply(ask(index, one, listing), {"name": one}))


def _definition(index: Index, name: str, listing: Listing) -> Report:
    return index.lookup(name, limit=listing.limit, path=listing.path, include_tests=listing.tests)


def _callers(index: Index, name: str, listing: Listing) -> Report:
    return index.callers(name, limit=listing.limit, path=listing.path, include_tests=listing.tests)


def _implementers(index: Index, name: str, listing: Listing) -> Report:
    return index.implementers(
        name, limit=listing.limit, path=listing.path, include_tests=listing.tests
    )


_REPORTS: Mapping[str, Callable[[Index, str, Listing], Report]] = {
    "definition": _definition,
    "callers": _callers,
    "callees": lambda index, name, one: index.callees(name, limit=one.limit),
    "implementers": _implementers,
    "tests": lambda index, name, one: index.related_tests(name, path=one.path, limit=one.limit),
    "impact": lambda index, name, one: index.impact(name, limit=one.limit),
    "context": lambda index, name, one: index.context(name, limit=one.limit),
    "signature": lambda index, name, one: index.signatures(name, limit=one.limit),
    "type_uses": lambda index, name, one: index.type_flow(name, path=one.path, limit=one.limit),
    "imports": lambda index, name, _: index.imports(name),
    "unused": lambda index, name, one: index.unused(name, limit=one.limit),
    "diff": lambda index, name, one: index.for_diff(name, limit=one.limit),
}
"""What answers each mode, of an index, a name and what limits the listing."""
_SEARCHES = frozenset({"flow", "similar"})
"""Modes whose answer is one of a search."""


def _searched(
    served: Served, session: Session, index: Index, name: str, mode: str, listing: Listing
) -> Reply[Any]:
    """Answer by a route of the search: steps from A to B, or code that is like a place."""
    filters = filters_of(served, listing.path, "", repo=index.repository.name)
    page: dict[str, Any] = {
        "filters": filters,
        "tests": listing.tests,
        "limit": listing.limit,
        "budget": BUDGET,
        "sent_as": session.sent_as,
    }
    if mode == "similar":
        return AnswerReply(index.similar(name, **page))
    start, arrow, goal = (part.strip() for part in name.partition("->"))
    if not (arrow and start and goal):
        raise QueryError(f"{name!r} is no way from one symbol to another: write it as A -> B.")
    for end in (start, goal):
        index.explain_symbol(end)  # QueryError with the nearest names where there is none
    query = f"data flow from {start} to {goal}"
    return AnswerReply(index.search(query, **page))
