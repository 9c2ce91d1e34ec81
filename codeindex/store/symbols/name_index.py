"""All folded symbol names in memory, for partial and misspelled names."""

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
"""Columns of the letter table: low bits of a byte; digits share no column with a-z."""
_MOST = 200
"""Most names returned: a query that matches more is too vague to name a symbol."""


class SymbolNames:
    """Distinct folded names of one generation, read at first use.

    Two threads may load them at once, with equal results.
    """

    def __init__(self) -> None:
        self._sorted: list[str] | None = None
        self._table: Counts | None = None

    def all(self, connection: sqlite3.Connection) -> list[str]:
        """Return the sorted names; `connection` must read the same generation."""
        if self._sorted is None:
            rows = connection.execute("SELECT DISTINCT folded FROM symbols WHERE folded != ''")
            self._sorted = sorted(value for (value,) in rows)
        return self._sorted

    def starting(self, connection: sqlite3.Connection, start: str) -> list[str]:
        """Return the names that start with a prefix, shortest first."""
        every = self.all(connection)
        first = bisect_left(every, start)
        found = takewhile(
            lambda candidate: candidate.startswith(start), every[first : first + 10 * _MOST]
        )
        return sorted((candidate for candidate in found if candidate != start), key=len)[:_MOST]

    def holding(self, connection: sqlite3.Connection, words: list[str]) -> list[str]:
        """Return the names that contain these words in this order, shortest first."""
        rarest = max(words, key=len)
        found = [
            candidate
            for candidate in self.all(connection)
            if rarest in candidate and _in_order(words, candidate)
        ]
        return sorted(found, key=lambda candidate: (len(candidate), candidate))[:_MOST]

    def near(self, connection: sqlite3.Connection, name: str, *, slips: int) -> dict[str, int]:
        """Return the names within this edit distance, each with its distance."""
        every = self.all(connection)
        if self._table is None:
            self._table = _letters(every)
        return near_names(every, name, slips=slips, table=self._table)


def near_names(
    every: Sequence[str], name: str, *, slips: int, table: Counts | None = None
) -> dict[str, int]:
    """Return the names within `slips` edits of `name`; `table` has their letter counts.

    An edit inserts, deletes or replaces a letter, or swaps two adjacent ones.
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
    """Return letter counts of each name: their difference bounds the edit distance."""
    spelt = [name.encode() for name in names]
    letters = np.frombuffer(b"".join(spelt), dtype=np.uint8) % _LETTERS
    rows = np.repeat(np.arange(len(spelt)), [len(candidate) for candidate in spelt])
    counts = np.bincount(rows * _LETTERS + letters, minlength=len(spelt) * _LETTERS)
    table: Counts = np.minimum(counts, 255).astype(np.uint8).reshape(-1, _LETTERS)
    return table


def edit_distance(a: str, b: str) -> int:
    """Return the edit distance of two names (optimal string alignment)."""
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
