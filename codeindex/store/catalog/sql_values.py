"""Values for the marks of a statement, as many as any build of SQLite takes at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TypeVar

Value = TypeVar("Value")

_MOST = 500
"""SQLite takes 32,766; older builds 999."""


def value_batches(values: Iterable[Value]) -> Iterator[list[Value]]:
    """Yield each value once, in order, not too many at a time."""
    each = list(dict.fromkeys(values))
    for start in range(0, len(each), _MOST):
        yield each[start : start + _MOST]


def placeholders(values: Collection[object]) -> str:
    """Return a question mark for each value, joined by commas."""
    return ", ".join("?" * len(values))


def escape_like(text: str) -> str:
    """Escape the wildcards of LIKE in a text; the escape character is a backslash."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
