"""Read the rows that `verify` compares with files and indexes; run SQLite's integrity checks."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any, NamedTuple

from codeindex.store.catalog.packed_chunks import PackedChunksError, packed_columns
from codeindex.store.catalog.write_files import ChunkRow

_REPORTED_ERRORS = 3
"""Number of errors in a report; SQLite would list up to 100."""
_DANGLING_EDGES = (  # in SQL, NULL is not in an empty table: without symbols, edges have none
    "SELECT DISTINCT path FROM files WHERE id IN (SELECT source_file FROM edges"
    " WHERE target_file IS NOT NULL AND target_file NOT IN (SELECT id FROM files)"
    " OR target_symbol IS NOT NULL AND target_symbol NOT IN (SELECT id FROM symbols)"
    " OR source_symbol IS NOT NULL AND source_symbol NOT IN (SELECT id FROM symbols)) ORDER BY path"
)
_PREPARED_CHUNKS = (
    "SELECT start_line, end_line, kind, symbol, heading, has_secrets, page, text"
    " FROM chunks WHERE file_id = ? ORDER BY id"
)
_PREPARED_SYMBOLS = (
    "SELECT qualified, kind, line, start_line, end_line, signature, doc FROM symbols"
    " WHERE file_id = ? ORDER BY number"
)
_PREPARED_RELATIONS = "SELECT declared, used, interface FROM relations WHERE file_id = ?"


class VerifiedFile(NamedTuple):
    """The columns of a file that `verify` compares with the file on disk."""

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
    """Return at most three errors that SQLite's integrity check finds in the tables.

    With `full`, the indexes of the tables are checked too.
    """
    pragma = "integrity_check" if full else "quick_check"
    messages = [text for (text,) in connection.execute(f"PRAGMA {pragma}({_REPORTED_ERRORS})")]
    return [] if messages == ["ok"] else messages


def tables_with_orphans(connection: sqlite3.Connection) -> list[str]:
    """Return the names of the tables with a row that refers to a row that does not exist.

    SQLite is asked for three such rows only, so the list may be incomplete.
    """
    rows = connection.execute("PRAGMA foreign_key_check").fetchmany(_REPORTED_ERRORS)
    return sorted({str(row[0]) for row in rows})


def count_edges(connection: sqlite3.Connection) -> int:
    """Return the number of edges in the catalog, whether resolved or not."""
    return int(connection.execute("SELECT count(*) FROM edges").fetchone()[0])


def count_edges_without_source(connection: sqlite3.Connection) -> int:
    """Count the edges whose source file is missing."""
    sql = "SELECT count(*) FROM edges WHERE source_file NOT IN (SELECT id FROM files)"
    return int(connection.execute(sql).fetchone()[0])


def files_with_dangling_edges(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the paths of files with an edge from or to a file or symbol that does not exist."""
    return tuple(path for (path,) in connection.execute(_DANGLING_EDGES))


def verified_files(connection: sqlite3.Connection) -> list[VerifiedFile]:
    """Return all files, sorted by path."""
    columns = ", ".join(VerifiedFile._fields)
    rows = connection.execute(f"SELECT {columns} FROM files ORDER BY path")  # noqa: S608 (constants)
    return [VerifiedFile._make(row) for row in rows]


def chunk_rows_with_text(
    connection: sqlite3.Connection, file_id: int
) -> list[tuple[ChunkRow, str]]:
    """Return the chunks of a file with their texts, ascending by chunk id."""
    rows = connection.execute(
        "SELECT id, start_line, end_line, line, kind, symbol, heading, complexity, traits, text"
        " FROM chunks WHERE file_id = ? ORDER BY id",
        (file_id,),
    )
    return [(ChunkRow(*columns), text) for *columns, text in rows]


def are_packed_columns_sound(connection: sqlite3.Connection, file_id: int) -> bool:
    """Tell whether every chunk of a file has a readable context and token counts."""
    try:
        packed_columns(connection, file_id)
    except PackedChunksError:
        return False
    return True


def read_digests(connection: sqlite3.Connection) -> dict[str, str]:
    """Return {path: digest} of the files whose content was read."""
    return dict(connection.execute("SELECT path, digest FROM files WHERE digest != ''"))


def prepared_columns(connection: sqlite3.Connection, path: str) -> list[Any]:
    """Return the stored data of a file, which `verify` compares with the file prepared again.

    The list has the columns of the file, then the rows of its chunks, their contexts and token
    counts, and the rows of its symbols and relations.
    """
    file_id, *values = connection.execute(
        "SELECT id, status, lines, language, identifiers, findings FROM files WHERE path = ?",
        (path,),
    ).fetchone()
    try:
        packed = packed_columns(connection, file_id)
    except PackedChunksError:  # no file is prepared like this
        packed = []
    queries = (_PREPARED_CHUNKS, _PREPARED_SYMBOLS, _PREPARED_RELATIONS)
    chunks, *others = (connection.execute(sql, (file_id,)).fetchall() for sql in queries)
    return [*values, chunks, packed, *others]


def clear_digests(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Clear the digests of files, so that the next sync reads the files again.

    Call it inside `writing`.
    """
    connection.executemany(
        "UPDATE files SET digest = '' WHERE path = ?", ((path,) for path in paths)
    )
