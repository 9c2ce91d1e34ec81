"""Find files by path, suffix or module."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from codeindex.store.catalog.sql_values import escape_like

_WITHIN = " OR ".join(["'/' || path LIKE '%/' || ? || '/%' ESCAPE '\\'"] * 2)


class FileRow(NamedTuple):
    """The id, path and module name of a file."""

    id: int
    path: str
    module: str


def line_count(connection: sqlite3.Connection, file_id: int) -> int:
    (lines,) = connection.execute("SELECT lines FROM files WHERE id = ?", (file_id,)).fetchone()
    return int(lines)


def language_of_file(connection: sqlite3.Connection, file_id: int) -> str:
    (language,) = connection.execute(
        "SELECT language FROM files WHERE id = ?", (file_id,)
    ).fetchone()
    return str(language)


def parsed_file_id(connection: sqlite3.Connection, path: str) -> int | None:
    """Return the id of a file that was parsed with a grammar.

    Return None for other files and for unknown paths.
    """
    row = connection.execute(
        "SELECT id FROM files WHERE path = ? AND status = 'indexed'", (path,)
    ).fetchone()
    return row[0] if row else None


def has_path(connection: sqlite3.Connection, path: str) -> bool:
    """Tell whether `path` is an indexed file, a folder with one, or a file without its suffix.

    `"shop/cart"` matches `shop/cart.py`.
    """
    bounds = (path, f"{path}.", f"{path}0")  # 0 follows the slash in ASCII
    row = connection.execute(
        "SELECT 1 FROM files WHERE path = ? OR path >= ? AND path < ? LIMIT 1", bounds
    ).fetchone()
    return row is not None


def has_suffix(connection: sqlite3.Connection, suffix: str) -> bool:
    """Tell whether the path of any file ends with `suffix`, ignoring ASCII case."""
    found = connection.execute(
        "SELECT 1 FROM files WHERE path LIKE ? ESCAPE '\\' LIMIT 1", (f"%{escape_like(suffix)}",)
    ).fetchone()
    return found is not None


def files_with_stem(connection: sqlite3.Connection, stem: str) -> list[tuple[int, str]]:
    """Return (id, path) of the file at `stem` and of the files `stem.*`, sorted by path.

    `stem` is a path without suffix: `"shop/cart"` finds `shop/cart.py`.
    """
    rows = connection.execute(
        "SELECT id, path FROM files WHERE path = ? OR path > ? AND path < ? ORDER BY path",
        (stem, f"{stem}.", f"{stem}/"),
    )
    return rows.fetchall()


def files_of_module(connection: sqlite3.Connection, module: str) -> list[tuple[int, str]]:
    return connection.execute("SELECT id, path FROM files WHERE module = ?", (module,)).fetchall()


def files_ending_with(connection: sqlite3.Connection, path: str, module: str) -> list[FileRow]:
    """Return the files whose path ends with `"/" + path`, or whose module ends with `module`.

    `module` must equal the module name or its last dotted parts.
    """
    rows = connection.execute(
        "SELECT id, path, module FROM files WHERE path LIKE '%/' || ? ESCAPE '\\'"
        " OR module = ? OR module LIKE '%.' || ? ESCAPE '\\'",
        (escape_like(path), module, escape_like(module)),
    )
    return [FileRow._make(row) for row in rows]


def modules_below(connection: sqlite3.Connection, folders: set[str]) -> list[tuple[int, str]]:
    """Return (id, path) of the files in one of `folders` that belong to a module.

    `folders` has one or two relative paths, such as `src/shop`; a folder with this path matches at
    any depth of the tree. ASCII case is ignored.
    """
    rows = connection.execute(
        f"SELECT id, path FROM files WHERE module != '' AND ({_WITHIN})",  # noqa: S608 (constant)
        [escape_like(max(folders)), escape_like(min(folders))],
    )
    return rows.fetchall()


def rust_paths_containing(connection: sqlite3.Connection, part: str) -> list[str]:
    rows = connection.execute(
        "SELECT path FROM files WHERE path LIKE '%' || ? || '%.rs' ESCAPE '\\'",
        (escape_like(part),),
    )
    return [path for (path,) in rows]
