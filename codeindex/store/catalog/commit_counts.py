"""How often files change, and in which commits, as far as the catalog remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3


def count_commits(connection: sqlite3.Connection) -> int:
    """Count the commits that are remembered; those of very many files have none of them."""
    return int(connection.execute("SELECT count(*) FROM commits").fetchone()[0])


def files_by_commit(connection: sqlite3.Connection) -> dict[int, list[str]]:
    """Return the indexed files that each commit changed."""
    found: dict[int, list[str]] = {}
    rows = connection.execute(
        "SELECT c.commit_id, c.path FROM commit_files c JOIN files f ON f.path = c.path"
        " WHERE f.status IN ('indexed', 'plain') ORDER BY 1, 2"
    )
    for commit, path in rows:
        found.setdefault(commit, []).append(path)
    return found
