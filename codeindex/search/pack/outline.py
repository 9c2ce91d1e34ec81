"""A hit in outline: what it defines, and where the words of the question stand in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from codeindex.text.words import stemmed_words
from codeindex.types import Hit, SafeText

_DEFINITIONS = 12
"""Definitions that an outline names; a class of fifty methods is for reading."""
_NEAR = 8
"""Lines around a definition in which its description may begin."""
_SAID = 3
"""Lines with words of the question."""
_BEFORE, _AFTER = 2, 5
"""Lines round the one that says a name: a call with its arguments and what becomes of it."""
_WIDTH = 160
"""Characters of a line; what is longer is data, or more than an outline says."""
_DOC = 24
"""Characters that tell the line a description begins in: the catalog has it without line ends."""
_NAMELESS = "('field', 'enum_member', 'variable', 'section', 'test')"
"""Kinds that outlines leave to the lines around them."""


def hit_outline(connection: sqlite3.Connection, hit: Hit) -> dict[int, str]:
    """Return what a hit defines by line: signatures, and the first lines of descriptions."""
    rows = connection.execute(
        "SELECT s.line, s.signature, s.doc FROM symbols s JOIN files f ON f.id = s.file_id"  # noqa: S608 (constant)
        f" WHERE f.path = ? AND s.line BETWEEN ? AND ? AND s.kind NOT IN {_NAMELESS}"
        " ORDER BY s.number LIMIT ?",
        (hit.path, hit.start_line, hit.end_line, _DEFINITIONS),
    )
    lines = dict(enumerate(hit.lines, hit.start_line))
    found: dict[int, str] = {}
    for line, signature, doc in rows:
        if line in lines:
            found[line] = _whole(lines[line], signature)
            for near in _described(lines, line, doc):
                found.setdefault(near, lines[near])
    return found


def _whole(line: str, signature: str) -> str:
    """Return the line, or the signature in its place if that goes on below."""
    is_open = sum((one in "([") - (one in ")]") for one in line) > 0
    return line[: _indent(line)] + signature if is_open and signature else line


def _described(lines: Mapping[int, str], line: int, doc: str) -> list[int]:
    """Return the line where a description begins, after its definition or else before it."""
    near = [*range(line, line + _NEAR), *range(line - 1, line - _NEAR, -1)] if doc else []
    return [one for one in near if doc[:_DOC] in lines.get(one, "")][:1]


def hit_skeleton(
    hit: Hit, outlined: Mapping[int, str], terms: frozenset[str], names: Sequence[str] = ()
) -> SafeText:
    """Return the lines round the first that most names of the question stand in, numbered.

    Where none does, that is the outline and the lines that most of the terms meet in.
    """
    lines = dict(enumerate(hit.lines, hit.start_line))
    chosen = _around(lines, outlined, names) or _telling(lines, terms) | dict(outlined)
    if hit.signature:
        chosen = {hit.line: hit.signature} | chosen
    shown = sorted(chosen.items()) or [(hit.start_line, hit.lines[0])]
    indent = min((_indent(line) for _, line in shown if line.strip()), default=0)
    texts = [f"{number}:{_cut(line[indent:])}" for number, line in shown]
    if shown[-1][0] < hit.end_line:
        texts.append(f"… to line {hit.end_line}")
    return SafeText("\n".join(texts))


def _telling(lines: Mapping[int, str], terms: frozenset[str]) -> dict[int, str]:
    counts = {
        number: len(terms.intersection(stemmed_words(line))) for number, line in lines.items()
    }
    telling = sorted((-count, number) for number, count in counts.items() if count)[:_SAID]
    return {number: lines[number] for _, number in telling}


def _around(
    lines: Mapping[int, str], outlined: Mapping[int, str], names: Sequence[str]
) -> dict[int, str]:
    """Return the lines round the one with most names, after the definition that it is in."""
    counts = {
        number: sum(name in line for name in names) for number, line in lines.items() if names
    }
    at = max(counts, key=lambda number: (counts[number], -number), default=0)
    if not counts.get(at):
        return {}
    above = [number for number in outlined if number <= at][-1:]
    near = range(at - _BEFORE, at + _AFTER + 1)
    return {one: outlined[one] for one in above} | {one: lines[one] for one in near if one in lines}


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _cut(line: str) -> str:
    return line if len(line) <= _WIDTH else line[:_WIDTH] + "…"
