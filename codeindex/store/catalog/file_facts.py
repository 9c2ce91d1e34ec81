"""Read and write columns of all files: paths, stats, modules, skip reasons, in-degrees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3

    from codeindex.types import Skipped

_IN_DEGREES = (
    "SELECT target_file, count(DISTINCT source_file) FROM edges WHERE target_file IS NOT NULL"
    " AND source_file != target_file AND certainty = 'resolved'"
    " AND kind IN ('calls', 'extends', 'references', 'imports') GROUP BY target_file"
)


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


def indexed_paths(connection: sqlite3.Connection) -> set[str]:
    """Return the paths of all files in the catalog."""
    return {path for (path,) in connection.execute("SELECT path FROM files")}


def file_languages(connection: sqlite3.Connection) -> list[tuple[int, str, str]]:
    """Return (id, path, language) of every file."""
    return connection.execute("SELECT id, path, language FROM files").fetchall()


def content_by_path(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return (path, digest) of every file, sorted by path."""
    return connection.execute("SELECT path, digest FROM files ORDER BY path").fetchall()


def test_file_languages(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return (path, language) of every test file."""
    return connection.execute("SELECT path, language FROM files WHERE is_test").fetchall()


def skip_reasons(connection: sqlite3.Connection) -> dict[str, str]:
    """Return {path: reason} of the files and folders that discovery left out."""
    return dict(connection.execute("SELECT path, reason FROM skipped"))


def skipped_paths(connection: sqlite3.Connection) -> tuple[Skipped, ...]:
    """Return the files and folders that discovery left out, sorted by path."""
    from codeindex.types import Skipped  # searches do not need it

    rows = connection.execute("SELECT path, reason, languages FROM skipped ORDER BY path")
    return tuple(
        Skipped(path, why, None if names is None else tuple(names.split()))
        for path, why, names in rows
    )


def file_modules(connection: sqlite3.Connection) -> dict[str, str]:
    """Return {path: module name} of every file."""
    return dict(connection.execute("SELECT path, module FROM files"))


def set_modules(connection: sqlite3.Connection, modules: Mapping[str, str]) -> None:
    """Store {path: module name} of some files; call it inside `writing`."""
    connection.executemany(
        "UPDATE files SET module = ? WHERE path = ?",
        ((module, path) for path, module in modules.items()),
    )


def in_degrees(connection: sqlite3.Connection) -> dict[int, int]:
    """Return {file id: number of other files that use it} of every file.

    A use is a resolved call, `extends`, reference or import.
    """
    degrees = {file_id: 0 for (file_id,) in connection.execute("SELECT id FROM files")}
    used = connection.execute(_IN_DEGREES).fetchall()
    return degrees | {file_id: count for file_id, count in used if file_id in degrees}


def set_centrality(connection: sqlite3.Connection, degrees: Mapping[int, int]) -> None:
    """Store the centrality of files, given as {file id: centrality}; call it inside `writing`."""
    connection.executemany(
        "UPDATE files SET centrality = ? WHERE id = ?",
        ((degree, file_id) for file_id, degree in degrees.items()),
    )


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


def indexed_mtime(connection: sqlite3.Connection, path: str) -> int:
    """Return the modification time of a file when it was indexed, in ns; 0 for an unknown path."""
    row = connection.execute("SELECT mtime_ns FROM files WHERE path = ?", (path,)).fetchone()
    return int(row[0]) if row else 0
