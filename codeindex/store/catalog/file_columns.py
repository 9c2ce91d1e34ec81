"""Read a few columns of the table `files`."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3


def file_paths(connection: sqlite3.Connection) -> dict[int, str]:
    """Return {id: path} of every file."""
    return dict(connection.execute("SELECT id, path FROM files").fetchall())


def file_centralities(connection: sqlite3.Connection) -> dict[int, float]:
    """Return {id: centrality} of every file.

    The centrality of a file is the number of files that use it.
    """
    return dict(connection.execute("SELECT id, centrality FROM files").fetchall())


def count_files(connection: sqlite3.Connection) -> int:
    """Return how many files the catalog has, with any status."""
    (count,) = connection.execute("SELECT count(*) FROM files").fetchone()
    return int(count)


class FileTraits(NamedTuple):
    """The columns of a file by which lists of files are sorted before they are cut."""

    is_test: int
    language: str
    centrality: float


def file_traits(connection: sqlite3.Connection) -> dict[str, FileTraits]:
    """Return {path: traits} of every file."""
    rows = connection.execute("SELECT path, is_test, language, centrality FROM files")
    return {path: FileTraits(*traits) for path, *traits in rows}


SearchableFile = tuple[int, str, str, str, bool]
"""A file's id, path, language, module, and whether it is a test."""


def searchable_rows(connection: sqlite3.Connection) -> list[SearchableFile]:
    """Return (id, path, language, module, is_test) of the files whose whole text is indexed."""
    return connection.execute(
        "SELECT id, path, language, module, is_test FROM files WHERE status IN ('indexed', 'plain')"
    ).fetchall()


def minified_rows(connection: sqlite3.Connection) -> list[tuple[str, str, bool]]:
    """Return (path, language, is_test) of the minified files, which have no chunks."""
    rows = connection.execute(
        "SELECT path, language, is_test FROM files WHERE status = 'skipped' AND reason = 'minified'"
    )
    return [(path, language, bool(is_test)) for path, language, is_test in rows]


def skip_reason(connection: sqlite3.Connection, path: str) -> str:
    """Return why a file or folder (`a/b/`) was not indexed; "" if it was indexed or is unknown."""
    row = connection.execute(
        "SELECT reason FROM skipped WHERE path = ? UNION ALL SELECT reason FROM files"
        " WHERE path = ? AND status IN ('skipped', 'failed')",
        (path, path),
    ).fetchone()
    return str(row[0]) if row else ""


def non_test_files(connection: sqlite3.Connection, ids: Collection[int]) -> set[int]:
    """Return the ids of the files among `ids` that are not tests."""
    rows = connection.execute(
        f"SELECT f.id FROM files f WHERE NOT f.is_test AND f.id IN ({', '.join(map(str, ids))})"  # noqa: S608 (numbers)
    )
    return {file_id for (file_id,) in rows}


def mostly_test_folders(connection: sqlite3.Connection) -> set[str]:
    """Return the names of the top-level folders in which more than half of the files are tests."""
    rows = connection.execute(
        "SELECT substr(path, 1, instr(path, '/') - 1) AS folder FROM files"
        " WHERE instr(path, '/') GROUP BY folder HAVING avg(is_test) > 0.5"
    )
    return {folder for (folder,) in rows}
