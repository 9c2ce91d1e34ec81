"""Read size, times and digests of indexed files, to notice changes; mark files as surveyed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class FileStat(NamedTuple):
    """Size and times of a file when it was indexed."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int


def file_stats(connection: sqlite3.Connection) -> list[FileStat]:
    """Return size and times of every file, the most recently changed file first."""
    rows = connection.execute(
        "SELECT path, size, mtime_ns, ctime_ns FROM files ORDER BY max(mtime_ns, ctime_ns) DESC"
    )
    return list(map(FileStat._make, rows))


def file_stat(connection: sqlite3.Connection, path: str) -> FileStat | None:
    """Return size and times of one file, None for an unknown path."""
    row = connection.execute(
        "SELECT path, size, mtime_ns, ctime_ns FROM files WHERE path = ?", (path,)
    ).fetchone()
    return FileStat._make(row) if row else None


def unordered_stats(connection: sqlite3.Connection) -> Iterator[tuple[str, int, int, int]]:
    """Yield (path, size, mtime_ns, ctime_ns) of every file, which is faster than `file_stats`."""
    yield from connection.execute("SELECT path, size, mtime_ns, ctime_ns FROM files")


def indexed_digest(connection: sqlite3.Connection, path: str) -> str | None:
    """Return the SHA-256 of a file when it was indexed, None for an unknown path."""
    row = connection.execute("SELECT digest FROM files WHERE path = ?", (path,)).fetchone()
    return None if row is None else str(row[0])


class SmallestFile(NamedTuple):
    """The smallest parsed file of a language, with its size and times when it was indexed."""

    path: str
    language: str
    size: int
    mtime_ns: int
    ctime_ns: int


def smallest_files(connection: sqlite3.Connection) -> list[SmallestFile]:
    """Return the smallest parsed file of each language; languages with most files come first."""
    rows = connection.execute(
        "SELECT path, language, min(size), mtime_ns, ctime_ns FROM files"
        " WHERE status = 'indexed' AND size > 0 GROUP BY language ORDER BY count(*) DESC"
    )
    return list(map(SmallestFile._make, rows))


def content_by_path(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return (path, digest) of every file, sorted by path."""
    return connection.execute("SELECT path, digest FROM files ORDER BY path").fetchall()


def mark_surveyed(connection: sqlite3.Connection) -> None:
    """Mark all files as surveyed: their patterns and mentions are up to date with their content."""
    connection.execute("DELETE FROM gone")
    connection.execute("UPDATE files SET surveyed = 1 WHERE NOT surveyed")


def unsurveyed_paths(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the paths of the files that were added, changed or deleted after `mark_surveyed`."""
    rows = connection.execute(
        "SELECT path FROM files WHERE NOT surveyed UNION SELECT path FROM gone"
    ).fetchall()
    return (path for (path,) in rows)


def unsurveyed_files(
    connection: sqlite3.Connection, languages: Iterable[str]
) -> list[tuple[int, str, str]]:
    """Return (id, path, language) of the files that were added or changed after `mark_surveyed`.

    Only files in these languages are returned, sorted by path.
    """
    wanted = frozenset(languages)
    rows = connection.execute(
        "SELECT id, path, language FROM files WHERE NOT surveyed ORDER BY path"
    ).fetchall()
    return [row for row in rows if row[2] in wanted]
