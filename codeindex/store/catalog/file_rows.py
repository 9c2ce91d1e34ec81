"""Read columns of files for scoring and counts; find files by path or module."""

from __future__ import annotations

from collections.abc import Collection
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from codeindex.store.catalog.sql_values import escape_like
from codeindex.types import Skipped

if TYPE_CHECKING:
    import sqlite3

_WITHIN = " OR ".join(["'/' || path LIKE '%/' || ? || '/%' ESCAPE '\\'"] * 2)


class FileColumns(NamedTuple):
    """The table `files` by column: a tuple per column, with one entry per file, sorted by path."""

    ids: tuple[int, ...]
    paths: tuple[str, ...]
    languages: tuple[str, ...]
    statuses: tuple[str, ...]
    modules: tuple[str, ...]
    is_test: tuple[int, ...]
    is_generated: tuple[int, ...]
    is_navigation: tuple[int, ...]
    lines: tuple[int, ...]
    centrality: tuple[int, ...]
    layouts: tuple[bytes, ...]


class FileRow(NamedTuple):
    """The id, path and module name of a file."""

    id: int
    path: str
    module: str


_COLUMNS = (
    "SELECT id, path, language, status, module, is_test, is_generated, is_navigation, lines,"
    " centrality, layout FROM files"
)


def read_file_columns(
    connection: sqlite3.Connection, ids: Collection[int] | None = None
) -> FileColumns:
    """Return the columns of all files, or of the files with these ids that exist."""
    if ids is None:
        rows = connection.execute(f"{_COLUMNS} ORDER BY path").fetchall()
    else:
        by_id = f"{_COLUMNS} WHERE id = ?"
        rows = [row for key in ids for row in connection.execute(by_id, (key,))]
        rows.sort(key=itemgetter(1))
    return FileColumns._make(zip(*rows, strict=True) if rows else ((),) * 11)


def line_count(connection: sqlite3.Connection, file_id: int) -> int:
    (lines,) = connection.execute("SELECT lines FROM files WHERE id = ?", (file_id,)).fetchone()
    return int(lines)


def language_of_file(connection: sqlite3.Connection, file_id: int) -> str:
    (language,) = connection.execute(
        "SELECT language FROM files WHERE id = ?", (file_id,)
    ).fetchone()
    return str(language)


def files_by_language(connection: sqlite3.Connection) -> dict[str, int]:
    """Return {language: number of indexed files}, the most frequent language first."""
    rows = connection.execute(
        "SELECT language, count(*) FROM files WHERE status IN ('indexed', 'plain')"
        " GROUP BY language ORDER BY 2 DESC, 1"
    )
    return dict(rows.fetchall())


def symbol_count(connection: sqlite3.Connection) -> int:
    (count,) = connection.execute("SELECT count(*) FROM symbols").fetchone()
    return int(count)


def excluded_count(connection: sqlite3.Connection) -> int:
    """Count the files and folders that discovery left out without reading them."""
    (count,) = connection.execute("SELECT count(*) FROM skipped").fetchone()
    return int(count)


def all_skipped(connection: sqlite3.Connection) -> tuple[Skipped, ...]:
    """Return all files and folders that are not indexed, with the reason, sorted by path.

    They were left out by discovery, skipped for their content, or failed.
    """
    rows = connection.execute(
        "SELECT path, reason FROM skipped UNION ALL"
        " SELECT path, reason FROM files WHERE status IN ('skipped', 'failed') ORDER BY path"
    )
    return tuple(Skipped(path, reason) for path, reason in rows)


def unsearched_paths(connection: sqlite3.Connection, *, minified: bool) -> list[tuple[str, str]]:
    """Return (path, reason) of the files and folders whose text is not in the index.

    Minified files are included only if `minified` is set.
    """
    rows = connection.execute(
        "SELECT path, reason FROM skipped UNION ALL"
        " SELECT path, reason FROM files WHERE status = 'failed'"
        " OR (status = 'skipped' AND (reason != 'minified' OR ?))",
        (minified,),
    )
    return rows.fetchall()


def has_path(connection: sqlite3.Connection, path: str) -> bool:
    """Tell whether `path` is an indexed file, a folder with one, or a file without its suffix.

    `"shop/cart"` matches `shop/cart.py`.
    """
    bounds = (path, f"{path}.", f"{path}0")  # 0 follows the slash in ASCII
    row = connection.execute(
        "SELECT 1 FROM files WHERE path = ? OR path >= ? AND path < ? LIMIT 1", bounds
    ).fetchone()
    return row is not None


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


def rust_paths_containing(connection: sqlite3.Connection, part: str) -> list[str]:
    rows = connection.execute(
        "SELECT path FROM files WHERE path LIKE '%' || ? || '%.rs' ESCAPE '\\'",
        (escape_like(part),),
    )
    return [path for (path,) in rows]


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
