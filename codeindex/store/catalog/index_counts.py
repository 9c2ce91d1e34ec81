"""Count files, lines, symbols, edges and chunks."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import NamedTuple


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


def count_files(connection: sqlite3.Connection) -> int:
    """Return how many files the catalog has, with any status."""
    (count,) = connection.execute("SELECT count(*) FROM files").fetchone()
    return int(count)


def count_files_and_lines(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return (number of indexed files, number of their lines)."""
    count, lines = connection.execute(
        "SELECT count(*), coalesce(sum(lines), 0) FROM files WHERE status IN ('indexed', 'plain')"
    ).fetchone()
    return count, lines


def count_files_and_chunks(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return (number of indexed files, number of chunks)."""
    files, chunks = connection.execute(
        "SELECT (SELECT count(*) FROM files WHERE status IN ('indexed', 'plain')),"
        " (SELECT count(*) FROM chunks)"
    ).fetchone()
    return files, chunks


def count_indexed_below(connection: sqlite3.Connection, place: str) -> int:
    """Count the indexed files whose path is `place` or lies below it; '' is the root."""
    (count,) = connection.execute(
        "SELECT count(*) FROM files WHERE status IN ('indexed', 'plain')"
        " AND (:place = '' OR path = :place OR path >= :place || '/' AND path < :place || '0')",
        {"place": place},
    ).fetchone()
    return int(count)


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
