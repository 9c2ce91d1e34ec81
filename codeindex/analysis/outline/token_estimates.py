"""Estimate the number of tokens of files and symbols, at four characters per token."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from codeindex.analysis.file_selection import (
    catalog_path,
    select_file,
    select_files,
    select_files_by_glob,
)
from codeindex.analysis.outline.source import find_symbols_in_file
from codeindex.analysis.outline.summary import summarize_file
from codeindex.errors import QueryError
from codeindex.store.catalog.files import FileRecord, stored_text
from codeindex.store.symbols.declarations import declarations_in
from codeindex.types.report import DataReport, Table, make_table, plural

_CHARACTERS_PER_TOKEN = 4
"""The usual average for English and code."""
MAX_ESTIMATED_FILES = 1000
_MAX_SUMMARY_SHARE = 0.7
"""A summary is recommended if it takes less than this share of the file's tokens (not measured)."""


@dataclass(frozen=True, slots=True)
class _TokenEstimate(DataReport):
    """Base of the token estimates for one file or symbol."""

    file: str

    def columns(self) -> Table:
        values = self.as_dict()
        return tuple(values), [tuple(map(str, values.values()))]

    def text(self) -> Iterator[str]:
        _, *values = self.as_dict().items()
        yield self.file
        yield from (f"  {name.replace('_', ' ')}: {value}" for name, value in values)


@dataclass(frozen=True, slots=True)
class FileTokenEstimate(_TokenEstimate):
    """Estimates of how many tokens a whole file takes, and how many its summary as JSON.

    `recommendation` says which of the two to read. `declaration_count` counts all declarations.
    """

    full_file_tokens: int
    full_file_lines: int
    summary_tokens: int
    declaration_count: int
    recommendation: str


@dataclass(frozen=True, slots=True)
class SymbolTokenEstimate(_TokenEstimate):
    """Estimated tokens of a symbol and of the whole file around it.

    `savings` says how many tokens are saved by reading only the symbol.
    """

    symbol: str
    symbol_tokens: int
    symbol_lines: int
    full_file_tokens: int
    full_file_lines: int
    savings: str


@dataclass(frozen=True, slots=True)
class FileTokens:
    """The number of lines, and the estimated tokens, of one file."""

    file: str
    tokens: int
    lines: int


@dataclass(frozen=True, slots=True)
class FolderTokenEstimate(DataReport):
    """Estimates for several files, largest first; the totals include files over the limit."""

    place: str
    total_files: int
    total_tokens: int
    total_lines: int
    files: tuple[FileTokens, ...]
    truncated: bool

    def columns(self) -> Table:
        header = ("file", "tokens", "lines")
        return make_table(self.files, header)

    def text(self) -> Iterator[str]:
        count = f"{plural(self.total_files, 'file')}, {plural(self.total_lines, 'line')}"
        yield f"{self.place}: {plural(self.total_tokens, 'token')} in {count}"
        yield from (
            f"  {file.file}: {plural(file.tokens, 'token')}, {plural(file.lines, 'line')}"
            for file in self.files
        )


def count_tokens(text: str) -> int:
    """Return the estimated number of tokens of a text, rounded up."""
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def estimate_tokens(
    connection: sqlite3.Connection,
    path: str = "",
    *,
    symbol: str = "",
    directory: str = "",
    glob: str = "",
) -> FileTokenEstimate | SymbolTokenEstimate | FolderTokenEstimate:
    """Estimate the tokens of a file, of a symbol in it, or of all files of a folder or glob.

    Without any of these, all files of the repository count.
    """
    if sum(map(bool, (path, directory, glob))) > 1:
        raise QueryError("Name only one of a path, a `directory` and a `glob`.")
    if symbol and not path:
        raise QueryError("Name the path of the file that the symbol is in.")
    directory = directory or ("" if path or glob else ".")
    if glob:
        return _estimate_files(connection, glob, select_files_by_glob(connection, glob))
    files = select_files(connection, directory or path)
    if directory or files[0].path != catalog_path(path):
        return _estimate_files(connection, directory or path, files)
    file = select_file(connection, path)
    return (
        _estimate_symbol(connection, file, symbol) if symbol else _estimate_file(connection, file)
    )


def _estimate_files(
    connection: sqlite3.Connection, place: str, files: Sequence[FileRecord]
) -> FolderTokenEstimate:
    costs = [
        FileTokens(file.path, count_tokens(stored_text(connection, file.path)), file.lines)
        for file in files
    ]
    costs.sort(key=lambda file: (-file.tokens, file.file))
    return FolderTokenEstimate(
        place,
        total_files=len(costs),
        total_tokens=sum(file.tokens for file in costs),
        total_lines=sum(file.lines for file in costs),
        files=tuple(costs[:MAX_ESTIMATED_FILES]),
        truncated=len(costs) > MAX_ESTIMATED_FILES,
    )


def _estimate_file(connection: sqlite3.Connection, file: FileRecord) -> FileTokenEstimate:
    full = count_tokens(stored_text(connection, file.path))
    summary = count_tokens(json.dumps(summarize_file(connection, file).as_dict()))
    advice = f"Read it whole (~{full} tokens): a summary would not be shorter."
    if summary < _MAX_SUMMARY_SHARE * full:
        advice = (
            f"Use `summarize` (~{summary} tokens); the whole file has ~{full} tokens."
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


def _estimate_symbol(
    connection: sqlite3.Connection, file: FileRecord, symbol: str
) -> SymbolTokenEstimate:
    node = find_symbols_in_file(connection, file, symbol)[0]
    text = stored_text(connection, file.path)
    own_lines = text.split("\n")[node.start_line - 1 : node.end_line]
    full, cost = count_tokens(text), count_tokens("\n".join(own_lines))
    saved = full - cost
    return SymbolTokenEstimate(
        file=file.path,
        symbol=node.qualified,
        symbol_tokens=cost,
        symbol_lines=len(own_lines),
        full_file_tokens=full,
        full_file_lines=file.lines,
        savings=f"`read` of it saves ~{saved} tokens ({100 * saved // max(full, 1)}% reduction)",
    )
