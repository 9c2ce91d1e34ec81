"""Queries of `verify` and `repair`: damaged tables, dangling edges, stored contents of files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from codeindex.store.catalog.files import ChunkRow

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

_MOST_ERRORS = 3
"""Errors that SQLite looks for: a message names only a few."""
_DANGLING = (
    "SELECT DISTINCT path FROM files WHERE id IN (SELECT source_file FROM edges"
    " WHERE target_file NOT IN (SELECT id FROM files)"
    " OR target_symbol NOT IN (SELECT id FROM symbols)"
    " OR source_symbol NOT IN (SELECT id FROM symbols)) ORDER BY path"
)
_WITHOUT_SOURCE = "SELECT count(*) FROM edges WHERE source_file NOT IN (SELECT id FROM files)"
_FILE_COLUMNS = (
    "id, path, digest, size, mtime_ns, ctime_ns, lines, status, findings, layout, language"
)
_FILE_VALUES = "SELECT id, status, lines, language, identifiers, findings FROM files WHERE path = ?"
_CHUNK_VALUES = (
    "SELECT start_line, end_line, kind, symbol, heading, context, has_secrets, page, text, tokens"
    " FROM chunks WHERE file_id = ? ORDER BY id"
)
_SYMBOL_VALUES = (
    "SELECT qualified, kind, line, start_line, end_line, signature, doc FROM symbols"
    " WHERE file_id = ? ORDER BY number"
)
_RELATION_VALUES = "SELECT declared, used, interface FROM relations WHERE file_id = ?"


class StoredFile(NamedTuple):
    """A file as it was when last read."""

    id: int
    path: str
    digest: str
    size: int
    mtime_ns: int
    ctime_ns: int
    lines: int
    status: str
    findings: str
    layout: bytes
    language: str


def integrity_errors(connection: sqlite3.Connection, *, full: bool) -> list[str]:
    """Return SQLite's messages on damage; a `full` check also compares indexes with tables."""
    pragma = "integrity_check" if full else "quick_check"
    messages = [text for (text,) in connection.execute(f"PRAGMA {pragma}({_MOST_ERRORS})")]
    return [] if messages == ["ok"] else messages


def tables_with_orphans(connection: sqlite3.Connection) -> list[str]:
    """Return the tables with rows whose foreign key leads nowhere."""
    rows = connection.execute("PRAGMA foreign_key_check").fetchmany(_MOST_ERRORS)
    return sorted({str(row[0]) for row in rows})


def count_edges(connection: sqlite3.Connection) -> int:
    (count,) = connection.execute("SELECT count(*) FROM edges").fetchone()
    return int(count)


def count_edges_without_source(connection: sqlite3.Connection) -> int:
    """Count the edges from files that are not in the catalog."""
    (count,) = connection.execute(_WITHOUT_SOURCE).fetchone()
    return int(count)


def paths_with_dangling_edges(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the files with edges whose symbols or target file are gone, by path."""
    return tuple(path for (path,) in connection.execute(_DANGLING))


def stored_files(connection: sqlite3.Connection) -> list[StoredFile]:
    """Return all files by path, those included that could not be read."""
    rows = connection.execute(f"SELECT {_FILE_COLUMNS} FROM files ORDER BY path")  # noqa: S608 (constants)
    return [StoredFile._make(row) for row in rows]


def stored_chunks(connection: sqlite3.Connection, file_id: int) -> list[tuple[ChunkRow, str]]:
    """Return the layout columns and the text of each chunk of a file, by id."""
    rows = connection.execute(
        "SELECT id, start_line, end_line, line, kind, symbol, heading, complexity, traits, text"
        " FROM chunks WHERE file_id = ? ORDER BY id",
        (file_id,),
    )
    return [(ChunkRow(*columns), text) for *columns, text in rows]


def stored_digests(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the digest of each file that could be read, by path."""
    return dict(connection.execute("SELECT path, digest FROM files WHERE digest != ''"))


def stored_contents(connection: sqlite3.Connection, path: str) -> list[Any]:
    """Return all that parsing a file gave: its columns, then rows of chunks, symbols, relations."""
    file_id, *values = connection.execute(_FILE_VALUES, (path,)).fetchone()
    parts = (_CHUNK_VALUES, _SYMBOL_VALUES, _RELATION_VALUES)
    return [*values, *(connection.execute(sql, (file_id,)).fetchall() for sql in parts)]


def path_and_text(connection: sqlite3.Connection, chunk_id: int) -> tuple[str, str]:
    """Return the path of a chunk's file and the text of the chunk."""
    path, text = connection.execute(
        "SELECT f.path, c.text FROM chunks c JOIN files f ON f.id = c.file_id WHERE c.id = ?",
        (chunk_id,),
    ).fetchone()
    return path, text


def forget_digests(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Clear the digests of files: the next sync finds them changed and reads them."""
    connection.executemany("UPDATE files SET digest = '' WHERE path = ?", ((p,) for p in paths))
