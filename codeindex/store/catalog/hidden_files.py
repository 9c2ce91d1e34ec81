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
_REDACTED = {
    "heading": "redact_stored(heading, {path})",
    "signature": "redact_stored(signature, {path})",
    "doc": "redact_stored(doc, {path})",
    "text": "redact_stored_lines(text, {path}, file_id, start_line)",
}
"""{column that quotes lines of a file: SQL expression of its redacted value}."""


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
    connection.create_function("redact_stored", 2, redact)
    connection.create_function("redact_stored_lines", 4, _LineRedaction(connection, redact))
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
    names = [name for _, name, *_ in connection.execute(f"PRAGMA main.table_info({table})")]
    return ", ".join(
        f"{_REDACTED[name].format(path=path)} AS {name}" if name in _REDACTED else name
        for name in names
    )


class _LineRedaction:
    """An SQL function that redacts the text of a chunk together with the rest of its file.

    The lines around a chunk can reveal a secret: a private key is known by its first line, which
    another chunk may hold. The texts of the last file are kept, since queries read chunks by file.
    """

    def __init__(self, connection: sqlite3.Connection, redact: Redact) -> None:
        self._connection = connection
        self._redact = redact
        self._file_id = 0
        self._texts: dict[int, str] = {}

    def __call__(self, text: str, path: str, file_id: int, start_line: int) -> str:
        if file_id != self._file_id:
            self._texts, self._file_id = self._redacted_chunks(path, file_id), file_id
        known = self._texts.get(start_line)
        return self._redact(text, path) if known is None else known

    def _redacted_chunks(self, path: str, file_id: int) -> dict[int, str]:
        """Return {first line: redacted text} of a file's chunks; {} if lines cannot be told apart.

        Pages and cells of documents have line numbers of the text that was made of the document.
        """
        rows = self._connection.execute(
            "SELECT start_line, text FROM main.chunks WHERE file_id = ? ORDER BY start_line",
            (file_id,),
        ).fetchall()
        lines: list[str] = []
        for start_line, text in rows:
            if len(lines) >= start_line:
                return {}
            lines += [""] * (start_line - 1 - len(lines)) + text.split("\n")
        redacted = self._redact("\n".join(lines), path).split("\n")
        if len(redacted) != len(lines):
            return {}
        return {
            start_line: "\n".join(redacted[start_line - 1 : start_line + text.count("\n")])
            for start_line, text in rows
        }
