"""List and count indexed files, for reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codeindex.store.catalog.sql_values import escape_like

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping


class CodeFile(NamedTuple):
    """An indexed file that is neither a test nor generated; it may be a document."""

    id: int
    path: str
    language: str
    centrality: float


class FileState(NamedTuple):
    """The digest of a file's indexed content, or the reason why the file is not indexed.

    The other of the two is "".
    """

    digest: str = ""
    reason: str = ""


def list_paths(connection: sqlite3.Connection) -> list[str]:
    """Return the paths of all files in the catalog, sorted."""
    return [path for (path,) in connection.execute("SELECT path FROM files ORDER BY path")]


def list_test_paths(connection: sqlite3.Connection) -> list[str]:
    """Return the paths of test files, sorted."""
    rows = connection.execute("SELECT path FROM files WHERE is_test ORDER BY path")
    return [path for (path,) in rows]


def list_navigation_paths(connection: sqlite3.Connection) -> list[str]:
    """Return the paths of navigation documents such as README.md, sorted."""
    rows = connection.execute("SELECT path FROM files WHERE is_navigation ORDER BY path")
    return [path for (path,) in rows]


def list_code_candidates(connection: sqlite3.Connection) -> list[CodeFile]:
    """Return the indexed files that are neither tests nor generated, sorted by path.

    Documents are included.
    """
    rows = connection.execute(
        "SELECT id, path, language, centrality FROM files WHERE status IN ('indexed', 'plain')"
        " AND NOT is_test AND NOT is_generated ORDER BY path"
    )
    return [CodeFile(*row) for row in rows]


def list_main_modules(connection: sqlite3.Connection) -> list[str]:
    """Return the paths of Python's `__main__.py` files outside of tests, sorted."""
    rows = connection.execute(
        "SELECT path FROM files WHERE path GLOB '*__main__.py' AND NOT is_test ORDER BY path"
    )
    return [path for (path,) in rows if path.rpartition("/")[2] == "__main__.py"]


def list_module_names(connection: sqlite3.Connection) -> list[str]:
    """Return the module names of all files outside of tests; files without one are left out."""
    rows = connection.execute("SELECT module FROM files WHERE NOT is_test AND module != ''")
    return [module for (module,) in rows]


def read_test_flags(connection: sqlite3.Connection) -> Mapping[str, bool]:
    """Return {path: whether it is a test file} of every file."""
    rows = connection.execute("SELECT path, is_test FROM files")
    return {path: bool(is_test) for path, is_test in rows}


def read_identifier_blobs(connection: sqlite3.Connection) -> Mapping[int, bytes]:
    """Return {file id: checksums of the identifiers in the file}.

    The checksums are CRC-32 sums (`name_checksum`), packed as little-endian uint32.
    """
    return dict(connection.execute("SELECT id, identifiers FROM files"))


def count_files_and_lines(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return (number of indexed files, number of their lines)."""
    count, lines = connection.execute(
        "SELECT count(*), coalesce(sum(lines), 0) FROM files WHERE status IN ('indexed', 'plain')"
    ).fetchone()
    return count, lines


def count_files_and_chunks(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return (number of indexed files, number of chunks)."""
    files, chunks = connection.execute(
        "SELECT (SELECT count(*) FROM files WHERE status IN ('indexed', 'plain')),"
        " (SELECT count(*) FROM chunks)"
    ).fetchone()
    return files, chunks


def count_indexed_below(connection: sqlite3.Connection, place: str) -> int:
    """Count the indexed files whose path is `place` or lies below it; '' is the root."""
    (count,) = connection.execute(
        "SELECT count(*) FROM files WHERE status IN ('indexed', 'plain')"
        " AND (:place = '' OR path = :place OR path >= :place || '/' AND path < :place || '0')",
        {"place": place},
    ).fetchone()
    return int(count)


def list_unindexed(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Return (path, reason, status) of files and folders that are not indexed, sorted by path.

    The status is `skipped` or `failed`.
    """
    return connection.execute(
        "SELECT path, reason, 'skipped' FROM skipped UNION ALL"
        " SELECT path, reason, status FROM files WHERE status IN ('skipped', 'failed')"
        " ORDER BY path"
    ).fetchall()


def read_file_state(connection: sqlite3.Connection, path: str) -> FileState:
    """Return the digest and the skip reason of a path; both are '' for an unknown path."""
    row = connection.execute(
        "SELECT digest, CASE WHEN status IN ('skipped', 'failed') THEN reason ELSE '' END"
        " FROM files WHERE path = :path"
        " UNION ALL SELECT '', reason FROM skipped WHERE path = :path",
        {"path": path},
    ).fetchone()
    return FileState(*row) if row else FileState()


def parsed_file_id(connection: sqlite3.Connection, path: str) -> int | None:
    """Return the id of a file that was parsed with a grammar.

    Return None for other files and for unknown paths.
    """
    row = connection.execute(
        "SELECT id FROM files WHERE path = ? AND status = 'indexed'", (path,)
    ).fetchone()
    return row[0] if row else None


def has_suffix(connection: sqlite3.Connection, suffix: str) -> bool:
    """Tell whether the path of any file ends with `suffix`, ignoring ASCII case."""
    found = connection.execute(
        "SELECT 1 FROM files WHERE path LIKE ? ESCAPE '\\' LIMIT 1", (f"%{escape_like(suffix)}",)
    ).fetchone()
    return found is not None
