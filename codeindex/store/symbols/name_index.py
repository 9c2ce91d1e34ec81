"""The names of all symbols, folded, for questions that spell one in part or wrongly."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import sqlite3

    import numpy.typing as npt

    Counts = npt.NDArray[np.uint8]

_LETTERS = 64
"""Columns of the table of letters: bytes share them by their low bits, digits with none of a-z."""
_MOST = 200
"""Names that are compared or returned: who spells one so that more fit has not named anything."""


class SymbolNames:
    """Distinct folded names of one state, read when they are first asked for.

    Two threads may read them at once; both come to the same.
    """

    def __init__(self) -> None:
        self._sorted: list[str] | None = None
        self._table: Counts | None = None

    def all(self, connection: sqlite3.Connection) -> list[str]:
        """Return the names in order; `connection` must see the state that these are of."""
        if self._sorted is None:
            rows = connection.execute("SELECT DISTINCT folded FROM symbols WHERE folded != ''")
            self._sorted = sorted(value for (value,) in rows)
        return self._sorted

    def starting(self, connection: sqlite3.Connection, start: str) -> list[str]:
        """Return the names that begin with these letters, the shortest first."""
        every = self.all(connection)
        first = bisect_left(every, start)
        found = takewhile(
            lambda candidate: candidate.startswith(start), every[first : first + 10 * _MOST]
        )
        return sorted((candidate for candidate in found if candidate != start), key=len)[:_MOST]

    def holding(self, connection: sqlite3.Connection, words: list[str]) -> list[str]:
        """Return the names that have these letters in them, in this order, the shortest first."""
        rarest = max(words, key=len)
        found = [
            candidate
            for candidate in self.all(connection)
            if rarest in candidate and _in_order(words, candidate)
        ]
        return sorted(found, key=lambda candidate: (len(candidate), candidate))[:_MOST]

    def near(self, connection: sqlite3.Connection, name: str, *, slips: int) -> dict[str, int]:
        """Return the names that so many slips of the finger make of this one, with their number."""
        every = self.all(connection)
        if self._table is None:
            self._table = _letters(every)
        return near_names(every, name, slips=slips, table=self._table)


def near_names(
    every: Sequence[str], name: str, *, slips: int, table: Counts | None = None
) -> dict[str, int]:
    """Return which of these names so many slips make of one; `table` counts their letters.

    A slip adds, drops or changes a letter, or swaps two.
    """
    counted = _letters(every) if table is None else table
    apart = np.abs(counted.astype(np.int16) - _letters([name]).astype(np.int16)).sum(axis=1)
    close = np.flatnonzero(apart <= 2 * slips)[: 10 * _MOST].tolist()
    found = {every[at]: edit_distance(every[at], name) for at in close}
    return {key: far for key, far in found.items() if 0 < far <= slips}


def _in_order(words: list[str], name: str) -> bool:
    at = 0
    for word in words:
        at = name.find(word, at)
        if at < 0:
            return False
        at += len(word)
    return True


def _letters(names: Sequence[str]) -> Counts:
    """Count the letters of each name: names that differ in more are further apart."""
    spelt = [name.encode() for name in names]
    letters = np.frombuffer(b"".join(spelt), dtype=np.uint8) % _LETTERS
    rows = np.repeat(np.arange(len(spelt)), [len(candidate) for candidate in spelt])
    counts = np.bincount(rows * _LETTERS + letters, minlength=len(spelt) * _LETTERS)
    table: Counts = np.minimum(counts, 255).astype(np.uint8).reshape(-1, _LETTERS)
    return table


def edit_distance(a: str, b: str) -> int:
    """Return how many slips lie between two names (optimal string alignment)."""
    before, above = [0] * (len(b) + 1), list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            best = min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, above = above, row
    return above[-1]
