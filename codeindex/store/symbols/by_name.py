"""Read symbols by folded name, and the definitions around a chunk.

A folded name is in lower case without underscores (`fold_name`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable

from codeindex.store.catalog.sql_values import placeholders, value_batches
from codeindex.store.symbols.nodes import select_symbols
from codeindex.types import Node

_MAX_ROWS = 5_000
"""Maximum number of symbols that are read for one batch of names."""


def symbols_by_folded_names(connection: sqlite3.Connection, folded: Iterable[str]) -> list[Node]:
    """Return the symbols with these folded names (`fold_name`), except sections of documents.

    At most 5,000 symbols are read for each 500 names.
    """
    other = f"s.kind != 'section' LIMIT {_MAX_ROWS}"
    return [
        symbol
        for part in value_batches(folded)
        for symbol in select_symbols(
            connection, f"s.folded IN ({placeholders(part)}) AND {other}", part
        )
    ]


def definitions_by_folded_name(
    connection: sqlite3.Connection, folded: str, limit: int = -1
) -> list[Node]:
    """Return at most `limit` symbols with this folded name (`fold_name`); -1 for all.

    Sections of documents are included.
    """
    return select_symbols(connection, "s.folded = ? LIMIT ?", (folded, limit))


def file_symbols_by_folded_names(
    connection: sqlite3.Connection, file_id: int, folded: Collection[str]
) -> list[Node]:
    """Return the symbols of a file with these folded names (`fold_name`), sorted by line."""
    condition = f"s.file_id = ? AND s.folded IN ({placeholders(folded)}) ORDER BY s.line"
    return select_symbols(connection, condition, (file_id, *folded))


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


def definition_names(
    connection: sqlite3.Connection, chunk_ids: Collection[int], kinds: Collection[str]
) -> dict[int, tuple[int, str]]:
    """Return {chunk id: (file id, qualified name)} of the chunks whose kind is in `kinds`.

    Only chunks in `chunk_ids` are read. All parts of a long definition have the same qualified
    name, and so have overloads in one file.
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
