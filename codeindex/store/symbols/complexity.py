"""Read the complexity measures of functions, and find lines that match a pattern."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from codeindex.types import BODY_KINDS


class FunctionMetrics(NamedTuple):
    """A function and its measures; `cyclomatic` is 0 for a function without a body."""

    id: int
    path: str
    qualified: str
    kind: str
    line: int
    start_line: int
    cyclomatic: int
    max_nesting: int
    param_count: int
    body_lines: int
    doc: str
    is_test: int

    @property
    def score(self) -> float:
        """Weighted sum of the measures; users rely on the weights, so do not change them."""
        return (
            self.cyclomatic + self.max_nesting * 2 + self.param_count * 0.5 + self.body_lines / 20
        )


def function_metrics(
    connection: sqlite3.Connection, paths: Collection[str]
) -> list[FunctionMetrics]:
    """Return the functions of these files, sorted by path, then in source order."""
    kinds = ", ".join(f"'{item}'" for item in sorted(BODY_KINDS))
    columns = (
        f"f.{field}" if field in {"path", "is_test"} else f"s.{field}"
        for field in FunctionMetrics._fields
    )
    rows = connection.execute(
        f"SELECT {', '.join(columns)} FROM symbols s JOIN files f ON f.id = s.file_id"  # noqa: S608 (constants)
        f" WHERE s.kind IN ({kinds}) AND (s.kind != 'property' OR s.cyclomatic)"
        " ORDER BY f.path, s.number"
    )
    return [row for row in map(FunctionMetrics._make, rows) if row.path in paths]


def grep_chunks(
    connection: sqlite3.Connection, pattern: re.Pattern[str], *words: str
) -> dict[str, set[int]]:
    """Return {path: numbers of the lines that match `pattern`}; a set may be empty.

    Only chunks that contain one of `words` are searched, which is faster; case counts.
    """
    found: dict[str, set[int]] = defaultdict(set)
    rows = connection.execute(
        "SELECT f.path, c.start_line, c.text FROM chunks c JOIN files f ON f.id = c.file_id"  # noqa: S608 (marks)
        f" WHERE {' OR '.join(['instr(c.text, ?)'] * len(words))}",
        words,
    )
    for path, first, text in rows:
        lines = enumerate(text.split("\n"), first)
        found[path].update(number for number, line in lines if pattern.search(line))
    return found
