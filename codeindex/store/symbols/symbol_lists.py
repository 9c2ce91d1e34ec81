"""List symbols with some property: names of a file, `main` functions, documented functions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from codeindex.store.catalog.sql_values import select_in
from codeindex.store.symbols.nodes import select_symbols
from codeindex.text.words import fold_name
from codeindex.types import Node


def read_qualified_names(connection: sqlite3.Connection, file_id: int) -> dict[int, str]:
    """Return {id: qualified name} of the symbols of a file."""
    rows = connection.execute("SELECT id, qualified FROM symbols WHERE file_id = ?", (file_id,))
    return dict(rows.fetchall())


def qualified_names_ending_with(
    connection: sqlite3.Connection, names: Iterable[str]
) -> frozenset[tuple[str, str]]:
    """Return the (path, qualified name) of each symbol that may have one of `names`.

    These are the symbols whose name is one of `names` apart from case and underscores, and all
    symbols whose own name has dots, such as the Elixir module `Shop.Cart`, whatever `names` are.
    """
    folded = {fold_name(name) for name in names}
    of_symbols = "SELECT f.path, s.qualified FROM symbols s JOIN files f ON f.id = s.file_id"
    rows = set(select_in(connection, f"{of_symbols} WHERE s.folded IN (...)", folded))
    dotted = "s.id IN (SELECT id FROM symbols WHERE instr(folded, '.'))"
    return frozenset(rows.union(connection.execute(f"{of_symbols} WHERE {dotted}")))


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
