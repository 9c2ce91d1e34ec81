"""List files by role: all, tests, code, navigation documents, Python main modules."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping
from typing import NamedTuple


class CodeFile(NamedTuple):
    """An indexed file that is neither a test nor generated; it may be a document."""

    id: int
    path: str
    language: str
    centrality: float


SearchableFile = tuple[int, str, str, str, bool]
"""A file's id, path, language, module, and whether it is a test."""


def list_paths(connection: sqlite3.Connection) -> list[str]:
    """Return the paths of all files in the catalog, sorted."""
    return [path for (path,) in connection.execute("SELECT path FROM files ORDER BY path")]


def file_languages(connection: sqlite3.Connection) -> list[tuple[int, str, str]]:
    """Return (id, path, language) of every file."""
    return connection.execute("SELECT id, path, language FROM files").fetchall()


def list_test_paths(connection: sqlite3.Connection) -> list[str]:
    """Return the paths of test files, sorted."""
    rows = connection.execute("SELECT path FROM files WHERE is_test ORDER BY path")
    return [path for (path,) in rows]


def test_file_languages(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return (path, language) of every test file."""
    return connection.execute("SELECT path, language FROM files WHERE is_test").fetchall()


def non_test_files(connection: sqlite3.Connection, ids: Collection[int]) -> set[int]:
    """Return the ids of the files among `ids` that are not tests."""
    rows = connection.execute(
        f"SELECT f.id FROM files f WHERE NOT f.is_test AND f.id IN ({', '.join(map(str, ids))})"  # noqa: S608 (numbers)
    )
    return {file_id for (file_id,) in rows}


def read_test_flags(connection: sqlite3.Connection) -> Mapping[str, bool]:
    """Return {path: whether it is a test file} of every file."""
    rows = connection.execute("SELECT path, is_test FROM files")
    return {path: bool(is_test) for path, is_test in rows}


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


def searchable_rows(connection: sqlite3.Connection) -> list[SearchableFile]:
    """Return (id, path, language, module, is_test) of the files whose whole text is indexed."""
    return connection.execute(
        "SELECT id, path, language, module, is_test FROM files WHERE status IN ('indexed', 'plain')"
    ).fetchall()
