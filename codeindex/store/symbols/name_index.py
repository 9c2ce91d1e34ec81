"""Keep all folded symbol names in memory, to find partial and misspelled names."""

from __future__ import annotations

from bisect import bisect_left
from itertools import takewhile
from typing import TYPE_CHECKING

from codeindex.text.near_names import count_letters, near_names

if TYPE_CHECKING:
    import sqlite3

    from codeindex.text.near_names import LetterCounts

_MOST = 200
"""Most names that a search returns: a text that matches more is too vague to name a symbol."""


class SymbolNames:
    """The distinct folded symbol names of one generation, read at first use.

    Threads may share it: two threads may load the names at once, but with equal results.
    """

    def __init__(self) -> None:
        self._sorted: list[str] | None = None
        self._table: LetterCounts | None = None

    def all(self, connection: sqlite3.Connection) -> list[str]:
        """Return all names, sorted; every `connection` must read the same generation."""
        if self._sorted is None:
            rows = connection.execute("SELECT DISTINCT folded FROM symbols WHERE folded != ''")
            self._sorted = sorted(value for (value,) in rows)
        return self._sorted

    def starting(self, connection: sqlite3.Connection, start: str) -> list[str]:
        """Return the names that start with, but do not equal, `start`, shortest first."""
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
        """Return {name: edit distance} of the names within `slips` edits of `name`."""
        every = self.all(connection)
        if self._table is None:
            self._table = count_letters(every)
        return near_names(every, name, slips=slips, table=self._table)


def _in_order(words: list[str], name: str) -> bool:
    at = 0
    for word in words:
        at = name.find(word, at)
        if at < 0:
            return False
        at += len(word)
    return True
