"""Hide files from all queries of a connection, with temporary views that shadow the tables."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Collection, Iterator

_VIEWS = {
    "files": "id NOT IN hidden",
    "chunks": "file_id NOT IN hidden",
    "symbols": "file_id NOT IN hidden",
    "edges": "source_file NOT IN hidden AND ifnull(target_file, 0) NOT IN hidden",
}
"""{table: condition of the temporary view over it}. SQLite prefers the view for an unqualified
name."""


@contextlib.contextmanager
def hide_files(connection: sqlite3.Connection, paths: Collection[str]) -> Iterator[None]:
    """Hide these files from all queries of the connection until the block ends."""
    if not paths:
        yield
        return
    connection.execute("CREATE TEMP TABLE hidden (id INTEGER PRIMARY KEY)")
    for path in paths:
        connection.execute("INSERT INTO hidden SELECT id FROM main.files WHERE path = ?", (path,))
    for table, where in _VIEWS.items():
        connection.execute(f"CREATE TEMP VIEW {table} AS SELECT * FROM main.{table} WHERE {where}")  # noqa: S608 (constants)
    try:
        yield
    finally:
        for table in _VIEWS:
            connection.execute(f"DROP VIEW temp.{table}")
        connection.execute("DROP TABLE temp.hidden")


def hides_files(connection: sqlite3.Connection) -> bool:
    """Tell whether files are hidden from the queries of a connection now."""
    exists = "SELECT 1 FROM sqlite_temp_master WHERE name = 'hidden'"
    return connection.execute(exists).fetchone() is not None
