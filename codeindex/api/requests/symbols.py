"""Define the requests that find declarations by name or signature: `Index.symbols`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated

from codeindex.api.requests.base import NumberBounds, Request
from codeindex.api.requests.fields import (
    LIMIT_HELP,
    IncludeTestsParameter,
    NameParameter,
    QueryParameter,
    WithinParameter,
)


@dataclass(frozen=True, slots=True)
class LookupRequest(Request, capability="symbols.lookup"):
    """Find declarations whose name contains NAME, in any case: exact ones first; at most 200."""

    name: NameParameter
    _: KW_ONLY
    path: WithinParameter = ()
    include_tests: IncludeTestsParameter = "include"
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 200)] = 50


@dataclass(frozen=True, slots=True)
class SignaturesRequest(Request, capability="symbols.signatures"):
    """Find functions whose signature contains QUERY, at most 100; write `--` before `-> T`."""

    query: QueryParameter
    _: KW_ONLY
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 100)] = 20


@dataclass(frozen=True, slots=True)
class ExplainSymbolRequest(Request, capability="symbols.explain"):
    """Explain how to use NAME: its signature, documentation, members, bases and uses."""

    name: NameParameter
