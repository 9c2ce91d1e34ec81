"""Define the annotated types that parameters of several requests share, with help texts."""

from __future__ import annotations

from typing import Annotated

from codeindex.api.requests.base import NumberBounds, TextKind
from codeindex.query.validation import MOST_RESULTS, MOST_TOKENS
from codeindex.types import Filters, TestScope

SymbolParameter = Annotated[str, "A symbol: `name`, `Owner.name` or `path::Owner.name`."]
SubjectParameter = Annotated[
    str, "A file's path, or a symbol: `name`, `Owner.name` or `path::Owner.name`."
]
NameParameter = Annotated[str, "A name, or a part of it."]
TypeNameParameter = Annotated[str, "A type's name."]
PathParameter = Annotated[str, "A file or folder, relative to the root."]
WithinParameter = Annotated[str | tuple[str, ...], "Files or folders, relative to the root."]
"""Places that limit a list; requests hold a tuple."""
PathsParameter = Annotated[tuple[str, ...], "Files, relative to the root."]
PlaceParameter = Annotated[str, "PATH:LINE."]
GlobParameter = Annotated[str, "A gitignore pattern that files match."]
LanguageParameter = Annotated[str, "Only this language."]
IncludeTestsParameter = Annotated[TestScope, "Include tests, exclude them, or only tests."]
StartLineParameter = Annotated[int, "First line to read, from 1; 0 for the start."]
EndLineParameter = Annotated[int, "Last line to read; 0 for the end."]
QueryParameter = Annotated[str, TextKind.QUERY, "What to find."]
CursorParameter = Annotated[
    str, TextKind.CURSOR, "Cursor of the previous answer, for the next page."
]
MinScoreParameter = Annotated[
    float,
    NumberBounds(0, 1, "use a number from 0 to 1"),
    "Leave out results below this score, 0 to 1.",
]
BudgetParameter = Annotated[
    int,
    NumberBounds(0, MOST_TOKENS, f"use a whole number to {MOST_TOKENS}, 0 for no limit"),
    "Most tokens of the answer.",
]
LimitParameter = Annotated[int, NumberBounds(1, MOST_RESULTS), "Most results."]
OptionalFilters = Filters | None
LIMIT_HELP = "Most results."
"""Help of each parameter `limit`; its bounds differ between requests."""
