"""Record in which generation each file changed, so that readers load only what changed.

Triggers write the records, in the transaction of the change, with the number of the generation that
is published next. The number may be one too high; then a reader loads an unchanged file once more.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from codeindex.store.catalog.sql_values import placeholders

_UNKNOWN = 0
"""Placeholder, not the id of any file. Its record has the first generation whose changes are
recorded."""
_REMEMBERED = 100
"""Number of newest generations for which changes since then can be read; a small sync publishes up
to four."""
_NEXT = "(SELECT coalesce(max(number), 0) + 1 FROM generations)"
_AGAIN = "ON CONFLICT ({}) DO UPDATE SET generation = excluded.generation"
"""An `INSERT OR REPLACE` would fail, because an upsert that fires a trigger overrides its `OR`."""
_TABLES = f"""
CREATE TABLE file_changes (
    file_id INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL
);
CREATE TABLE deleted_names (
    folded TEXT PRIMARY KEY,         -- of a deleted or renamed symbol; others may have it still
    generation INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE published (             -- also generations that `generations` no longer has
    number INTEGER PRIMARY KEY,
    written_at REAL NOT NULL         -- tells generations of a replaced catalog apart
);
INSERT INTO file_changes VALUES ({_UNKNOWN}, {_NEXT});
INSERT INTO published SELECT number, written_at FROM generations;
CREATE TRIGGER note_published AFTER INSERT ON generations BEGIN
    INSERT INTO published VALUES (new.number, new.written_at);
    DELETE FROM published WHERE number <= new.number - {_REMEMBERED};
END;
CREATE TRIGGER note_added_file AFTER INSERT ON files BEGIN
    INSERT INTO file_changes VALUES (new.id, {_NEXT}) {_AGAIN.format("file_id")};
END;
CREATE TRIGGER note_changed_file AFTER UPDATE OF path, language, digest, size, mtime_ns, ctime_ns,
    lines, status, is_test, is_generated, is_navigation, module, centrality, layout ON files BEGIN
    INSERT INTO file_changes VALUES (new.id, {_NEXT}) {_AGAIN.format("file_id")};
END;
CREATE TRIGGER note_deleted_file AFTER DELETE ON files BEGIN
    INSERT INTO file_changes VALUES (old.id, {_NEXT}) {_AGAIN.format("file_id")};
END;
CREATE TRIGGER note_deleted_name AFTER DELETE ON symbols BEGIN
    INSERT INTO deleted_names VALUES (old.folded, {_NEXT}) {_AGAIN.format("folded")};
END;
CREATE TRIGGER note_renamed_symbol AFTER UPDATE OF folded ON symbols
    WHEN old.folded != new.folded BEGIN
    INSERT INTO deleted_names VALUES (old.folded, {_NEXT}) {_AGAIN.format("folded")};
END;
"""  # noqa: S608 (constants)
_STAT_INDEX = "CREATE INDEX IF NOT EXISTS files_by_stat ON files (path, size, mtime_ns, ctime_ns)"
"""Covering index for the columns that a tree scan compares. Reading the long rows of `files` takes
five times as long."""


@dataclass(frozen=True, slots=True)
class CatalogChanges:
    """What changed in the catalog after a generation: files, and names of deleted symbols."""

    files: frozenset[int]
    """Ids of files that were added, stored again or deleted."""
    deleted_names: frozenset[str]
    """Folded names of symbols that were deleted; other symbols may still have them."""


def create_change_tables(connection: sqlite3.Connection) -> None:
    """Create the tables, triggers and index of this module if absent; older catalogs lack them."""
    exists = "SELECT 1 FROM sqlite_master WHERE name = 'file_changes'"
    if not connection.execute(exists).fetchone():
        connection.executescript(f"BEGIN IMMEDIATE; {_TABLES} COMMIT;")
    if not connection.execute(
        "SELECT 1 FROM sqlite_master WHERE name = 'files_by_stat'"
    ).fetchone():
        connection.execute(_STAT_INDEX)


def file_changes_since(
    connection: sqlite3.Connection, number: int, written_at: float
) -> CatalogChanges | None:
    """Return what changed after generation `number`, which was published at `written_at`.

    Return None if that is unknown: the generation is too old, the catalog was replaced after it, or
    changes were not recorded. `written_at` is in seconds since the epoch; it shows whether this
    catalog published the generation.
    """
    exists = "SELECT 1 FROM sqlite_master WHERE name = 'file_changes'"
    published = "SELECT 1 FROM published WHERE number = ? AND written_at = ?"
    if not (
        connection.execute(exists).fetchone()
        and connection.execute(published, (number, written_at)).fetchone()
    ):
        return None
    files = connection.execute("SELECT file_id FROM file_changes WHERE generation > ?", (number,))
    ids = frozenset(file_id for (file_id,) in files)
    if _UNKNOWN in ids:
        return None
    names = connection.execute("SELECT folded FROM deleted_names WHERE generation > ?", (number,))
    return CatalogChanges(ids, frozenset(name for (name,) in names))


def published_at(connection: sqlite3.Connection, number: int) -> float | None:
    """Return when this catalog published generation `number`, in seconds since the epoch.

    Return None if that is unknown.
    """
    exists = "SELECT 1 FROM sqlite_master WHERE name = 'published'"
    if not connection.execute(exists).fetchone():
        return None
    row = connection.execute("SELECT written_at FROM published WHERE number = ?", (number,))
    found = row.fetchone()
    return float(found[0]) if found else None


def paths_changed_since(
    connection: sqlite3.Connection, number: int, written_at: float, *, most: int
) -> list[str] | None:
    """Return the paths of the files that were added or indexed again since a generation.

    Return None if the changes are unknown (see `file_changes_since`), if a file was deleted, or if
    more than `most` files changed.
    """
    changes = file_changes_since(connection, number, written_at)
    if changes is None or len(changes.files) > most:
        return None
    wanted = tuple(changes.files)
    rows = connection.execute(
        f"SELECT path FROM files WHERE id IN ({placeholders(wanted)})",  # noqa: S608 (marks)
        wanted,
    ).fetchall()
    return [path for (path,) in rows] if len(rows) == len(wanted) else None
