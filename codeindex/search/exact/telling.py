"""Order matching lines by kind: definitions, assignments, conditions, other uses, comments.

A list that must be cut keeps the first lines of this order, and counts the others by kind.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import FileTraits
from codeindex.store.symbols.nodes import definition_lines
from codeindex.text.control_lines import CONTROL, JUMP
from codeindex.types import SafeText

_COMMENT = re.compile(r"\s*(?:/?\*|//|--|;|#(?!\w))")
_IMPORT = re.compile(r"\s*(?:import|from|using|use|require|alias|include|#\s*include|open)\b")
_ASSIGNMENT = re.compile(r"[\w\])>?\"']\s*(?:[-+*/%&|^?:]|<<|>>|\|\||&&|\?\?)?=(?![=>~])|:=|<-\s")
_COMPARISON = re.compile(r"[=!]==?|&&|\|\||\b(?:and|or|not|is|in)\b|\s[<>]=?\s|\?\s.*:")

_MOST_CHARACTERS = 500
"""Characters of a line that are read. Longer lines are rare in code, and the time that
`_COMPARISON` takes grows with the square of their length."""


class LineKind(IntEnum):
    """The kind of a matching line; kinds that tell readers more have lower values."""

    DEFINITION = 0
    ASSIGNMENT = 1
    CONDITION = 2
    OTHER = 3
    COMMENT = 4
    """A comment or an import."""


_NAMES: Mapping[LineKind, tuple[str, str]] = {
    LineKind.DEFINITION: ("definition", "definitions"),
    LineKind.ASSIGNMENT: ("assignment", "assignments"),
    LineKind.CONDITION: ("condition", "conditions"),
    LineKind.OTHER: ("other use", "other uses"),
    LineKind.COMMENT: ("comment or import", "comments and imports"),
}
"""Names of one line, and of several lines of each kind."""


def line_kind(text: str, *, defines: bool) -> LineKind:
    """Return the kind of a line; `defines` is true if a symbol's definition begins in the line.

    Only the first characters of a very long line are read.
    """
    text = text[:_MOST_CHARACTERS]
    if _COMMENT.match(text) or _IMPORT.match(text):
        return LineKind.COMMENT
    if defines:
        return LineKind.DEFINITION
    if CONTROL.match(text):
        return LineKind.CONDITION
    if _ASSIGNMENT.search(text):
        return LineKind.ASSIGNMENT
    if JUMP.match(text) or _COMPARISON.search(text):
        return LineKind.CONDITION
    return LineKind.OTHER


Place = tuple[str, int]
"""The path of a file, and the number of a line."""


def order_by_kind(
    connection: sqlite3.Connection,
    lines: Sequence[tuple[Place, SafeText]],
    traits: Mapping[str, FileTraits],
) -> list[tuple[int, LineKind]]:
    """Return (index in `lines`, kind) for each line, in the order of the kinds.

    Lines of code come first, then lines of other files, then lines of tests. Lines of one kind
    keep their order.
    """
    defining = definition_lines(connection, {path for (path, _), _ in lines})
    kinds = [
        line_kind(text, defines=place[1] in defining.get(place[0], ())) for place, text in lines
    ]

    def worth(at: int) -> tuple[int, bool, LineKind]:
        own = traits.get(lines[at][0][0])
        return (own.is_test, not LANGUAGES[own.language].symbols, kinds[at]) if own else _LAST

    return [(at, kinds[at]) for at in sorted(range(len(lines)), key=worth)]


_LAST = (2, True, LineKind.COMMENT)
"""The order of files that are not in the catalog."""


def count_kinds(kinds: Iterable[LineKind]) -> str:
    """Return how many lines there are of each kind: "2 conditions, 7 other uses"."""
    counts = Counter(kinds)
    return ", ".join(
        f"{counts[kind]:,} {_NAMES[kind][counts[kind] > 1]}" for kind in LineKind if counts[kind]
    )
