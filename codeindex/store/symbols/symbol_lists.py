"""List symbols with some property: names of a file, `main` functions, documented functions."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from typing import NamedTuple


class DocumentedFunction(NamedTuple):
    """A function with its documentation; `line` is the line of its name."""

    file_id: int
    name: str
    qualified: str
    start_line: int
    end_line: int
    line: int
    doc: str


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


def read_spans(
    connection: sqlite3.Connection, path: str, kinds: Collection[str]
) -> list[tuple[int, int]]:
    """Return (line of the name, last line) of a file's symbols whose kind is in `kinds`."""
    rows = connection.execute(
        "SELECT s.kind, s.line, s.end_line FROM symbols s JOIN files f ON f.id = s.file_id"
        " WHERE f.path = ?",
        (path,),
    )
    return [(line, end) for kind, line, end in rows if kind in kinds]


def read_documented_functions(
    connection: sqlite3.Connection, *, longer_than: int
) -> list[DocumentedFunction]:
    """Return functions and methods whose documentation has more than `longer_than` characters."""
    rows = connection.execute(
        "SELECT file_id, name, qualified, start_line, end_line, line, doc FROM symbols"
        " WHERE kind IN ('function', 'method') AND length(doc) > ?",
        (longer_than,),
    )
    return [DocumentedFunction(*row) for row in rows]
