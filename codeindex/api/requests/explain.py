"""Define the requests that explain the results of a search: `Index.explain`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated

from codeindex.api.requests.base import NumberBounds, Request, TextKind
from codeindex.api.requests.fields import (
    LIMIT_HELP,
    IncludeTestsParameter,
    LanguageParameter,
    LimitParameter,
    PathParameter,
    QueryParameter,
    SubjectParameter,
)


@dataclass(frozen=True, slots=True)
class ExplainSearchRequest(Request, capability="explain.search"):
    """Explain the best results for QUERY: route, and each signal x weight; at most 20."""

    query: QueryParameter
    _: KW_ONLY
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 20)] = 5
    path: PathParameter = ""


@dataclass(frozen=True, slots=True)
class WhyNotRequest(Request, capability="explain.why_not"):
    """Explain why SUBJECT (a path, PATH:LINE or symbol) is not among the results for QUERY.

    The answer names the rule that excludes it, or its rank and every signal beside those of the
    hit in its place. Without QUERY: whether it is indexed, and if not, why.
    """

    subject: SubjectParameter
    query: Annotated[str | None, TextKind.QUERY, "What to find."] = None
    _: KW_ONLY
    limit: LimitParameter = 10
    path: PathParameter = ""
    language: LanguageParameter = ""
    include_tests: IncludeTestsParameter = "include"
