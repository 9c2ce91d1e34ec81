"""Secrets in the tables of Markdown and reStructuredText, named by their row or their column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from codeindex.secrets import values
from codeindex.secrets._base import Detector, Span
from codeindex.secrets.names import ANY_KEY, KEY_NEEDLES, LOGIN, LOGIN_NEEDLES, TAIL
from codeindex.secrets.rows import FLAGS

_DECORATION = "`*\"' \t"
_PIPED = re.compile(r"(?<=\|)[^|\n]*(?=\|)")
_SPACED = re.compile(r"\S+(?: \S+)*")
_HEAD_RULER = re.compile(r"[ \t]*+(?:\|[ \t]*+:?-[|: \t-]*+|\+=[=+]*+)[ \t\r]*$", re.MULTILINE)
_GRID_RULER = re.compile(r"[ \t]*+\+=")
_RULER = re.compile(r"^[ \t]*+=++(?: ++=++)++[ \t\r]*$", re.ASCII | re.MULTILINE)
_RULER_NEEDLES = ("==  =", "== =")


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a cell is called that gives the cells beside or below it away, and how to judge them."""

    name: re.Pattern[str]
    judge: Callable[[str], bool]

    def columns(self, text: str, cells: list[Span]) -> list[int]:
        """Return which cells are called like a secret; blanks join words as dashes do."""
        names = (text[slice(*cell)].replace(" ", "_") for cell in cells)
        return [column for column, name in enumerate(names) if self.name.fullmatch(name)]

    def secrets(self, text: str, row: list[Span], columns: list[int]) -> Iterator[Span]:
        """Yield the cells of `columns` that hold a secret; all but the first if it names one."""
        wanted = range(1, len(row)) if 0 in self.columns(text, row[:1]) else columns
        return (
            row[column]
            for column in wanted
            if column < len(row) and self.judge(text[slice(*row[column])])
        )


def _cells(text: str, line: Span, split: re.Pattern[str]) -> list[Span]:
    cells = []
    for found in split.finditer(text, *line):
        start, body = found.start(), found[0].rstrip(_DECORATION)
        cells.append((start + len(body) - len(body.lstrip(_DECORATION)), start + len(body)))
    return cells


def _lines_below(text: str, position: int) -> Iterator[Span]:
    """Yield the lines below the one that `position` is in."""
    while position := text.find("\n", position) + 1:
        end = text.find("\n", position)
        yield position, end if end >= 0 else len(text)


def _piped_spans(match: re.Match[str], kind: _Kind) -> Iterator[Span]:
    """Read a row between bars, and all rows below it if it is the head of their table."""
    text, head = match.string, _cells(match.string, match.span(), _PIPED)
    columns = kind.columns(text, head)
    yield from kind.secrets(text, head, [])
    if columns and (ruler := _ruler_of_head(text, match.span())):
        rows = "+|" if _GRID_RULER.match(ruler) else "|"
        for start, end in _lines_below(text, text.find("\n", match.end()) + 1):
            line = text[start:end].lstrip()
            if line[:1] not in rows or not line or _GRID_RULER.match(line):
                return
            yield from kind.secrets(text, _cells(text, (start, end), _PIPED), columns)


def _ruler_of_head(text: str, line: Span) -> str:
    """Return the ruler below `line`, if no row goes before it, of which it would be the last."""
    above = text.rfind("\n", 0, max(line[0] - 1, 0)) + 1
    if text[above : line[0]].lstrip().startswith("|"):
        return ""
    ruler = _HEAD_RULER.match(text, text.find("\n", line[1]) + 1)
    return ruler[0] if ruler else ""


def _ruled_spans(match: re.Match[str], kind: _Kind) -> Iterator[Span]:
    """Read the rows between this ruler and the next; a single one heads those that follow."""
    text = match.string
    rows, ruler = _rows(text, match.end())
    columns = kind.columns(text, rows[0]) if len(rows) == 1 else []
    if columns:
        rows += _rows(text, ruler)[0]
    for row in rows:
        yield from kind.secrets(text, row, columns)


def _rows(text: str, position: int) -> tuple[list[list[Span]], int]:
    """Return the cells of each row up to the next ruler, and where that stands."""
    rows: list[list[Span]] = []
    for line in _lines_below(text, position):
        if _RULER.match(text, *line):
            return rows, line[1]
        if cells := _cells(text, line, _SPACED):
            rows.append(cells)
    return [], len(text)


_KINDS = (
    ("password", LOGIN, LOGIN_NEEDLES, values.is_listed_password),
    ("secret", ANY_KEY, KEY_NEEDLES, values.is_listed_key),
)


def _detectors() -> Iterator[Detector]:
    for rule, tight, needles, judge in _KINDS:
        name = tight.replace("[_.-]", "[ _.-]")  # `API key`
        kind = _Kind(re.compile(rf"[\w.-]{{0,40}}?{name}s?{TAIL}", FLAGS), judge)
        row = re.compile(rf"^[ \t]*+\|[^\n]*{name}[^\n]*$", FLAGS)
        yield Detector(rule, row, needles, reach=partial(_piped_spans, kind=kind))
        yield Detector(rule, _RULER, _RULER_NEEDLES, reach=partial(_ruled_spans, kind=kind))


TABLES = tuple(_detectors())
