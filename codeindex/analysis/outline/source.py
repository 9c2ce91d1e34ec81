"""Source by symbol or by lines, out of the catalog: its secrets are taken out."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypedDict

from codeindex.analysis.file_selection import normalize_path, select_file
from codeindex.analysis.outline.collapse import NumberedLine, collapse_blocks
from codeindex.analysis.subject import find_symbols, is_spelled_differently
from codeindex.errors import QueryError
from codeindex.languages import language_for_path
from codeindex.store.catalog.files import check_line, stored_text
from codeindex.store.symbols.declarations import FileRow, declarations_in, files_under
from codeindex.store.symbols.nodes import symbols_by_name
from codeindex.types import Node

if TYPE_CHECKING:
    import sqlite3

MAX_SYMBOL_LINES, MAX_SOURCE_LINES = 200, 500
"""Lines, of one symbol and of one call."""
_AROUND = 20
"""Lines above and below one that is named as `path:line`."""
_ELSEWHERE = 5
"""Other definitions of a name that are named."""


@dataclass(frozen=True, slots=True)
class SourceRequest:
    """What to read of a file: symbols, else the lines, else all; `expand` adds lines around."""

    symbols: tuple[str, ...] = ()
    start_line: int = 0
    end_line: int = 0
    expand: int = 0
    collapse: bool = False


class SourceSectionDict(TypedDict):
    """What `SourceSection` is in JSON; lines that were read whole have neither symbol nor kind.

    `file` is named where that is not the source's; `line_numbers` are of a section with gaps:
    others count on from `start_line`.
    """

    file: str | None

    symbol: str | None
    kind: str | None
    start_line: int
    end_line: int
    content: str
    line_numbers: list[int]
    truncated: bool


class SourceTextDict(TypedDict):
    """What `SourceText` is in JSON."""

    file: str
    language: str
    total_lines: int
    sections: list[SourceSectionDict]
    elsewhere: list[str]
    spelt_otherwise: list[str]
    truncated: bool


@dataclass(frozen=True, slots=True)
class SourceSection:
    """Lines of a file; `end_line` is the last that was asked for, `truncated` if it is not here."""

    symbol: str
    kind: str
    start_line: int
    end_line: int
    lines: tuple[NumberedLine, ...]
    truncated: bool
    file: str = ""

    def as_dict(self) -> SourceSectionDict:
        numbers = [number for number, _ in self.lines]
        whole = numbers == list(range(self.start_line, self.start_line + len(numbers)))
        return {
            "file": self.file or None,
            "symbol": self.symbol or None,
            "kind": self.kind or None,
            "start_line": self.start_line,
            "end_line": self.end_line,
            "content": "\n".join(text for _, text in self.lines),
            "line_numbers": [] if whole else numbers,
            "truncated": self.truncated,
        }


@dataclass(frozen=True, slots=True)
class SourceText:
    """What was read of a file that has `total_lines`.

    `elsewhere` are other definitions of what was asked for by name alone; `spelt_otherwise` names
    what was read for a name that nothing has in just its case and underscores.
    """

    file: str
    language: str
    total_lines: int
    sections: tuple[SourceSection, ...]
    elsewhere: tuple[str, ...] = ()
    spelt_otherwise: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        return (self.file, *(one.file for one in self.sections if one.file))

    @property
    def truncated(self) -> bool:
        return any(one.truncated for one in self.sections)

    def as_dict(self) -> SourceTextDict:
        return {
            "file": self.file,
            "language": self.language,
            "total_lines": self.total_lines,
            "sections": [one.as_dict() for one in self.sections],
            "elsewhere": list(self.elsewhere),
            "spelt_otherwise": list(self.spelt_otherwise),
            "truncated": self.truncated,
        }

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [(str(number), text) for one in self.sections for number, text in one.lines]
        return ("line", "text"), rows

    def text(self) -> Iterator[str]:
        if self.spelt_otherwise:
            yield f"nothing is spelt just so: this is {', '.join(self.spelt_otherwise)}"
        for one in self.sections:
            name = f"  {one.kind} {one.symbol}" if one.symbol else ""
            yield f"{one.file or self.file}:{one.start_line}-{one.end_line}{name}"
            for number, text in one.lines:
                yield f"{number:>6}  {text}".rstrip()
            if one.truncated:
                last = one.lines[-1][0] + 1 if one.lines else one.start_line
                yield f"        lines {last} to {one.end_line} are left out: ask for them by number"
        if self.elsewhere:
            yield f"also defined: {', '.join(self.elsewhere)}"


def read_source(connection: sqlite3.Connection, path: str, wanted: SourceRequest) -> SourceText:
    """Return lines of a file; QueryError for a symbol that it has not and lines beyond its end.

    A path may go on with lines, as in `a.py:10-20`; without one, symbols are looked for everywhere,
    and one that is none may be a path.
    """
    if not path.strip() and len(wanted.symbols) == 1:
        (said,) = wanted.symbols
        if not symbols_by_name(connection, said):
            path, wanted = said, replace(wanted, symbols=())
    path, wanted = _placed(connection, path, wanted)
    if not path:
        return _read_anywhere(connection, wanted)
    file = select_file(connection, path)
    lines = _lines(connection, file.path)
    _check(wanted, file, len(lines))
    left = MAX_SOURCE_LINES
    sections, otherwise = list[SourceSection](), list[str]()
    for node, start, end in _spans(connection, file, wanted, len(lines)):
        if node and not any(one.endswith(node.qualified) for one in wanted.symbols):
            is_other = any(is_spelled_differently(one, node) for one in wanted.symbols)
            otherwise += [node.qualified] * is_other
        most = min(left, MAX_SYMBOL_LINES if node else MAX_SOURCE_LINES)
        sections.append(_section(lines, node, (start, end), wanted, most))
        left -= len(sections[-1].lines)
    return SourceText(
        file.path,
        file.language,
        len(lines),
        tuple(sections),
        spelt_otherwise=tuple(dict.fromkeys(otherwise)),
    )


def _placed(
    connection: sqlite3.Connection, path: str, wanted: SourceRequest
) -> tuple[str, SourceRequest]:
    """Take lines and symbols out of a path that has them; nothing is left of a bare symbol."""
    said = path.strip()
    if not said or files_under(connection, normalize_path(said)):
        return said, wanted
    if lines := re.fullmatch(r"(.+?):(\d+)(?:-(\d+))?", said):
        file, first, last = lines.groups()
        if files_under(connection, normalize_path(file)) and not wanted.start_line:
            start, end = int(first), int(last or first)
            total = select_file(connection, file).lines
            check_line(file, start, total)
            check_line(file, min(end, total), total)  # one beyond the end is as good as the end
            around = 0 if last else wanted.expand or _AROUND
            return file, replace(wanted, start_line=start, end_line=end, expand=around)
        if "/" in file or language_for_path(normalize_path(file)):
            return file, wanted
    is_path = "::" not in said and ("/" in said or language_for_path(normalize_path(said)))
    if not wanted.symbols and (symbols_by_name(connection, said) or not is_path):
        return "", replace(wanted, symbols=(said,))
    return said, wanted


def _read_anywhere(connection: sqlite3.Connection, wanted: SourceRequest) -> SourceText:
    """Read symbols where they are defined; of a name of several, the first."""
    if not wanted.symbols:
        raise QueryError("Nothing is named: give a path, or symbols.")
    _check_wish(wanted)
    found = [find_symbols(connection, name) for name in dict.fromkeys(wanted.symbols)]
    home = select_file(connection, found[0][0].path)
    left, sections = MAX_SOURCE_LINES, list[SourceSection]()
    for node, *_ in found:
        lines = _lines(connection, node.path)
        span = (node.start_line, node.end_line)
        section = _section(lines, node, span, wanted, min(left, MAX_SYMBOL_LINES))
        sections.append(replace(section, file=node.path if node.path != home.path else ""))
        left -= len(section.lines)
    others = [f"{one.key}:{one.line}" for _, *more in found for one in more[:_ELSEWHERE]]
    otherwise = tuple(
        one.qualified
        for name, (one, *_) in zip(dict.fromkeys(wanted.symbols), found, strict=True)
        if is_spelled_differently(name, one)
    )
    return SourceText(
        home.path, home.language, home.lines, tuple(sections), tuple(others), otherwise
    )


def _lines(connection: sqlite3.Connection, path: str) -> list[str]:
    lines = [one.removesuffix("\r") for one in stored_text(connection, path).split("\n")]
    if lines and not lines[-1]:
        lines.pop()
    return lines


def _section(
    lines: Sequence[str], node: Node | None, span: tuple[int, int], wanted: SourceRequest, most: int
) -> SourceSection:
    start, end = max(1, span[0] - wanted.expand), min(len(lines), span[1] + wanted.expand)
    shown: list[NumberedLine] = list(enumerate(lines[start - 1 : end], start))
    shown = collapse_blocks(shown) if wanted.collapse else shown
    return SourceSection(
        symbol=node.qualified if node else "",
        kind=node.kind if node else "",
        start_line=start,
        end_line=end,
        lines=tuple(shown[:most]),
        truncated=len(shown) > most,
    )


def _spans(
    connection: sqlite3.Connection, file: FileRow, wanted: SourceRequest, lines: int
) -> Iterator[tuple[Node | None, int, int]]:
    if not wanted.symbols:
        yield None, wanted.start_line or 1, min(wanted.end_line or lines, lines)
    for name in dict.fromkeys(wanted.symbols):
        for node in find_symbols_in_file(connection, file, name):
            yield node, node.start_line, node.end_line


def find_symbols_in_file(connection: sqlite3.Connection, file: FileRow, name: str) -> list[Node]:
    """Return the symbols of a file that a name means, an outer one before what is in it."""
    found = symbols_by_name(connection, f"{file.path}::{name}")
    if found:
        return sorted(found, key=lambda one: (one.start_line, -one.end_line))
    own = [one.qualified for one in declarations_in(connection, [file.id])]
    near = difflib.get_close_matches(name, own, 3, 0.5)
    near += [one for one in own if one.rpartition(".")[2].lower() == name.lower()]
    hint = f": did you mean {' or '.join(dict.fromkeys(near))}?" if near else "."
    raise QueryError(f"No symbol of '{file.path}' is called {name!r}{hint}")


def _check_wish(wanted: SourceRequest) -> None:
    if wanted.symbols and (wanted.start_line or wanted.end_line):
        raise QueryError("Ask for symbols or for lines, not for both.")
    numbers = (wanted.start_line, wanted.end_line, wanted.expand)
    if any(type(one) is not int or one < 0 for one in numbers):
        raise QueryError("Lines are counted from 1, and `expand` is a number of lines.")


def _check(wanted: SourceRequest, file: FileRow, lines: int) -> None:
    _check_wish(wanted)
    if wanted.start_line:
        check_line(file.path, wanted.start_line, lines)
    if wanted.end_line and wanted.end_line < wanted.start_line:
        raise QueryError(f"Line {wanted.end_line} is before line {wanted.start_line}.")
