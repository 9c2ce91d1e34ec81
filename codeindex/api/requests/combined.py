"""Define the requests that combine several queries in one call: `Index.combined`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Literal

from codeindex.api.requests.base import NumberBounds, Request
from codeindex.api.requests.fields import LIMIT_HELP, BudgetParameter, PathParameter, QueryParameter
from codeindex.types import AgentFormat


@dataclass(frozen=True, slots=True)
class ExploreRequest(Request, capability="combined.explore"):
    """Answer QUERY in one call: the code of the best functions and of those they call, and tests.

    Of long functions, the lines around words of QUERY are shown. A `budget` of 0 tokens means no
    limit.
    """

    query: QueryParameter
    path: PathParameter = ""
    _: KW_ONLY
    budget: BudgetParameter = 2_500
    sent_as: Annotated[AgentFormat, "The form whose tokens the budget counts."] = "text"


@dataclass(frozen=True, slots=True)
class SearchRelevantRequest(Request, capability="combined.search_relevant"):
    """List where to look for QUERY, without the code: places, names, signatures; at most 50."""

    query: QueryParameter
    _: KW_ONLY
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 50)] = 20


@dataclass(frozen=True, slots=True)
class FindRequest(Request, capability="combined.find"):
    """Find places by meaning, or a symbol's declarations, callers, callees or implementations.

    Mode `signature` takes a part of a signature, or types: `Locks -> Diagnostics`.
    """

    query: QueryParameter
    _: KW_ONLY
    mode: Annotated[
        Literal["relevant", "symbol", "callers", "callees", "implementers", "signature"],
        "How to search, or what to find.",
    ] = "relevant"
    limit: Annotated[int, LIMIT_HELP] = 20


@dataclass(frozen=True, slots=True)
class SummarizeRequest(Request, capability="combined.summarize"):
    """Summarize PATH: a file, a folder, a glob of files, or a symbol; the repository if none."""

    path: PathParameter = ""
    _: KW_ONLY
    scope: Annotated[Literal["all", "public"], "All, or only the public API."] = "all"
