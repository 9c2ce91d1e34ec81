"""Read symbols by folded name, and the definitions around a chunk.

A folded name is in lower case without underscores (`fold_name`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from typing import NamedTuple

from codeindex.store.catalog.sql_values import placeholders, select_in

_MAX_ROWS = 5_000
"""Maximum number of symbols that are read for one batch of names."""


class SymbolRow(NamedTuple):
    """A symbol with its file.

    `cyclomatic` is the complexity of a function with a body; 0 for all other symbols.
    """

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
    """A symbol of a file that the caller knows.

    `line` is the line of its name; `folded` is its name as `fold_name` returns it.
    """

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
    """Return the symbols with these folded names (`fold_name`), except sections of documents.

    At most 5,000 symbols are read for each 500 names.
    """
    rows = select_in(
        connection,
        "SELECT f.language, s.cyclomatic, s.file_id, s.name, s.qualified, s.kind, s.line,"  # noqa: S608 (constant)
        " f.path, f.is_test FROM symbols s JOIN files f ON f.id = s.file_id"
        f" WHERE s.folded IN (...) AND s.kind != 'section' LIMIT {_MAX_ROWS}",
        folded,
    )
    return [SymbolRow._make(row) for row in rows]


def definitions_by_folded_name(
    connection: sqlite3.Connection, folded: str, limit: int
) -> list[DefinitionRow]:
    """Return at most `limit` symbols with this folded name (`fold_name`).

    Sections of documents are included.
    """
    rows = connection.execute(
        "SELECT file_id, qualified, kind, line FROM symbols WHERE folded = ? LIMIT ?",
        (folded, limit),
    )
    return [DefinitionRow._make(row) for row in rows]


def file_symbols_by_folded_names(
    connection: sqlite3.Connection, file_id: int, folded: Collection[str]
) -> list[FileSymbol]:
    """Return the symbols of a file with these folded names (`fold_name`), sorted by line."""
    rows = connection.execute(
        "SELECT name, folded, qualified, kind, line, end_line FROM symbols"  # noqa: S608 (placeholders)
        f" WHERE file_id = ? AND folded IN ({placeholders(folded)}) ORDER BY line",
        (file_id, *folded),
    )
    return [FileSymbol._make(row) for row in rows]


def definition_above(
    connection: sqlite3.Connection, file_id: int, qualified: str, below: int
) -> tuple[int, str] | None:
    """Return (line number, text of this line) of the definition that contains the line `below`.

    It is the nearest symbol with the qualified name `qualified` that starts above `below`; None if
    there is none.
    """
    row: tuple[int, int, str] | None = connection.execute(
        "SELECT s.line, c.start_line, c.text FROM symbols s JOIN chunks c ON c.file_id = s.file_id"
        " AND s.line BETWEEN c.start_line AND c.end_line"
        " WHERE s.file_id = ? AND s.qualified = ? AND s.line < ? AND s.end_line >= ?"
        " ORDER BY s.line DESC LIMIT 1",
        (file_id, qualified, below, below),
    ).fetchone()
    if row is None:
        return None
    line, start, text = row
    return line, text.split("\n")[line - start]


def function_names(
    connection: sqlite3.Connection, chunk_ids: Collection[int], kinds: Collection[str]
) -> dict[int, tuple[int, str]]:
    """Return {chunk id: (file id, qualified name)} of the chunks whose kind is in `kinds`.

    Only chunks in `chunk_ids` are read. All parts of a long function have the same qualified name,
    and so have overloads in one file.
    """
    rows = connection.execute(
        "SELECT id, file_id, symbol FROM chunks"  # noqa: S608 (placeholders)
        f" WHERE id IN ({placeholders(chunk_ids)}) AND kind IN ({placeholders(kinds)})"
        " AND symbol <> ''",
        (*chunk_ids, *kinds),
    )
    return {chunk: (file, symbol) for chunk, file, symbol in rows}


def signature_and_doc(
    connection: sqlite3.Connection, path: str, qualified: str, lines: tuple[int, int]
) -> tuple[str, str]:
    """Return (signature, documentation) of the symbol `qualified` whose name is in these lines.

    `lines` is (first, last). Return ("", "") if there is no such symbol.
    """
    row: tuple[str, str] | None = connection.execute(
        "SELECT s.signature, s.doc FROM symbols s JOIN files f ON f.id = s.file_id"
        " WHERE f.path = ? AND s.qualified = ? AND s.line BETWEEN ? AND ?",
        (path, qualified, *lines),
    ).fetchone()
    return row or ("", "")
