"""Requests about why a search answered as it did: `Index.explain`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated

from codeindex.api.requests.base import Bounds, Request
from codeindex.api.requests.fields import (
    RESULTS,
    IncludeTests,
    Language,
    Path,
    Query,
    ResultLimit,
    Subject,
)


@dataclass(frozen=True, slots=True)
class ExplainSearchRequest(Request, capability="explain.search"):
    """Explain the best results for QUERY: route, and each signal x weight; at most 20."""

    query: Query
    _: KW_ONLY
    limit: Annotated[int, RESULTS, Bounds(1, 20)] = 5
    path: Path = ""


@dataclass(frozen=True, slots=True)
class WhyNotRequest(Request, capability="explain.why_not"):
    """Explain why SUBJECT (a path, PATH:LINE or symbol) is not among the results for QUERY.

    The answer names the rule that excludes it, or its rank and every signal beside those of the
    hit in its place.
    """

    subject: Subject
    query: Query
    _: KW_ONLY
    limit: ResultLimit = 10
    path: Path = ""
    language: Language = ""
    include_tests: IncludeTests = "include"
