"""Secrets in the tables of Markdown and reStructuredText, named by their row or their column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice

from codeindex.secrets import value_tests
from codeindex.secrets.detector import Detector, Span
from codeindex.secrets.name_patterns import (
    KEY_NAME,
    KEY_NEEDLES,
    NAME_SUFFIX,
    PASSWORD_NAME,
    PASSWORD_NEEDLES,
)
from codeindex.secrets.named_values import FLAGS, compile_line_prefix, leading_name

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


_DELIMITED_LEAD = r"""^(?:["']?[\w .-]{1,40}["']?[,;\t]){0,30}["']?[\w .-]{0,30}"""
_CELL = re.compile(r"""(?:"[^"\n]*"|'[^'\n]*'|[^,;\t\n"']*)(?=[,;\t\n\r]|\Z)""")
_MOST_ROWS = 10_000
_FEWEST_CELLS = 2


def _delimited(name: str) -> str:
    """`user,NAME,mail`: the head of a file of delimited values."""
    return rf"""{name}{NAME_SUFFIX}["']?(?:[,;\t]["']?[\w .-]{{1,40}}["']?){{0,30}}[ \t\r]*$"""


def _delimited_spans(match: re.Match[str], kind: _Kind) -> Iterator[Span]:
    """Read the rows below a head, if no row of as many cells is above it."""
    text = match.string
    start = text.rfind("\n", 0, match.start()) + 1
    head = _line_cells(text, (start, match.end()))
    above = text.rfind("\n", 0, max(start - 1, 0)) + 1
    if len(head) < _FEWEST_CELLS or len(_line_cells(text, (above, max(start - 1, 0)))) == len(head):
        return
    columns = kind.columns(text, head)
    for line in islice(_lines_below(text, start), _MOST_ROWS):
        cells = _line_cells(text, line)
        if len(cells) != len(head):
            return
        yield from (cells[at] for at in columns if kind.judge(text[slice(*cells[at])]))


def _line_cells(text: str, line: Span) -> list[Span]:
    """Return the cells between commas, semicolons or tabs, without quotes and blanks."""
    cells, at = [], line[0]
    while at <= line[1] and (found := _CELL.match(text, at, line[1])):
        body = found[0].strip(_DECORATION)
        start = at + found[0].find(body) if body else at
        cells.append((start, start + len(body)))
        at = found.end() + 1
    return cells


_INSERT_LEAD = r"insert\s+into\s+[^\s()]{1,80}\s*\([^()\n]{0,300}"
_INSERT_END = r"""[`"\]]?[^()\n]{0,300}\)\s{0,40}values?"""
_TUPLE = re.compile(r"""\s{0,80}\((?:[^()'\n]|'[^'\n]*')*\)\s?,?""")
_VALUE = re.compile(r"""'[^'\n]*'|[^,()'\s][^,()'\n]*""")


def _inserted_spans(match: re.Match[str], kind: _Kind) -> Iterator[Span]:
    """Read the values of an `INSERT` in the column that is called like a secret."""
    text, at = match.string, match.end()
    column = text.count(",", text.rfind("(", 0, match.start()), match.start())
    for _ in range(_MOST_ROWS):
        row = _TUPLE.match(text, at)
        if not row:
            return
        cells = [one.span() for one in _VALUE.finditer(text, *row.span())]
        start, end = cells[column] if column < len(cells) else (0, 0)
        if text[start:end][:1] == "'" and kind.judge(text[start + 1 : end - 1]):
            yield start + 1, end - 1
        at = row.end()


_KINDS = (
    ("password", PASSWORD_NAME, PASSWORD_NEEDLES, value_tests.is_listed_password),
    ("secret", KEY_NAME, KEY_NEEDLES, value_tests.is_listed_key),
)


_STRICT = (value_tests.is_listed_password,)


def _detectors() -> Iterator[Detector]:
    for rule, tight, needles, judge in _KINDS:
        name = tight.replace("[_.-]", "[ _.-]")  # `API key`
        kind = _Kind(re.compile(rf"[\w.-]{{0,40}}?{name}s?{NAME_SUFFIX}", FLAGS), judge)
        row = re.compile(rf"^[ \t]*+\|[^\n]*{name}[^\n]*$", FLAGS)
        yield Detector(rule, row, needles, find_spans=partial(_piped_spans, kind=kind))
        below = (
            (_delimited(tight), _DELIMITED_LEAD, _delimited_spans),
            (rf"{tight}{NAME_SUFFIX}{_INSERT_END}", _INSERT_LEAD, _inserted_spans),
        )
        strict = _Kind(kind.name, value_tests.is_delimited_password if judge in _STRICT else judge)
        for pattern, before, spans in below:
            yield Detector(
                rule,
                re.compile(pattern, FLAGS),
                needles,
                starts_with=leading_name(pattern),
                line_prefix=compile_line_prefix(before),
                near_line_start=before.startswith("^"),
                find_spans=partial(spans, kind=strict),
            )
        yield Detector(rule, _RULER, _RULER_NEEDLES, find_spans=partial(_ruled_spans, kind=kind))


TABLE_DETECTORS = tuple(_detectors())
