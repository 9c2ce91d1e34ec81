"""Store commits; read which files change together, and how often."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from math import fsum
from typing import NamedTuple

HISTORY_NOTE = "history"
"""Key in `meta`; the value is JSON with the last commit read, and a caveat for users (`said`)."""
MOST_COMMITS = 2000
"""Number of newest commits that are kept. The files of older commits have mostly been moved or
rewritten."""
MOST_FILES = 30
"""Maximum number of files of a commit whose file list is stored. Larger commits are mostly
releases, licence or formatter changes, which do not show which files belong together."""


class Commit(NamedTuple):
    """A commit: its hash (`digest`), the paths that it changed, and the files that it renamed.

    `renames` are pairs (old path, new path); `paths` has a renamed file under its new path.
    """

    digest: str
    paths: tuple[str, ...]
    renames: tuple[tuple[str, str], ...] = ()


class CoChange(NamedTuple):
    """How often the file `path` changed in the same commits as the given files.

    `commits` is the number of commits that changed both. `share` is the weight of these commits
    divided by the weight of all commits that changed the given files, from 0 to 1; large and old
    commits have a low weight.
    """

    path: str
    commits: int
    share: float


_PATH_ID = "(SELECT id FROM commit_paths WHERE path = ?)"
_PRIOR = 1.0
"""Weight added to the divisor of `share`, so that a single common commit does not give 1."""
_HALF_LIFE = 250
"""Number of newer commits after which the weight of a commit has halved. Values from 150 to 400
predict the co-changes of celery and httpx best."""


def delete_commits(connection: sqlite3.Connection) -> None:
    """Delete all commits."""
    connection.execute("DELETE FROM commits")


def add_commits(connection: sqlite3.Connection, oldest_first: Iterable[Commit]) -> None:
    """Append commits, and apply their renames to the paths of earlier commits.

    Delete all but the newest `MOST_COMMITS`. A commit of more than `MOST_FILES` files is stored
    without its file list.
    """
    for commit in oldest_first:
        _put_paths(connection, (new for _, new in commit.renames))
        connection.executemany(
            f"UPDATE OR IGNORE commit_rows SET path_id = {_PATH_ID} WHERE path_id = {_PATH_ID}",  # noqa: S608 (constants)
            ((new, old) for old, new in commit.renames),
        )
        row = connection.execute(
            "INSERT INTO commits (digest, size) VALUES (?, ?)", (commit.digest, len(commit.paths))
        )
        if len(commit.paths) <= MOST_FILES:
            _put_paths(connection, commit.paths)
            connection.executemany(
                f"INSERT OR IGNORE INTO commit_rows VALUES ({_PATH_ID}, ?)",  # noqa: S608 (constant)
                ((path, row.lastrowid) for path in commit.paths),
            )
    connection.execute(
        "DELETE FROM commits WHERE id <= (SELECT max(id) FROM commits) - ?", (MOST_COMMITS,)
    )
    connection.execute("DELETE FROM commit_paths WHERE id NOT IN (SELECT path_id FROM commit_rows)")


def _put_paths(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    connection.executemany(
        "INSERT OR IGNORE INTO commit_paths (path) VALUES (?)", ((path,) for path in paths)
    )


def history_caveat(connection: sqlite3.Connection) -> str:
    """Return a sentence that tells users what the commit history lacks; "" if it is complete."""
    if not connection.execute("SELECT 1 FROM commits").fetchone():
        missing = "No commits are known, so it is not known which files change together."
    else:
        missing = ""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (HISTORY_NOTE,)).fetchone()
    return str(json.loads(row[0])["said"] if row else "") or missing


def co_changed_files(
    connection: sqlite3.Connection, paths: Iterable[str], *, before: int | None = None
) -> list[CoChange]:
    """Return the indexed files that changed in the same commits as any of `paths`.

    Files with the highest `CoChange.share` come first. With `before`, the id of a commit, only
    earlier commits (smaller ids) count, so that evaluations do not see the future.
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
    """Count the stored commits, including very large ones that have no file list."""
    return int(connection.execute("SELECT count(*) FROM commits").fetchone()[0])


def files_by_commit(connection: sqlite3.Connection) -> dict[int, list[str]]:
    """Return {commit id: sorted paths of the indexed files that the commit changed}.

    Commits of more than `MOST_FILES` files are left out, because their file lists are not stored.
    """
    found: dict[int, list[str]] = {}
    rows = connection.execute(
        "SELECT c.commit_id, c.path FROM commit_files c JOIN files f ON f.path = c.path"
        " WHERE f.status IN ('indexed', 'plain') ORDER BY 1, 2"
    )
    for commit, path in rows:
        found.setdefault(commit, []).append(path)
    return found


def read_small_commits(connection: sqlite3.Connection, *, most_files: int) -> dict[str, list[str]]:
    """Return {commit hash: changed paths} of the commits with at most `most_files` files.

    Commits of more than `MOST_FILES` files have no paths and are always left out.
    """
    changed: dict[str, list[str]] = {}
    rows = connection.execute(
        "SELECT c.digest, h.path FROM commits c JOIN commit_files h ON h.commit_id = c.id"
        " WHERE c.size <= ?",
        (most_files,),
    )
    for digest, path in rows:
        changed.setdefault(digest, []).append(path)
    return changed
