"""Annotated types of parameters that several requests share, with their help texts."""

from __future__ import annotations

from typing import Annotated

from codeindex.api.requests.base import Bounds, Text
from codeindex.query.validation import MOST_RESULTS, MOST_TOKENS
from codeindex.types import Filters, TestScope

SymbolName = Annotated[str, "A symbol: `name`, `Owner.name` or `path::Owner.name`."]
Subject = Annotated[str, "A file's path, or a symbol: `name`, `Owner.name` or `path::Owner.name`."]
Name = Annotated[str, "A name, or a part of it."]
TypeName = Annotated[str, "A type's name."]
Path = Annotated[str, "A file or folder, relative to the root."]
Paths = Annotated[tuple[str, ...], "Files, relative to the root."]
Place = Annotated[str, "PATH:LINE."]
Glob = Annotated[str, "A gitignore pattern that files match."]
Language = Annotated[str, "Only this language."]
IncludeTests = Annotated[TestScope, "Include tests, exclude them, or only tests."]
StartLine = Annotated[int, "First line to read, counted from 1."]
EndLine = Annotated[int, "Last line to read; 0 for the end."]
Query = Annotated[str, Text.QUERY, "What to find."]
Cursor = Annotated[str, Text.PROSE, "Cursor of the previous answer, for the next page."]
MinScore = Annotated[
    float, Bounds(0, 1, "use a number from 0 to 1"), "Leave out results below this score, 0 to 1."
]
TokenBudget = Annotated[
    int,
    Bounds(0, MOST_TOKENS, f"use a whole number to {MOST_TOKENS}, 0 for no limit"),
    "Most tokens of the answer.",
]
ResultLimit = Annotated[int, Bounds(1, MOST_RESULTS), "Most results."]
OptionalFilters = Filters | None
RESULTS = "Most results."
"""Help of `limit`, whose bounds differ."""
