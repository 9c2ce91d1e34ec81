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
_REDACT = "redact_stored"
"""Name of the SQL function that calls `Redact`."""


@contextlib.contextmanager
def hide_files(connection: sqlite3.Connection, paths: Collection[str]) -> Iterator[None]:
    """Hide these files from all queries of the connection until the block ends."""
    if not paths:
        yield
        return
    with contextlib.ExitStack() as views:
        if not _has_views(connection):
            views.enter_context(_views(connection, redacted=False))
        for path in paths:
            connection.execute(
                "INSERT INTO hidden SELECT id FROM main.files WHERE path = ?", (path,)
            )
        try:
            yield
        finally:
            connection.execute("DELETE FROM hidden")


@contextlib.contextmanager
def redact_stored_text(connection: sqlite3.Connection, redact: Redact | None) -> Iterator[None]:
    """Redact the stored text in the results of all queries of a connection until the block ends.

    It is for an index whose files were redacted by former rules. Without `redact`, texts are
    returned as they are stored.
    """
    if redact is None:
        yield
        return
    connection.create_function(_REDACT, 2, redact)
    with _views(connection, redacted=True):
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
def _views(connection: sqlite3.Connection, *, redacted: bool) -> Iterator[None]:
    """Shadow the tables by views, which return redacted text if wanted, until the block ends."""
    connection.execute("CREATE TEMP TABLE hidden (id INTEGER PRIMARY KEY)")
    for table, where in _VIEWS.items():
        columns = _redacted_columns(connection, table) if redacted else "*"
        connection.execute(
            f"CREATE TEMP VIEW {table} AS SELECT {columns} FROM main.{table} WHERE {where}"  # noqa: S608 (constants)
        )
    try:
        yield
    finally:
        for table in _VIEWS:
            connection.execute(f"DROP VIEW temp.{table}")
        connection.execute("DROP TABLE temp.hidden")


def _redacted_columns(connection: sqlite3.Connection, table: str) -> str:
    """Return the list of a table's columns for a SELECT that redacts those of text."""
    path = "(SELECT path FROM main.files WHERE files.id = file_id)"
    columns = connection.execute(f"PRAGMA main.table_info({table})").fetchall()
    texts = _TEXT_COLUMNS.get(table, ())
    return ", ".join(
        f"{_REDACT}({name}, {path}) AS {name}" if name in texts else name for _, name, *_ in columns
    )
