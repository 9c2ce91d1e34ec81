"""Store the watched paths, which tree scans check: folders, skipped files and rule files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeindex.types import WatchedPath


def read_watched(connection: sqlite3.Connection) -> list[WatchedPath]:
    """Return all watched paths, sorted."""
    from codeindex.types import WatchedPath  # hooks import this module: keep that fast

    rows = connection.execute("SELECT path, kind, mtime_ns, ctime_ns FROM watched ORDER BY path")
    return list(map(WatchedPath._make, rows))


def git_index_paths(connection: sqlite3.Connection) -> list[str]:
    """Return the absolute paths of the git indexes of the tree and of its submodules."""
    rows = connection.execute("SELECT path FROM watched WHERE kind = 'listing' ORDER BY path")
    return [path for (path,) in rows]


def watched_folders(connection: sqlite3.Connection) -> list[str]:
    """Return the paths of all watched folders."""
    rows = connection.execute("SELECT path FROM watched WHERE kind = 'folder'")
    return [path for (path,) in rows]


def read_watched_at(connection: sqlite3.Connection, folders: Iterable[str]) -> list[WatchedPath]:
    """Return the watched folders in `folders`, and all watched paths that are not folders."""
    from codeindex.types import WatchedPath  # hooks import this module: keep that fast

    rows = connection.execute(
        "SELECT path, kind, mtime_ns, ctime_ns FROM watched WHERE kind != 'folder' ORDER BY path"
    ).fetchall()
    for folder in folders:
        rows += connection.execute(
            "SELECT path, kind, mtime_ns, ctime_ns FROM watched WHERE path = ? AND kind = 'folder'",
            (folder,),
        )
    return list(map(WatchedPath._make, rows))


def is_known_path(connection: sqlite3.Connection, path: str) -> bool:
    """Tell whether a path is an indexed file or a watched path; that of a folder ends with `/`."""
    if path.endswith("/"):
        statement = "SELECT 1 FROM watched WHERE path = ? AND kind = 'folder'"
        return bool(connection.execute(statement, (path[:-1],)).fetchone())
    return bool(
        connection.execute(
            "SELECT 1 FROM files WHERE path = ?"
            " UNION ALL SELECT 1 FROM watched WHERE path = ? AND kind != 'folder'",
            (path, path),
        ).fetchone()
    )


def add_watched(connection: sqlite3.Connection, rows: Iterable[WatchedPath]) -> None:
    connection.executemany("INSERT OR REPLACE INTO watched VALUES (?, ?, ?, ?)", rows)


def replace_watched(connection: sqlite3.Connection, rows: Iterable[WatchedPath]) -> None:
    """Replace all watched paths by `rows`."""
    connection.execute("DELETE FROM watched")
    add_watched(connection, rows)


def delete_watched(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Delete the watched paths at and below `paths`."""
    for path in paths:
        connection.execute("DELETE FROM watched WHERE path = ?", (path,))
        connection.execute("DELETE FROM watched WHERE path >= ? AND path < ?", subtree_bounds(path))


def subtree_bounds(folder: str) -> tuple[str, str]:
    """Return (first, end): the paths below `folder` are those with `first <= path < end`."""
    return f"{folder}/", f"{folder}0"  # '0' is the character after '/'
