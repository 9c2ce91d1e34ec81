"""How much of a repository leans on each file: how many others are resolved to use it.

This in-degree ranks better than PageRank over the same edges, and both better than counting the
files that mention a rare name (`docs/quality.md` has the figures).
"""

from __future__ import annotations

import sqlite3

_IN_DEGREES = (
    "SELECT target_file, count(DISTINCT source_file) FROM edges WHERE target_file IS NOT NULL"
    " AND source_file != target_file AND certainty = 'resolved'"
    " AND kind IN ('calls', 'extends', 'references', 'imports') GROUP BY target_file"
)


def in_degrees(connection: sqlite3.Connection) -> dict[int, int]:
    """Return the in-degree of every file in the catalog by id."""
    degrees = {one: 0 for (one,) in connection.execute("SELECT id FROM files")}
    used = dict(connection.execute(_IN_DEGREES).fetchall())
    return degrees | {one: count for one, count in used.items() if one in degrees}
