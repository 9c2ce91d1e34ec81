"""Read symbols by folded name, and the definitions around a chunk."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from codeindex.store.catalog.sql_values import placeholders, value_batches

if TYPE_CHECKING:
    import sqlite3

_MAX_ROWS = 5_000
"""Most symbols that are read for one batch of names."""


class SymbolRow(NamedTuple):
    """A symbol with its file; `cyclomatic` is 0 for a symbol without a body."""

    language: str
    cyclomatic: int
    file_id: int
    name: str
    qualified: str
    kind: str
    line: int
    path: str
    is_test: int


class FileSymbol(NamedTuple):
    """A symbol of a file; `line` is the line of its name."""

    name: str
    folded: str
    qualified: str
    kind: str
    line: int
    end_line: int


class DefinitionRow(NamedTuple):
    """Where a symbol is defined."""

    file_id: int
    qualified: str
    kind: str
    line: int


def symbols_by_folded_names(
    connection: sqlite3.Connection, folded: Iterable[str]
) -> list[SymbolRow]:
    """Return the symbols with these folded names, except sections of documents."""
    symbols: list[SymbolRow] = []
    for batch in value_batches(folded):
        rows = connection.execute(
            "SELECT f.language, s.cyclomatic, s.file_id, s.name, s.qualified, s.kind, s.line,"  # noqa: S608 (placeholders)
            " f.path, f.is_test FROM symbols s JOIN files f ON f.id = s.file_id"
            f" WHERE s.folded IN ({placeholders(batch)}) AND s.kind != 'section' LIMIT {_MAX_ROWS}",
            batch,
        )
        symbols += map(SymbolRow._make, rows)
    return symbols


def definitions_by_folded_name(
    connection: sqlite3.Connection, folded: str, limit: int
) -> list[DefinitionRow]:
    """Return at most `limit` symbols with this folded name, including sections of documents."""
    rows = connection.execute(
        "SELECT file_id, qualified, kind, line FROM symbols WHERE folded = ? LIMIT ?",
        (folded, limit),
    )
    return [DefinitionRow._make(row) for row in rows]


def file_symbols_by_folded_names(
    connection: sqlite3.Connection, file_id: int, folded: Collection[str]
) -> list[FileSymbol]:
    """Return the symbols of a file with these folded names, sorted by line."""
    rows = connection.execute(
        "SELECT name, folded, qualified, kind, line, end_line FROM symbols"  # noqa: S608 (placeholders)
        f" WHERE file_id = ? AND folded IN ({placeholders(folded)}) ORDER BY line",
        (file_id, *folded),
    )
    return [FileSymbol._make(row) for row in rows]


def definition_above(
    connection: sqlite3.Connection, file_id: int, qualified: str, lines: tuple[int, int]
) -> tuple[int, str] | None:
    """Return (line, signature) of the symbol that starts above these lines and contains them.

    Return None if the file has no such symbol with this qualified name.
    """
    first, last = lines
    row: tuple[int, str] | None = connection.execute(
        "SELECT line, signature FROM symbols WHERE file_id = ? AND qualified = ?"
        " AND line < ? AND end_line >= ? ORDER BY line DESC LIMIT 1",
        (file_id, qualified, first, last),
    ).fetchone()
    return row


def signature_and_doc(
    connection: sqlite3.Connection, path: str, qualified: str, lines: tuple[int, int]
) -> tuple[str, str]:
    """Return (signature, documentation) of a symbol defined in these lines; ("", "") if absent."""
    row: tuple[str, str] | None = connection.execute(
        "SELECT s.signature, s.doc FROM symbols s JOIN files f ON f.id = s.file_id"
        " WHERE f.path = ? AND s.qualified = ? AND s.line BETWEEN ? AND ?",
        (path, qualified, *lines),
    ).fetchone()
    return row or ("", "")
