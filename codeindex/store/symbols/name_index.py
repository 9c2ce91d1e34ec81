"""Keep all folded symbol names in memory, to find partial and misspelled names.

A folded name is in lower case without underscores (`fold_name`).
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left, insort
from collections.abc import Iterator
from itertools import takewhile

from codeindex.store.catalog.file_changes import CatalogChanges
from codeindex.text.near_names import count_letters, near_names
from codeindex.types.array_types import Bytes

_MOST = 200
"""Maximum number of names that a search returns; a text that matches more names is too vague."""

_MOST_FOUND_SINGLY = 20_000
"""If a word occurs more often in the text of all names, every name is tested instead of looking up
each occurrence: a look-up takes .8 µs, the test of a name .2 µs."""


class SymbolNames:
    """The distinct symbol names of one generation in folded form (`fold_name`), read at first use.

    Threads may share it: if two load the names at once, the results are equal.
    """

    def __init__(self) -> None:
        self._sorted: list[str] | None = None
        self._table: Bytes | None = None
        self._lines = ""
        """All names joined by line breaks; filled at first use."""

    def updated(self, connection: sqlite3.Connection, changes: CatalogChanges) -> SymbolNames:
        """Return the names of a later generation, which is faster than reading all of them.

        `connection` reads the later generation; `changes` are the changes since the generation of
        this object. Return this object if no name changed.
        """
        names = SymbolNames()
        if self._sorted is None:
            return names
        changed = {value for file_id in changes.files for value in _names_of(connection, file_id)}
        deleted = {name for name in changes.deleted_names if not _is_name(connection, name)}
        known = self._sorted
        added = sorted(name for name in changed if name and not _is_in(known, name))
        gone = sorted(name for name in deleted if _is_in(known, name))
        if not (added or gone):
            return self
        names._sorted = known.copy()
        for name in gone:
            del names._sorted[bisect_left(names._sorted, name)]
        for name in added:
            insort(names._sorted, name)
        return names

    def all(self, connection: sqlite3.Connection) -> list[str]:
        """Return all names, sorted; every `connection` must read the same generation."""
        if self._sorted is None:
            rows = connection.execute("SELECT DISTINCT folded FROM symbols WHERE folded != ''")
            self._sorted = sorted(value for (value,) in rows)
        return self._sorted

    def names_starting_with(self, connection: sqlite3.Connection, start: str) -> list[str]:
        """Return up to 200 names that start with `start` and are longer, shortest first."""
        every = self.all(connection)
        first = bisect_left(every, start)
        found = takewhile(
            lambda candidate: candidate.startswith(start), every[first : first + 10 * _MOST]
        )
        return sorted((candidate for candidate in found if candidate != start), key=len)[:_MOST]

    def names_containing(self, connection: sqlite3.Connection, words: list[str]) -> list[str]:
        """Return up to 200 names that contain these words in this order, shortest first.

        Other letters may be between the words.
        """
        every = self.all(connection)
        if not self._lines:
            self._lines = "\n".join(every)
        rarest = max(words, key=len)
        is_frequent = self._lines.count(rarest) > _MOST_FOUND_SINGLY
        holding = (
            (candidate for candidate in every if rarest in candidate)
            if is_frequent
            else _lines_with(self._lines, rarest)
        )
        found = [candidate for candidate in holding if _in_order(words, candidate)]
        return sorted(found, key=lambda candidate: (len(candidate), candidate))[:_MOST]

    def names_near(
        self, connection: sqlite3.Connection, name: str, *, slips: int
    ) -> dict[str, int]:
        """Return {name: edit distance} of the names within `slips` edits of `name`.

        An edit inserts, deletes or replaces a letter, or swaps two adjacent letters.
        """
        every = self.all(connection)
        if self._table is None:
            self._table = count_letters(every)
        return near_names(every, name, slips=slips, table=self._table)


def _names_of(connection: sqlite3.Connection, file_id: int) -> Iterator[str]:
    rows = connection.execute("SELECT folded FROM symbols WHERE file_id = ?", (file_id,))
    return (value for (value,) in rows)


def _is_name(connection: sqlite3.Connection, name: str) -> bool:
    row = connection.execute("SELECT 1 FROM symbols WHERE folded = ? LIMIT 1", (name,)).fetchone()
    return row is not None


def _is_in(names: list[str], name: str) -> bool:
    at = bisect_left(names, name)
    return at < len(names) and names[at] == name


def _lines_with(text: str, part: str) -> Iterator[str]:
    """Yield the lines of a text that contain `part`, which has no line break."""
    at = text.find(part)
    while at >= 0:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield text[text.rfind("\n", 0, at) + 1 : end]
        at = text.find(part, end)


def _in_order(words: list[str], name: str) -> bool:
    at = 0
    for word in words:
        at = name.find(word, at)
        if at < 0:
            return False
        at += len(word)
    return True
