"""Define the request for every line that matches a text or pattern: `Index.exact`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Literal

from codeindex.api.requests.base import NumberBounds, Request, TextKind
from codeindex.api.requests.fields import CursorParameter
from codeindex.types import Filters, TestScope

LineCountParameter = Annotated[int, NumberBounds(0, advice="use a whole number, 0 for none")]


@dataclass(frozen=True, slots=True)
class GrepRequest(Request, capability="exact.grep"):
    """Return every line that contains or matches one of the texts of `query`, and counts.

    Nothing is ranked or left out: `limit` (lines in all) and `per_file` cut the list, never the
    counts; with `symbols`, a list that is whole with an eighth more lines is shown whole. Mode
    `regex` takes Python's patterns. Mode `ast` takes code with metavariables, such as `open($A)`:
    `$A` matches one part, `$$$A` any number of parts, and equal names match equal text. A line
    counts if a match begins there; without `languages`, each one in which the pattern parses is
    searched. Changed files are read first; text is redacted before it is searched. With `spans`,
    each line has the positions of its matches. Files are sorted by path; with `likely_first`, code
    that other code uses comes first, tests last. With `symbols`, each line names the innermost
    function, type or section around it. With `parted`, the result of mode `exact` has the places
    where code splits a single text over literals, if no line of code has it, and where YAML and
    JSON nest the keys of a name with dots. If the text is in no code, but translations or resources
    have it, the result has the lines that use its key. QueryError for a pattern that cannot be
    read, or that takes longer than `search.exact.matchers.MOST_SECONDS`.
    """

    query: Annotated[str | Sequence[str], TextKind.PROSE]
    _: KW_ONLY
    mode: Literal["exact", "regex", "ast"] = "exact"
    case: Literal["exact", "ignore", "smart"] = "exact"
    whole_words: bool = False
    filters: Filters | None = None
    tests: TestScope = "include"
    before: LineCountParameter = 0
    after: LineCountParameter = 0
    limit: LineCountParameter = 0
    per_file: LineCountParameter = 0
    cursor: CursorParameter = ""
    spans: bool = False
    likely_first: bool = False
    symbols: bool = False
    parted: bool = False
