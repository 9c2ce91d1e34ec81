"""The request for every line that matches: `Index.exact`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Literal

from codeindex.api.requests.base import Bounds, Request, Text
from codeindex.api.requests.fields import Cursor
from codeindex.types import Filters, TestScope

Count = Annotated[int, Bounds(0, advice="use a whole number, 0 for none")]


@dataclass(frozen=True, slots=True)
class GrepRequest(Request, capability="exact.grep"):
    """Return every line with one of the texts of `query`, or with a match of one, and counts.

    Nothing is ranked or left out: a `limit` of lines in all, or `per_file`, cuts the list,
    never the counts. In mode `regex` they are Python's. What changed is read first; text is
    redacted before it is looked through. With `spans`, each line says where it matches.
    Files come by their paths, or `likely_first`: code that others use, tests last.
    With `symbols`, each line names the innermost function, type or section around it.
    QueryError for a pattern that cannot be read, or that takes longer than
    `search.exact.matchers.MOST_SECONDS`.
    """

    query: Annotated[str | Sequence[str], Text.PROSE]
    _: KW_ONLY
    mode: Literal["exact", "regex"] = "exact"
    case: Literal["exact", "ignore", "smart"] = "exact"
    whole_words: bool = False
    filters: Filters | None = None
    tests: TestScope = "include"
    before: Count = 0
    after: Count = 0
    limit: Count = 0
    per_file: Count = 0
    cursor: Cursor = ""
    spans: bool = False
    likely_first: bool = False
    symbols: bool = False
