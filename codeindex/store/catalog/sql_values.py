"""Run a query for many values; build `IN (...)` lists and LIKE patterns."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from typing import Any, TypeVar

Value = TypeVar("Value")

_MOST = 500
"""Values in one statement. SQLite takes up to 32,766, older builds up to 999."""


def select_in(
    connection: sqlite3.Connection, sql: str, values: Iterable[object]
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query in which `(...)` stands for any number of values.

    The query runs once per batch of distinct values, so ORDER BY sorts only within a batch.
    """
    for part in value_batches(values):
        yield from connection.execute(sql.replace("(...)", f"({placeholders(part)})"), part)


def value_batches(values: Iterable[Value]) -> Iterator[list[Value]]:
    """Yield lists of the distinct values, in their order.

    Each list is short enough for the parameters of a statement in any SQLite.
    """
    each = list(dict.fromkeys(values))
    for start in range(0, len(each), _MOST):
        yield each[start : start + _MOST]


def placeholders(values: Collection[object]) -> str:
    """Return the placeholders of an SQL `IN (...)` list: `?, ?, ?` for three values."""
    return ", ".join("?" * len(values))


def escape_like(text: str) -> str:
    r"""Escape the wildcards of LIKE with backslashes, for use with `ESCAPE '\'`."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
