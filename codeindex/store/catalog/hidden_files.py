"""Hide files from all queries of a connection, and redact stored text, by temporary views.

The views have the names of the tables; SQLite prefers the view for an unqualified name.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Collection, Iterator

Redact = Callable[[str, str], str]
"""A function that returns a stored text without secrets; its arguments are the text and the path of
its file."""

_VIEWS = {
    "files": "id NOT IN hidden",
    "chunks": "file_id NOT IN hidden",
    "symbols": "file_id NOT IN hidden",
    "edges": "source_file NOT IN hidden AND ifnull(target_file, 0) NOT IN hidden",
}
"""{table: condition of the temporary view over it}."""
_TEXT_COLUMNS = {"chunks": ("heading", "text"), "symbols": ("signature", "doc")}
"""{table: its columns that quote lines of a file}."""


@contextlib.contextmanager
def hide_files(connection: sqlite3.Connection, paths: Collection[str]) -> Iterator[None]:
    """Hide these files from all queries of the connection until the block ends."""
    if not paths:
        yield
        return
    with contextlib.ExitStack() as views:
        if not _has_views(connection):
            views.enter_context(_views(connection, None))
        for path in paths:
            connection.execute(
                "INSERT INTO hidden SELECT id FROM main.files WHERE path = ?", (path,)
            )
        try:
            yield
        finally:
            connection.execute("DELETE FROM hidden")


@contextlib.contextmanager
def redact_stored_text(connection: sqlite3.Connection, redact: Redact) -> Iterator[None]:
    """Return stored text through `redact` in all queries of the connection until the block ends.

    It is for an index whose files were redacted by former rules.
    """
    connection.create_function("redact_stored", 2, redact)
    with _views(connection, "redact_stored"):
        yield


def hides_files(connection: sqlite3.Connection) -> bool:
    """Tell whether files are hidden from the queries of a connection now."""
    return (
        _has_views(connection) and connection.execute("SELECT 1 FROM hidden").fetchone() is not None
    )


def _has_views(connection: sqlite3.Connection) -> bool:
    exists = "SELECT 1 FROM sqlite_temp_master WHERE name = 'hidden'"
    return connection.execute(exists).fetchone() is not None


@contextlib.contextmanager
def _views(connection: sqlite3.Connection, function: str | None) -> Iterator[None]:
    """Shadow the tables by views until the block ends; text passes through the SQL `function`."""
    connection.execute("CREATE TEMP TABLE hidden (id INTEGER PRIMARY KEY)")
    for table, where in _VIEWS.items():
        columns = _columns(connection, table, function) if function else "*"
        connection.execute(
            f"CREATE TEMP VIEW {table} AS SELECT {columns} FROM main.{table} WHERE {where}"  # noqa: S608 (constants)
        )
    try:
        yield
    finally:
        for table in _VIEWS:
            connection.execute(f"DROP VIEW temp.{table}")
        connection.execute("DROP TABLE temp.hidden")


def _columns(connection: sqlite3.Connection, table: str, function: str) -> str:
    path = "(SELECT path FROM main.files WHERE files.id = file_id)"
    columns = connection.execute(f"PRAGMA main.table_info({table})").fetchall()
    texts = _TEXT_COLUMNS.get(table, ())
    return ", ".join(
        f"{function}({name}, {path}) AS {name}" if name in texts else name
        for _, name, *_ in columns
    )
