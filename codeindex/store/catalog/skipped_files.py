"""Read which files and folders are not indexed, and why."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from codeindex.store.catalog.sql_values import placeholders
from codeindex.store.catalog.watched_places import subtree_bounds

if TYPE_CHECKING:
    from codeindex.types import Skipped


class FileState(NamedTuple):
    """The digest of a file's indexed content, or the reason why the file is not indexed.

    Only one of the two fields is set; the other is "".
    """

    digest: str = ""
    reason: str = ""


def read_file_state(connection: sqlite3.Connection, path: str) -> FileState:
    """Return the digest and the skip reason of a path; both are '' for an unknown path."""
    row = connection.execute(
        "SELECT digest, CASE WHEN status IN ('skipped', 'failed') THEN reason ELSE '' END"
        " FROM files WHERE path = :path"
        " UNION ALL SELECT '', reason FROM skipped WHERE path = :path",
        {"path": path},
    ).fetchone()
    return FileState(*row) if row else FileState()


def skip_reason(connection: sqlite3.Connection, path: str) -> str:
    """Return why a path, or a folder above it, is not indexed; "" if unknown.

    The reason of a folder above the path is followed by this folder in brackets.
    """
    parts = path.split("/")
    above = ["/".join(parts[:end]) + "/" for end in range(1, len(parts) + 1)]
    for place in (path, *above):
        if reason := read_file_state(connection, place).reason:
            return reason if place == path else f"{reason} ({place})"
    return ""


def skip_reasons(connection: sqlite3.Connection) -> dict[str, str]:
    """Return {path: reason} of the files and folders that discovery left out."""
    return dict(connection.execute("SELECT path, reason FROM skipped"))


def skipped_paths(connection: sqlite3.Connection) -> tuple[Skipped, ...]:
    """Return the files and folders that discovery left out, sorted by path."""
    return skipped_rows(
        connection.execute("SELECT path, reason, languages FROM skipped ORDER BY path")
    )


def skipped_rows(rows: Iterable[tuple[str, str, str | None]]) -> tuple[Skipped, ...]:
    """Convert rows (path, reason, languages) of the table `skipped` to `Skipped` objects."""
    from codeindex.types import Skipped  # searches do not need it

    return tuple(
        Skipped(path, why, None if names is None else tuple(names.split()))
        for path, why, names in rows
    )


def list_unindexed(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Return (path, reason, status) of files and folders that are not indexed, sorted by path.

    The status is `skipped` or `failed`.
    """
    return connection.execute(
        "SELECT path, reason, 'skipped' FROM skipped UNION ALL"
        " SELECT path, reason, status FROM files WHERE status IN ('skipped', 'failed')"
        " ORDER BY path"
    ).fetchall()


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


def partly_searched_files(
    connection: sqlite3.Connection, notebooks: Collection[str]
) -> list[tuple[str, str, str]]:
    """Return (path, language, reason) of indexed files that have text which is not in the index.

    They are files with redacted secrets, and notebooks, which are the files in the languages
    `notebooks`. A notebook with secrets is returned twice.
    """
    rows = connection.execute(
        "SELECT path, language, 'in part: secrets are replaced' FROM files"  # noqa: S608 (marks)
        " WHERE status IN ('indexed', 'plain') AND findings != '[]' UNION ALL"
        " SELECT path, language, 'in part: outputs of notebooks are not read' FROM files"
        " WHERE status IN ('indexed', 'plain') AND"
        f" language IN ({placeholders(notebooks)})",
        tuple(notebooks),
    )
    return rows.fetchall()


def minified_rows(connection: sqlite3.Connection) -> list[tuple[str, str, bool]]:
    """Return (path, language, is_test) of the minified files, which have no chunks."""
    rows = connection.execute(
        "SELECT path, language, is_test FROM files WHERE status = 'skipped' AND reason = 'minified'"
    )
    return [(path, language, bool(is_test)) for path, language, is_test in rows]


def replace_skipped(connection: sqlite3.Connection, skipped: Iterable[Skipped]) -> None:
    connection.execute("DELETE FROM skipped")
    _add_skipped(connection, skipped)


def _add_skipped(connection: sqlite3.Connection, skipped: Iterable[Skipped]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO skipped VALUES (?, ?, ?)",
        (
            (
                item.path,
                str(item.reason),
                None if item.languages is None else " ".join(item.languages),
            )
            for item in skipped
        ),
    )


def replace_skipped_at(
    connection: sqlite3.Connection, paths: Iterable[str], skipped: Iterable[Skipped]
) -> None:
    """Replace the stored skipped paths at and below `paths` by `skipped`.

    Paths of skipped folders end with a slash.
    """
    for path in paths:
        connection.execute("DELETE FROM skipped WHERE path = ?", (path,))
        connection.execute("DELETE FROM skipped WHERE path >= ? AND path < ?", subtree_bounds(path))
    _add_skipped(connection, skipped)
