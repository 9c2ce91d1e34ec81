"""What reading would cost: a token is taken to be four characters."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.file_selection import (
    normalize_path,
    select_file,
    select_files,
    select_files_by_glob,
)
from codeindex.analysis.outline.source import find_symbols_in_file
from codeindex.analysis.outline.summary import summarize_file
from codeindex.errors import QueryError
from codeindex.store.catalog.files import stored_text
from codeindex.store.symbols.declarations import FileRow, declarations_in

if TYPE_CHECKING:
    import sqlite3

_CHARACTERS = 4
MAX_ESTIMATED_FILES = 1000
_CHEAP = 0.7
"""Share of a file above which reading all of it is as good."""


@dataclass(frozen=True, slots=True)
class _TokenEstimate:
    """Costs of reading from one file; the last field says what to do."""

    file: str

    @property
    def paths(self) -> tuple[str, ...]:
        return (self.file,)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        values = self.as_dict()
        return tuple(values), [tuple(map(str, values.values()))]

    def text(self) -> Iterator[str]:
        _, *values = self.as_dict().items()
        yield self.file
        yield from (f"  {name.replace('_', ' ')}: {value}" for name, value in values)


@dataclass(frozen=True, slots=True)
class FileTokenEstimate(_TokenEstimate):
    """What reading a file takes, whole and in short."""

    full_file_tokens: int
    full_file_lines: int
    summary_tokens: int
    declaration_count: int
    recommendation: str


@dataclass(frozen=True, slots=True)
class SymbolTokenEstimate(_TokenEstimate):
    """What reading a symbol takes, beside its whole file."""

    symbol: str
    symbol_tokens: int
    symbol_lines: int
    full_file_tokens: int
    full_file_lines: int
    savings: str


@dataclass(frozen=True, slots=True)
class FileTokens:
    """What reading one file takes."""

    file: str
    tokens: int
    lines: int


@dataclass(frozen=True, slots=True)
class FolderTokenEstimate:
    """Files from the dearest on; the totals are of all of them."""

    place: str
    total_files: int
    total_tokens: int
    total_lines: int
    files: tuple[FileTokens, ...]
    truncated: bool

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.files}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [(one.file, str(one.tokens), str(one.lines)) for one in self.files]
        return ("file", "tokens", "lines"), rows

    def text(self) -> Iterator[str]:
        count = f"{self.total_files} files, {self.total_lines} lines"
        yield f"{self.place}: {self.total_tokens} tokens in {count}"
        yield from (f"  {one.file}: {one.tokens} tokens, {one.lines} lines" for one in self.files)


def count_tokens(text: str) -> int:
    """Return how many tokens a text is taken to be, rounded up."""
    return -(-len(text) // _CHARACTERS)


def estimate_tokens(
    connection: sqlite3.Connection,
    path: str = "",
    *,
    symbol: str = "",
    directory: str = "",
    glob: str = "",
) -> FileTokenEstimate | SymbolTokenEstimate | FolderTokenEstimate:
    """Return what a file, a symbol of it, or all files of a folder or a glob cost."""
    if sum(map(bool, (path, directory, glob))) != 1:
        raise QueryError("Name one of a path, a `directory` and a `glob`.")
    if symbol and not path:
        raise QueryError("Name the path of the file that the symbol is in.")
    if glob:
        return _many(connection, glob, select_files_by_glob(connection, glob))
    files = select_files(connection, directory or path)
    if directory or files[0].path != normalize_path(path):
        return _many(connection, directory or path, files)
    file = select_file(connection, path)
    return _of_symbol(connection, file, symbol) if symbol else _of_file(connection, file)


def _many(
    connection: sqlite3.Connection, place: str, files: Sequence[FileRow]
) -> FolderTokenEstimate:
    costs = [
        FileTokens(one.path, count_tokens(stored_text(connection, one.path)), one.lines)
        for one in files
    ]
    costs.sort(key=lambda one: (-one.tokens, one.file))
    return FolderTokenEstimate(
        place,
        total_files=len(costs),
        total_tokens=sum(one.tokens for one in costs),
        total_lines=sum(one.lines for one in costs),
        files=tuple(costs[:MAX_ESTIMATED_FILES]),
        truncated=len(costs) > MAX_ESTIMATED_FILES,
    )


def _of_file(connection: sqlite3.Connection, file: FileRow) -> FileTokenEstimate:
    full = count_tokens(stored_text(connection, file.path))
    summary = count_tokens(json.dumps(summarize_file(connection, file).as_dict()))
    advice = f"Read it whole (~{full} tokens): a summary would not be shorter."
    if summary < _CHEAP * full:
        advice = (
            f"Ask for it in short by `summarize` (~{summary} tokens); whole it is ~{full} tokens."
            " `read` shows single symbols."
        )
    return FileTokenEstimate(
        file=file.path,
        full_file_tokens=full,
        full_file_lines=file.lines,
        summary_tokens=summary,
        declaration_count=len(declarations_in(connection, [file.id])),
        recommendation=advice,
    )


def _of_symbol(connection: sqlite3.Connection, file: FileRow, symbol: str) -> SymbolTokenEstimate:
    node = find_symbols_in_file(connection, file, symbol)[0]
    text = stored_text(connection, file.path)
    own = text.split("\n")[node.start_line - 1 : node.end_line]
    full, cost = count_tokens(text), count_tokens("\n".join(own))
    saved = full - cost
    return SymbolTokenEstimate(
        file=file.path,
        symbol=node.qualified,
        symbol_tokens=cost,
        symbol_lines=len(own),
        full_file_tokens=full,
        full_file_lines=file.lines,
        savings=f"`read` of it saves ~{saved} tokens ({100 * saved // max(full, 1)}% reduction)",
    )
