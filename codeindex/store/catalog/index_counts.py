"""Count files, symbols and edges of the newest generation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping


class IndexCounts(NamedTuple):
    """Counts of an index.

    `languages` maps a language to (files, lines), and `kinds` a symbol kind to its number of
    symbols. `edges` maps `"<kind> <certainty>"`, such as `"calls resolved"`, to the number of
    edges. `version` and `written_at` (seconds since the epoch) are those of the newest generation.
    """

    files: int
    lines: int
    tests: int
    languages: Mapping[str, tuple[int, int]]
    kinds: Mapping[str, int]
    edges: Mapping[str, int]
    version: int
    written_at: float


def read_index_counts(connection: sqlite3.Connection) -> IndexCounts:
    """Count files, symbols and edges.

    `languages` is ordered by lines, `kinds` and `edges` by number, largest first.
    """
    sql = connection.execute
    files, lines, tests = sql(
        "SELECT count(*), coalesce(sum(lines), 0), coalesce(sum(is_test), 0) FROM files"
        " WHERE status IN ('indexed', 'plain')"
    ).fetchone()
    languages = sql(
        "SELECT language, count(*), sum(lines) FROM files WHERE status IN ('indexed', 'plain')"
        " GROUP BY 1 ORDER BY 3 DESC, 1"
    )
    kinds = sql("SELECT kind, count(*) FROM symbols GROUP BY 1 ORDER BY 2 DESC, 1")
    edges = sql(
        "SELECT kind || ' ' || certainty, count(*) FROM edges GROUP BY 1 ORDER BY 2 DESC, 1"
    )
    version, written_at = sql(
        "SELECT version, written_at FROM generations ORDER BY number DESC LIMIT 1"
    ).fetchone()
    return IndexCounts(
        files=files,
        lines=lines,
        tests=tests,
        languages={name: (count, total) for name, count, total in languages},
        kinds=dict(kinds.fetchall()),
        edges=dict(edges.fetchall()),
        version=version,
        written_at=written_at,
    )
