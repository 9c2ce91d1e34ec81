"""List symbols with some property: names of a file, `main` functions, documented functions."""

from __future__ import annotations

import sqlite3

from codeindex.store.symbols.nodes import select_symbols
from codeindex.types import Node


def read_qualified_names(connection: sqlite3.Connection, file_id: int) -> dict[int, str]:
    """Return {id: qualified name} of the symbols of a file."""
    rows = connection.execute("SELECT id, qualified FROM symbols WHERE file_id = ?", (file_id,))
    return dict(rows.fetchall())


def read_all_qualified_names(connection: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """Return (path, qualified name) of every symbol."""
    rows = connection.execute(
        "SELECT f.path, s.qualified FROM symbols s JOIN files f ON f.id = s.file_id"
    )
    return frozenset(rows)


def read_unique_members(connection: sqlite3.Connection, file_id: int) -> list[tuple[int, str]]:
    """Return (id, name) of those members in a file whose name no other symbol has.

    Names are compared in folded form (`fold_name`).
    """
    return connection.execute(
        "SELECT s.id, s.name FROM symbols s WHERE s.file_id = ? AND instr(s.qualified, '.')"
        " AND 1 = (SELECT count(*) FROM symbols o WHERE o.folded = s.folded)",
        (file_id,),
    ).fetchall()


def read_main_functions(connection: sqlite3.Connection, *, limit: int) -> list[tuple[str, int]]:
    """Return (path, line) of top-level functions `main` outside of tests, sorted by path."""
    return connection.execute(
        "SELECT f.path, s.line FROM symbols s JOIN files f ON f.id = s.file_id"
        " WHERE s.folded = 'main' AND s.kind = 'function' AND s.qualified = s.name"
        " AND NOT f.is_test AND NOT f.is_generated ORDER BY f.path LIMIT ?",
        (limit,),
    ).fetchall()


def read_documented_functions(connection: sqlite3.Connection, *, longer_than: int) -> list[Node]:
    """Return functions and methods whose documentation has more than `longer_than` characters."""
    condition = "s.kind IN ('function', 'method') AND length(s.doc) > ?"
    return select_symbols(connection, condition, (longer_than,))
