"""Look up symbols by file, line and owner."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence

from codeindex.store.catalog.sql_values import placeholders
from codeindex.store.symbols.nodes import select_symbols
from codeindex.types import Node


def member_ids(connection: sqlite3.Connection, owner: Node) -> list[int]:
    """Return ids of the symbols inside the type `owner`: its members, and their members."""
    rows = connection.execute(
        "SELECT id FROM symbols WHERE file_id = ? AND qualified BETWEEN ? AND ?",
        (owner.file_id, f"{owner.qualified}.", f"{owner.qualified}.\U0010ffff"),
    )
    return [symbol for (symbol,) in rows]


def symbol_ids_in_files(connection: sqlite3.Connection, files: Sequence[int]) -> tuple[int, ...]:
    rows = connection.execute(
        f"SELECT id FROM symbols WHERE file_id IN ({placeholders(files)})",  # noqa: S608 (marks)
        tuple(files),
    )
    return tuple(symbol for (symbol,) in rows)


def symbols_in_lines(
    connection: sqlite3.Connection, path: str, first: int, last: int
) -> list[Node]:
    """Return the symbols of a file whose names are in these lines, in source order."""
    condition = "f.path = ? AND s.line BETWEEN ? AND ? ORDER BY s.number"
    return select_symbols(connection, condition, (path, first, last))


def symbol_place(connection: sqlite3.Connection, symbol: int) -> tuple[int, str]:
    """Return (file id, qualified name) of a symbol."""
    file_id, qualified = connection.execute(
        "SELECT file_id, qualified FROM symbols WHERE id = ?", (symbol,)
    ).fetchone()
    return file_id, qualified


def files_of_symbols(connection: sqlite3.Connection, symbols: Collection[int]) -> tuple[int, ...]:
    """Return the ids of the files that declare these symbols, each once."""
    rows = connection.execute(
        "SELECT DISTINCT file_id FROM symbols"  # noqa: S608 (numbers)
        f" WHERE id IN ({', '.join(map(str, symbols))})"
    )
    return tuple(file_id for (file_id,) in rows)


def test_symbols_containing(connection: sqlite3.Connection, folded: str) -> list[int]:
    """Return ids of the symbols in test files whose folded name (`fold_name`) contains `folded`."""
    rows = connection.execute(  # the inner query reads only an index, a third of the table
        "SELECT s.id FROM symbols s JOIN files f ON f.id = s.file_id WHERE f.is_test"
        " AND s.id IN (SELECT id FROM symbols WHERE instr(folded, ?))",
        (folded,),
    )
    return [symbol for (symbol,) in rows]


def owners_of_name(connection: sqlite3.Connection, name: str, folded: str) -> set[str]:
    """Return the qualified names of the types or functions that contain a symbol called `name`.

    Symbols in tests do not count. For a symbol at the top level, the result contains "". `folded`
    is the folded name (`fold_name`).
    """
    rows = connection.execute(
        "SELECT DISTINCT s.qualified FROM symbols s JOIN files f ON f.id = s.file_id"
        " WHERE s.folded = ? AND s.name = ? AND NOT f.is_test",
        (folded, name),
    )
    return {qualified.rpartition(".")[0] for (qualified,) in rows}


def non_test_symbols(connection: sqlite3.Connection, symbols: Collection[int]) -> set[int]:
    """Return those of the symbol ids that are not declared in test files."""
    rows = connection.execute(
        "SELECT s.id FROM symbols s JOIN files f ON f.id = s.file_id"  # noqa: S608 (numbers)
        f" WHERE NOT f.is_test AND s.id IN ({', '.join(map(str, symbols))})"
    )
    return {symbol for (symbol,) in rows}
