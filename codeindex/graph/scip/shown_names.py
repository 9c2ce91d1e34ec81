"""Compare the occurrences in a SCIP document with the text of its file.

SCIP has no digest of a file. A file that changed since the compiler read it is recognized by ranges
that are not whole words, or whose text is not the name of their symbol.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from codeindex.graph.scip.documents import UTF8, UTF16, Occurrence, ScipDocument
from codeindex.graph.scip.symbols import ScipName, parse_symbol
from codeindex.types import CONSTRUCTOR_NAMES

SCIP_CONSTRUCTOR_NAMES = CONSTRUCTOR_NAMES | {"<constructor>", "<init>", "new"}
_MAX_MISMATCHES = 0.1
"""Maximum share of definitions and local names that show another name. Indexers give some symbols
names that the code does not show: `expected0` for `expected`, `getName` for a field `name`."""
_ALIAS = re.compile(r"\b(\w+)\s+as\s+(\w+)")
_CALL = re.compile(r"\s*\(")
_MAX_CONVERTED = 10_000
"""Maximum length of lines with non-ASCII characters. Ranges in longer lines are not compared,
because each comparison takes time in proportion to the line."""
_QUOTES = "'\"`"
_MODULE_KINDS = {"namespace", ""}


class ShownOccurrence(NamedTuple):
    """An occurrence of a SCIP symbol whose word in the text fits the symbol.

    The word is the symbol's name, an alias of it, or its owner's name. `line` counts from 1.
    `called` is true if an opening parenthesis follows.
    """

    line: int
    text: str
    symbol: str
    name: ScipName
    is_definition: bool
    called: bool
    start: int = 0
    """The column; a name of a union type has several symbols in one place."""


def shown_occurrences(document: ScipDocument, text: str) -> list[ShownOccurrence] | None:
    """Return the occurrences whose words in the text fit their symbols.

    None if the text has changed since the index was written: then many words do not fit.
    Occurrences of local names, parameters and modules are compared but not returned, nor are names
    in closing tags of JSX, which repeat the opening tags. References are left out if the same word
    in their line is also something else, as in `self.size = size`.
    """
    lines = text.split("\n")
    aliases = frozenset(_ALIAS.findall(text))
    local_texts: dict[str, str] = {}
    shown: list[ShownOccurrence] = []
    mixed: set[tuple[int, str]] = set()
    compared = wrong = 0
    for occurrence in document.occurrences:
        span = _columns(lines, occurrence, document.encoding)
        if span is None or not _is_whole(lines[occurrence.line], *span):
            return None
        line = lines[occurrence.line]
        word = _plain(line[slice(*span)])
        name = _parsed(occurrence.symbol)
        if name.kind == "local":
            compared += 1
            wrong += local_texts.setdefault(occurrence.symbol, word) != word
            mixed.add((occurrence.line + 1, word))
            continue
        matches = _shows(word, name, aliases)
        if occurrence.is_definition and word and name.kind not in _MODULE_KINDS:
            compared += 1
            wrong += not matches
        if not matches or occurrence.is_definition or name.kind in {*_MODULE_KINDS, "parameter"}:
            mixed.add((occurrence.line + 1, word))
        is_closing = line[: span[0]].endswith("</")
        if matches and not is_closing and name.kind not in {*_MODULE_KINDS, "parameter"}:
            called = bool(_CALL.match(line, span[1]))
            shown.append(
                ShownOccurrence(
                    occurrence.line + 1,
                    word,
                    occurrence.symbol,
                    name,
                    occurrence.is_definition,
                    called,
                    span[0],
                )
            )
    if wrong > _MAX_MISMATCHES * compared:
        return None
    return [each for each in shown if each.is_definition or (each.line, each.text) not in mixed]


_parsed = lru_cache(maxsize=1 << 16)(parse_symbol)


def _columns(lines: Sequence[str], occurrence: Occurrence, encoding: int) -> tuple[int, int] | None:
    """Return (first, last + 1) of an occurrence's columns, counted in characters.

    Return None if it is outside of its line. `encoding` is the unit in which the index counts
    columns.
    """
    if occurrence.line >= len(lines) or occurrence.start > occurrence.end:
        return None
    line = lines[occurrence.line]
    start, end = occurrence.start, occurrence.end
    if not line.isascii():
        start, end = (_characters(line, units, encoding) for units in (start, end))
    return (start, end) if 0 <= start <= end <= len(line) else None


def _characters(line: str, units: int, encoding: int) -> int:
    """Convert a number of code units at a line's start to characters.

    Return -1 if the units end inside a character or after the end of the line.
    """
    if encoding not in {0, UTF8, UTF16}:
        return units
    codec, size = ("utf-8", 1) if encoding == UTF8 else ("utf-16-le", 2)
    raw = line.encode(codec) if len(line) <= _MAX_CONVERTED else b""
    if units * size > len(raw):
        return -1
    try:
        return len(raw[: units * size].decode(codec))
    except UnicodeDecodeError:
        return -1


def _is_whole(line: str, start: int, end: int) -> bool:
    """Tell whether a word begins at the column `start` and ends at `end`."""
    return not any(
        _is_word(line[at - 1 : at]) and _is_word(line[at : at + 1]) for at in {start, end}
    )


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _plain(word: str) -> str:
    """Return a name without quotes; for `name as new_name`, return `new_name`."""
    return word.rpartition(" as ")[2].strip().strip(_QUOTES)


def _shows(word: str, name: ScipName, aliases: frozenset[tuple[str, str]]) -> bool:
    if word == name.name or (name.name, word) in aliases:
        return True
    if name.name in SCIP_CONSTRUCTOR_NAMES:
        return word in SCIP_CONSTRUCTOR_NAMES or word == name.owner or (name.owner, word) in aliases
    numbered = name.kind == "meta" and bool(word) and name.name.startswith(word)
    return numbered and name.name[len(word) :].isdigit()


def package_of(symbol: str) -> str:
    """Return the package that a SCIP symbol names, without its version: `python click`."""
    return " ".join(symbol.split(" ", 3)[1:3])


def packages_of(symbols: Iterable[str]) -> Iterator[str]:
    """Yield the package of each SCIP symbol, like `python click`; local symbols have none."""
    return (package_of(symbol) for symbol in symbols if not symbol.startswith("local "))
