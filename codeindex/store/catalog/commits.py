"""Commits in the catalog: which files have changed together."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3

HISTORY_NOTE = "history"
"""Under it the catalog notes, as JSON, the last commit read and what is to be `said` of it all."""
MOST_COMMITS = 2000
"""The newest that count; of older ones the files have mostly been moved or rewritten since."""
MOST_FILES = 30
"""A commit of more is a release, a licence header, a formatter: it says nothing of two files."""


class Commit(NamedTuple):
    """What a commit did: the paths that it changed, as they are after it, and (old, new) names."""

    digest: str
    paths: tuple[str, ...]
    renames: tuple[tuple[str, str], ...] = ()


class CoChange(NamedTuple):
    """How often a file changed in the commits of another one.

    `share` is the part of those commits, each counting less the more files it changed and the more
    commits came after it.
    """

    path: str
    commits: int
    share: float


_PRIOR = 1.0
"""Commits that never were: they keep the only commit of a file from being certainty."""
_HALF_LIFE = 250
"""Commits after which one counts half: 150 to 400 foresee celery and httpx best, none worst."""


def delete_commits(connection: sqlite3.Connection) -> None:
    """Start over."""
    connection.execute("DELETE FROM commits")


def add_commits(connection: sqlite3.Connection, oldest_first: Iterable[Commit]) -> None:
    """Store commits after those that are there; what they rename is renamed in all before."""
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
    """Return what whoever relies on the history should know of it, mostly nothing."""
    if not connection.execute("SELECT 1 FROM commits").fetchone():
        missing = "No commits are known: nothing is said of what changed together."
    else:
        missing = ""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (HISTORY_NOTE,)).fetchone()
    return str(json.loads(row[0])["said"] if row else "") or missing


def co_changed_files(
    connection: sqlite3.Connection, paths: Iterable[str], *, before: int | None = None
) -> list[CoChange]:
    """Return the indexed files that changed with any of `paths`, the most faithful first.

    `before` leaves out commits from that id on: those that a measurement is about.
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
    return sorted(found, key=lambda one: (-one.share, one.path))


_TOGETHER = (
    "SELECT other.path, c.id, c.size FROM commit_files mine JOIN commits c ON c.id = mine.commit_id"
    " JOIN commit_files other ON other.commit_id = c.id"
    " WHERE mine.path = ? AND c.id < ?"
    " AND (other.path = mine.path OR EXISTS (SELECT 1 FROM files WHERE path = other.path))"
)


def _next_commit(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT coalesce(max(id), 0) + 1 FROM commits").fetchone()[0])
