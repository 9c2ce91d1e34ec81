"""Detects secrets in tables by the name of their row or column.

It reads tables in Markdown and reStructuredText, files with delimited values, and `INSERT`
statements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from codeindex.secrets import value_tests
from codeindex.secrets.detector import FLAGS, Detector, LazyPattern, Span
from codeindex.secrets.name_patterns import (
    KEY_NAME,
    KEY_NEEDLES,
    NAME_SUFFIX,
    PASSWORD_NAME,
    PASSWORD_NEEDLES,
)

_DECORATION = "`*\"' \t"
"""Characters stripped from a cell: markup, quotes, blanks."""
_PIPED_CELL = re.compile(r"(?<=\|)[^|\n]*(?=\|)")
"""A cell between bars."""
_SPACED_CELL = re.compile(r"\S+(?: \S+)*")
"""A cell of a table whose columns are separated by two blanks."""
_HEAD_RULER = re.compile(r"[ \t]*+(?:\|[ \t]*+:?-[|: \t-]*+|\+=[=+]*+)[ \t\r]*$", re.MULTILINE)
"""The line below the head of a table: `|---|---|` or `+===+===+`."""
_GRID_RULER = re.compile(r"[ \t]*+\+=")
_RULER = LazyPattern(r"^[ \t]*+=++(?: ++=++)++[ \t\r]*$", re.ASCII | re.MULTILINE)
_RULER_NEEDLES = ("==  =", "== =")


@dataclass(frozen=True, slots=True)
class _CellName:
    """A test for table cells that name a secret, and a test for the values beside or below them."""

    name: re.Pattern[str]
    accepts: Callable[[str], bool]
    takes_words: bool = False
    """Whether a plain word below the name counts as a secret if its row has the name of a user."""

    def columns(self, text: str, cells: list[Span]) -> list[int]:
        """Return the indices of the cells that name a secret; blanks count as underscores."""
        names = (text[slice(*cell)].replace(" ", "_") for cell in cells)
        return [column for column, name in enumerate(names) if self.name.fullmatch(name)]

    def secrets(
        self, text: str, row: list[Span], columns: list[int], users: Sequence[int] = ()
    ) -> Iterator[Span]:
        """Yield the spans of secrets in a row of a table.

        The cells in `columns` are tested. If the first cell names a secret, all cells after it are
        tested instead. `users` are the indices of columns with names of users.
        """
        wanted = range(1, len(row)) if 0 in self.columns(text, row[:1]) else columns
        words = wanted is columns and self.takes_words and _has_user(text, row, users)
        return (
            row[column]
            for column in wanted
            if column < len(row)
            and (
                self.accepts(text[slice(*row[column])])
                or (words and value_tests.is_word_in_cell(text[slice(*row[column])]))
            )
        )


_USER_COLUMN = re.compile(
    r"(?i)(?:default|test|demo)?[ _-]?(?:user(?:[ _-]?name|[ _-]?id)?|login|account|e-?mail|name)s?"
    r"|benutzer(?:name)?|usuario|utilisateur|utente"
)


def _user_columns(text: str, head: list[Span]) -> list[int]:
    """Return the indices of a table head's cells that are titles of user names."""
    return [at for at, cell in enumerate(head) if _USER_COLUMN.fullmatch(text[slice(*cell)])]


def _has_user(text: str, row: list[Span], users: Sequence[int]) -> bool:
    return any(at < len(row) and value_tests.is_user(text[slice(*row[at])]) for at in users)


def _find_cells(text: str, line: Span, split: re.Pattern[str]) -> list[Span]:
    cells = []
    for cell in split.finditer(text, *line):
        start, body = cell.start(), cell[0].rstrip(_DECORATION)
        cells.append((start + len(body) - len(body.lstrip(_DECORATION)), start + len(body)))
    return cells


def _lines_below(text: str, position: int) -> Iterator[Span]:
    """Yield the spans of all lines after the line that contains `position`."""
    while position := text.find("\n", position) + 1:
        end = text.find("\n", position)
        yield position, end if end >= 0 else len(text)


def _piped_spans(match: re.Match[str], cell_name: _CellName) -> Iterator[Span]:
    """Yield the spans of secrets in a row of a table whose cells have bars between them.

    If the row is the head of a table, the rows below it are searched too.
    """
    text, head = match.string, _find_cells(match.string, match.span(), _PIPED_CELL)
    columns = cell_name.columns(text, head)
    yield from cell_name.secrets(text, head, [])
    if columns and (ruler := _ruler_of_head(text, match.span())):
        rows = "+|" if _GRID_RULER.match(ruler) else "|"
        for start, end in _lines_below(text, text.find("\n", match.end()) + 1):
            line = text[start:end].lstrip()
            if line[:1] not in rows or not line or _GRID_RULER.match(line):
                return
            row = _find_cells(text, (start, end), _PIPED_CELL)
            yield from cell_name.secrets(text, row, columns, _user_columns(text, head))


def _ruler_of_head(text: str, line: Span) -> str:
    """Return the ruler, like `|---|`, below the head of a table.

    Return "" if `line` is not a head. A head has a ruler below it, and no row above it.
    """
    above = text.rfind("\n", 0, max(line[0] - 1, 0)) + 1
    if text[above : line[0]].lstrip().startswith("|"):
        return ""
    ruler = _HEAD_RULER.match(text, text.find("\n", line[1]) + 1)
    return ruler[0] if ruler else ""


def _ruled_spans(
    match: re.Match[str], cell_name: _CellName, needles: tuple[str, ...]
) -> Iterator[Span]:
    """Yield the spans of secrets in the rows below a ruler, a line like `===== =====`.

    If a second ruler follows a single row, that row is the head of the rows after it. Names of
    secrets contain one of `needles`.
    """
    text = match.string
    table = text[match.end() : _next_ruler(text, _next_ruler(text, match.end()))].lower()
    if not any(needle in table for needle in needles):
        return
    rows, ruler = _rows(text, match.end())
    head = rows[0] if len(rows) == 1 else []
    columns = cell_name.columns(text, head)
    if columns:
        rows = [*rows, *_rows(text, ruler)[0]]
    for row in rows:
        yield from cell_name.secrets(
            text, row, columns, _user_columns(text, head) if row is not head else ()
        )


def _next_ruler(text: str, position: int) -> int:
    """Return the offset after the next ruler; the length of the text without one."""
    while (position := text.find("==", position)) >= 0:
        start = text.rfind("\n", 0, position) + 1
        if ruler := _RULER.compiled.match(text, start):
            return ruler.end()
        end = text.find("\n", position)
        position = end if end >= 0 else len(text)
    return len(text)


def _rows(text: str, position: int) -> tuple[list[list[Span]], int]:
    """Return (cells of each row from `position` to the next ruler, offset after this ruler)."""
    rows: list[list[Span]] = []
    for line in _lines_below(text, position):
        if _RULER.compiled.match(text, *line):
            return rows, line[1]
        if cells := _find_cells(text, line, _SPACED_CELL):
            rows.append(cells)
    return [], len(text)


_DELIMITED_LEAD = r"""^(?:["']?[\w .-]{1,40}["']?[,;\t]){0,30}["']?[\w .-]{0,30}"""
_DELIMITED_CELL = re.compile(r"""(?:"[^"\n]*"|'[^'\n]*'|[^,;\t\n"']*)(?=[,;\t\n\r]|\Z)""")
_DELIMITED_END = r"""["']?(?:[,;\t]["']?[\w .-]{1,40}["']?){0,30}[ \t\r]*$"""
"""Matches the rest of a header line of comma-separated values after a column's name: `,mail` in
`user,password,mail`."""
_MOST_ROWS = 10_000
"""Most rows that are read: bounds the time for a large table."""
_FEWEST_CELLS = 2
"""Fewest cells of a head: a single name on a line is no head."""


def _delimited_spans(match: re.Match[str], cell_name: _CellName) -> Iterator[Span]:
    """Yield the spans of secrets in the lines below the head of delimited values (CSV).

    A line with as many cells as the line above it is not a head.
    """
    text = match.string
    start = text.rfind("\n", 0, match.start()) + 1
    head = _delimited_cells(text, (start, match.end()))
    above = text.rfind("\n", 0, max(start - 1, 0)) + 1
    if len(head) < _FEWEST_CELLS or len(_delimited_cells(text, (above, max(start - 1, 0)))) == len(
        head
    ):
        return
    columns, users = cell_name.columns(text, head), _user_columns(text, head)
    for line in islice(_lines_below(text, start), _MOST_ROWS):
        cells = _delimited_cells(text, line)
        if len(cells) != len(head):
            return
        yield from cell_name.secrets(
            text, [(start, start), *cells], [at + 1 for at in columns], [at + 1 for at in users]
        )


def _delimited_cells(text: str, line: Span) -> list[Span]:
    """Return the spans of cells between commas, semicolons or tabs, without blanks around."""
    cells, at = [], line[0]
    while at <= line[1] and (cell := _DELIMITED_CELL.match(text, at, line[1])):
        body = cell[0].strip(_DECORATION)
        start = at + cell[0].find(body) if body else at
        cells.append((start, start + len(body)))
        at = cell.end() + 1
    return cells


_INSERT_LEAD = r"insert\s+into\s+[^\s()]{1,80}\s*\([^()\n]{0,300}"
_INSERT_END = r"""[`"\]]?[^()\n]{0,300}\)\s{0,40}values?"""
_TUPLE = re.compile(r"""\s{0,80}\((?:[^()'\n]|'[^'\n]*')*\)\s?,?""")
_VALUE = re.compile(r"""'[^'\n]*'|[^,()'\s][^,()'\n]*""")


def _inserted_spans(match: re.Match[str], cell_name: _CellName) -> Iterator[Span]:
    """Yield the spans of secrets in an `INSERT` statement, in the column that names a secret."""
    text, at = match.string, match.end()
    opening, closing = text.rfind("(", 0, match.start()), text.find(")", match.start())
    column = text.count(",", opening, match.start())
    names = [name.strip(_DECORATION + "[]") for name in text[opening + 1 : closing].split(",")]
    users = [at for at, name in enumerate(names) if _USER_COLUMN.fullmatch(name)]
    for _ in range(_MOST_ROWS):
        row = _TUPLE.match(text, at)
        if not row:
            return
        cells = [value.span() for value in _VALUE.finditer(text, *row.span())]
        start, end = cells[column] if column < len(cells) else (0, 0)
        inner = [(cell[0] + 1, cell[1] - 1) for cell in cells]
        if text[start:end][:1] == "'" and column < len(cells):
            yield from cell_name.secrets(
                text, [(start, start), *inner], [column + 1], [at + 1 for at in users]
            )
        at = row.end()


# rule, name, needles, value test, value test where code may look like a table
_KINDS = (
    (
        "password",
        PASSWORD_NAME,
        PASSWORD_NEEDLES,
        value_tests.is_listed_password,
        value_tests.is_delimited_password,
    ),
    ("secret", KEY_NAME, KEY_NEEDLES, value_tests.is_listed_key, value_tests.is_listed_key),
)


def _detectors() -> Iterator[Detector]:
    for rule, tight, needles, accepts, accepts_strictly in _KINDS:
        name = tight.replace("[_.-]", "[ _.-]")  # `API key`
        whole_name = re.compile(rf"[\w.-]{{0,40}}?{name}s?{NAME_SUFFIX}", FLAGS)
        cell_name = _CellName(whole_name, accepts, takes_words=rule == "password")
        row = LazyPattern(rf"^[ \t]*+\|[^\n]*{name}[^\n]*$")
        yield Detector(
            rule,
            row,
            needles,
            find_spans=partial(_piped_spans, cell_name=cell_name),
            reads_lines=True,
        )
        below = (
            (rf"{tight}{NAME_SUFFIX}{_DELIMITED_END}", _DELIMITED_LEAD, _delimited_spans),
            (rf"{tight}{NAME_SUFFIX}{_INSERT_END}", _INSERT_LEAD, _inserted_spans),
        )
        stricter = _CellName(whole_name, accepts_strictly, takes_words=rule == "password")
        for pattern, prefix, find_spans in below:
            yield Detector(
                rule,
                LazyPattern(pattern),
                needles,
                line_prefix=prefix,
                find_spans=partial(find_spans, cell_name=stricter),
                reads_lines=True,
            )
        yield Detector(
            rule,
            _RULER,
            _RULER_NEEDLES,
            find_spans=partial(_ruled_spans, cell_name=cell_name, needles=needles),
            reads_lines=True,
        )


TABLE_DETECTORS = tuple(_detectors())
