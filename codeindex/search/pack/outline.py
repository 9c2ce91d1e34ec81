"""Outline a hit: its definitions, and the lines that contain words of the question."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from codeindex.store.symbols.lookups import symbols_in_lines
from codeindex.text.indent import common_indentation, indentation
from codeindex.text.truncate import truncate
from codeindex.text.words import stemmed_words
from codeindex.types import Hit, SafeText

_MOST_DEFINITIONS = 12
"""Most definitions in an outline; a class with fifty methods must be read in full."""
_NOT_OUTLINED = frozenset({"field", "enum_member", "variable", "section", "test"})
"""Kinds of symbols that an outline leaves out."""
_NEAR = 8
"""Most lines between a definition and the beginning of its description."""
_MOST_TELLING = 3
"""Most lines that a skeleton shows because they contain words of the question."""
_BEFORE, _AFTER = 2, 5
"""Lines that are shown before and after a line with a name, so that a call is visible with its
arguments and the use of its result."""
_MOST_WIDTH = 160
"""Most characters of a line; longer lines are data, or too much for an outline."""
_DOC_START = 24
"""Number of initial characters by which a description is found; the catalog stores no line ends."""


def hit_outline(connection: sqlite3.Connection, hit: Hit) -> dict[int, str]:
    """Return {line: signature or first line of description} of the definitions in a hit."""
    inside = symbols_in_lines(connection, hit.path, hit.start_line, hit.end_line)
    symbols = [symbol for symbol in inside if symbol.kind not in _NOT_OUTLINED]
    lines = dict(enumerate(hit.lines, hit.start_line))
    outlined: dict[int, str] = {}
    for symbol in symbols[:_MOST_DEFINITIONS]:
        if symbol.line in lines:
            outlined[symbol.line] = _whole_signature(lines[symbol.line], symbol.signature)
            if described := _doc_line(lines, symbol.line, symbol.doc):
                outlined.setdefault(described, lines[described])
    return outlined


def _whole_signature(line: str, signature: str) -> str:
    """Return the line of a definition.

    If its brackets continue on further lines, return `signature` instead, with the same indent.
    """
    is_open = sum((char in "([") - (char in ")]") for char in line) > 0
    return line[: indentation(line)] + signature if is_open and signature else line


def _doc_line(lines: Mapping[int, str], line: int, doc: str) -> int:
    """Return the number of the line in which the description `doc` begins; 0 if it is not found.

    The lines after the definition at `line` are searched first, then those before it.
    """
    near = [*range(line, line + _NEAR), *range(line - 1, line - _NEAR, -1)] if doc else []
    return next((number for number in near if doc[:_DOC_START] in lines.get(number, "")), 0)


def hit_skeleton(
    hit: Hit, outlined: Mapping[int, str], terms: frozenset[str], names: Sequence[str] = ()
) -> SafeText:
    """Return the most telling lines of a hit, each as `number:text`.

    They are the lines around the one with the most of `names` (names of code in the question). If
    no line has a name, they are `outlined` (definitions by line number) and the three lines with
    the most `terms` (stemmed words of the question).
    """
    lines = dict(enumerate(hit.lines, hit.start_line))
    chosen = _around(lines, outlined, names) or _telling(lines, terms) | dict(outlined)
    if hit.signature:
        chosen = {hit.line: hit.signature} | chosen
    shown = sorted(chosen.items()) or [(hit.start_line, hit.lines[0])]
    indent = common_indentation(line for _, line in shown)
    texts = [f"{number}:{truncate(line[indent:], _MOST_WIDTH)}" for number, line in shown]
    if shown[-1][0] < hit.end_line:
        texts.append(f"… to line {hit.end_line}")
    return SafeText("\n".join(texts))


def _telling(lines: Mapping[int, str], terms: frozenset[str]) -> dict[int, str]:
    counts = {
        number: len(terms.intersection(stemmed_words(line))) for number, line in lines.items()
    }
    telling = sorted((-count, number) for number, count in counts.items() if count)[:_MOST_TELLING]
    return {number: lines[number] for _, number in telling}


def _around(
    lines: Mapping[int, str], outlined: Mapping[int, str], names: Sequence[str]
) -> dict[int, str]:
    """Return {number: line} around the line with the most names of the question.

    The definition above that line is included. Return {} if no line has a name.
    """
    counts = {
        number: sum(name in line for name in names) for number, line in lines.items() if names
    }
    at = max(counts, key=lambda number: (counts[number], -number), default=0)
    if not counts.get(at):
        return {}
    above = [number for number in outlined if number <= at][-1:]
    near = range(at - _BEFORE, at + _AFTER + 1)
    return {number: outlined[number] for number in above} | {
        number: lines[number] for number in near if number in lines
    }
