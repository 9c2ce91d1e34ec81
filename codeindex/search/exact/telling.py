"""Order matching lines by kind: definitions, assignments, conditions, other uses, then comments.

A list that must be cut keeps the first lines of this order, and counts the others by kind. Lines of
comments and documents, and imports of what their file uses, are background: a list with code leaves
them out if they are many.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import FileTraits
from codeindex.store.symbols.nodes import definition_lines
from codeindex.text.control_lines import CONTROL, JUMP
from codeindex.types import SafeText

_COMMENT = re.compile(r"\s*(?:/?\*|//|--|;|#(?!\w))")
_IMPORT = re.compile(
    r"\s*(?:import|from|using|use|require|alias|include|#\s*include|open)\b(?!\s*[(.=])"
)
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
    IMPORT = 4
    COMMENT = 5
    DOCUMENT = 6
    """A line of a document with headings, such as Markdown."""


_NAMES: Mapping[LineKind, tuple[str, str]] = {
    LineKind.DEFINITION: ("definition", "definitions"),
    LineKind.ASSIGNMENT: ("assignment", "assignments"),
    LineKind.CONDITION: ("condition", "conditions"),
    LineKind.OTHER: ("other use", "other uses"),
    LineKind.IMPORT: ("import", "imports"),
    LineKind.COMMENT: ("comment", "comments"),
    LineKind.DOCUMENT: ("line of documents", "lines of documents"),
}
"""Names of one line, and of several lines of each kind."""


_BEGINNINGS = {_COMMENT: LineKind.COMMENT, _IMPORT: LineKind.IMPORT}


def line_kind(text: str, *, defines: bool) -> LineKind:
    """Return the kind of a line; `defines` is true if a symbol's definition begins in the line.

    Only the first characters of a very long line are read.
    """
    text = text[:_MOST_CHARACTERS]
    for pattern, kind in _BEGINNINGS.items():
        if pattern.match(text):
            return kind
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


class RankedLine(NamedTuple):
    """The index of a matching line, its kind, and whether it is background."""

    at: int
    kind: LineKind
    is_background: bool


def order_by_kind(
    connection: sqlite3.Connection,
    lines: Sequence[tuple[Place, SafeText]],
    traits: Mapping[str, FileTraits],
) -> list[RankedLine]:
    """Return the lines in the order of their kinds, background last.

    Apart from background, lines of code come first, then lines of other files, of generated files
    and of tests. Lines of one kind keep their order.
    """
    defining = definition_lines(connection, {path for (path, _), _ in lines})
    kinds = [
        LineKind.DOCUMENT
        if path in traits and _is_document(traits[path].language)
        else line_kind(text, defines=number in defining.get(path, ()))
        for (path, number), text in lines
    ]
    using = {
        path for ((path, _), _), kind in zip(lines, kinds, strict=True) if kind < LineKind.IMPORT
    }
    ranked = [
        RankedLine(at, kind, kind > LineKind.IMPORT or (kind == LineKind.IMPORT and path in using))
        for at, (((path, _), _), kind) in enumerate(zip(lines, kinds, strict=True))
    ]

    def worth(line: RankedLine) -> tuple[bool, int, int, bool, LineKind]:
        own = traits.get(lines[line.at][0][0])
        if own is None:
            return _LAST
        is_code = bool(LANGUAGES[own.language].symbols)
        return line.is_background, own.is_test, own.is_generated, not is_code, line.kind

    return sorted(ranked, key=worth)


def _is_document(language: str) -> bool:
    """Tell whether files are prose; those of no known language, which may be code, are not."""
    return LANGUAGES[language].prose and bool(LANGUAGES[language].headings)


_LAST = (True, 2, 1, True, LineKind.DOCUMENT)
"""The order of files that are not in the catalog."""


def count_kinds(kinds: Iterable[LineKind]) -> str:
    """Return how many lines there are of each kind: "2 conditions, 7 other uses"."""
    counts = Counter(kinds)
    return ", ".join(
        f"{counts[kind]:,} {_NAMES[kind][counts[kind] > 1]}" for kind in LineKind if counts[kind]
    )
