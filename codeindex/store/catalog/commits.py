"""Store commits; read which files change together and how often."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3

HISTORY_NOTE = "history"
"""Key in `meta` of JSON: the last commit read, and a caveat (`said`) for readers."""
MOST_COMMITS = 2000
"""Only the newest commits count: files of older ones have mostly moved or been rewritten."""
MOST_FILES = 30
"""A commit of more files is a release, licence or formatter change: no evidence about pairs."""


class Commit(NamedTuple):
    """A commit: the changed paths, as they are called afterwards, and (old, new) renames."""

    digest: str
    paths: tuple[str, ...]
    renames: tuple[tuple[str, str], ...] = ()


class CoChange(NamedTuple):
    """How often a file changed in the commits of another one.

    `share` is the weighted share of those commits: large and old commits count less.
    """

    path: str
    commits: int
    share: float


_PRIOR = 1.0
"""Pseudo-commits: they keep a file's only commit from giving a share of 1."""
_HALF_LIFE = 250
"""Newer commits after which one counts half. 150 to 400 predict celery and httpx best."""


def delete_commits(connection: sqlite3.Connection) -> None:
    """Delete all commits."""
    connection.execute("DELETE FROM commits")


def add_commits(connection: sqlite3.Connection, oldest_first: Iterable[Commit]) -> None:
    """Append commits; their renames also apply to the paths of earlier ones."""
    for commit in oldest_first:
        connection.executemany(
            "UPDATE OR IGNORE commit_files SET path = ? WHERE path = ?",
            ((new, old) for old, new in commit.renames),
        )
        row = connection.execute(
            "INSERT INTO commits (digest, size) VALUES (?, ?)", (commit.digest, len(commit.paths))
        )
        if len(commit.paths) <= MOST_FILES:
            connection.executemany(
                "INSERT OR IGNORE INTO commit_files VALUES (?, ?)",
                ((path, row.lastrowid) for path in commit.paths),
            )
    connection.execute(
        "DELETE FROM commits WHERE id <= (SELECT max(id) FROM commits) - ?", (MOST_COMMITS,)
    )


def history_caveat(connection: sqlite3.Connection) -> str:
    """Return a sentence about gaps in the history, "" if there are none."""
    if not connection.execute("SELECT 1 FROM commits").fetchone():
        missing = "No commits are known: nothing is said of what changed together."
    else:
        missing = ""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (HISTORY_NOTE,)).fetchone()
    return str(json.loads(row[0])["said"] if row else "") or missing


def co_changed_files(
    connection: sqlite3.Connection, paths: Iterable[str], *, before: int | None = None
) -> list[CoChange]:
    """Return the indexed files that changed with any of `paths`, highest share first.

    `before` excludes commits from that id on, for measurements.
    """
    subjects = set(paths)
    now = before or _next_commit(connection)
    weights: dict[int, float] = {}
    common: dict[str, set[int]] = defaultdict(set)
    for subject in subjects:
        for path, commit, size in connection.execute(_TOGETHER, (subject, now)):
            weights[commit] = size**-0.5 * 0.5 ** ((now - commit) / _HALF_LIFE)
            common[path].add(commit)
    whole = fsum(weights.values()) + _PRIOR
    found = [
        CoChange(path, len(those), fsum(map(weights.__getitem__, those)) / whole)
        for path, those in common.items()
        if path not in subjects
    ]
    return sorted(found, key=lambda co_change: (-co_change.share, co_change.path))


_TOGETHER = (
    "SELECT other.path, c.id, c.size FROM commit_files mine JOIN commits c ON c.id = mine.commit_id"
    " JOIN commit_files other ON other.commit_id = c.id"
    " WHERE mine.path = ? AND c.id < ?"
    " AND (other.path = mine.path OR EXISTS (SELECT 1 FROM files WHERE path = other.path))"
)


def _next_commit(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT coalesce(max(id), 0) + 1 FROM commits").fetchone()[0])


def count_commits(connection: sqlite3.Connection) -> int:
    """Count the stored commits; very large ones are stored without file lists."""
    return int(connection.execute("SELECT count(*) FROM commits").fetchone()[0])


def files_by_commit(connection: sqlite3.Connection) -> dict[int, list[str]]:
    """Return the indexed files that each commit changed, by commit id."""
    found: dict[int, list[str]] = {}
    rows = connection.execute(
        "SELECT c.commit_id, c.path FROM commit_files c JOIN files f ON f.path = c.path"
        " WHERE f.status IN ('indexed', 'plain') ORDER BY 1, 2"
    )
    for commit, path in rows:
        found.setdefault(commit, []).append(path)
    return found


def read_small_commits(connection: sqlite3.Connection, *, most_files: int) -> dict[str, list[str]]:
    """Return the paths that each commit of few files changed, by the commit's digest."""
    changed: dict[str, list[str]] = {}
    rows = connection.execute(
        "SELECT c.digest, h.path FROM commits c JOIN commit_files h ON h.commit_id = c.id"
        " WHERE c.size <= ?",
        (most_files,),
    )
    for digest, path in rows:
        changed.setdefault(digest, []).append(path)
    return changed
