"""Hold many indexes, but keep files open only for those that were used last."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeindex.api.index import Index

_FILES_EACH = 40
"""Open files per index in use: each of 16 concurrent calls has a connection (measured: 944 files
for 24 indexes)."""
_OTHER_FILES = 200
"""Open files of the process itself, of Ray and of the models."""
_ENOUGH_FILES = 65_536
"""Highest limit of open files that is set."""
_WINDOWS_FILES = 8_192
"""Limit of open files in the C runtime of Windows."""
_LEAST, _MOST = 8, 200
"""Fewest and most indexes that may be open, independent of the limit of open files. 200 small ones
take about 2.5 GB of memory: 24 took 300 MB."""


def most_open_indexes() -> int:
    """Raise this process's limit of open files; return how many indexes may then be open."""
    return min(max((raise_open_files() - _OTHER_FILES) // _FILES_EACH, _LEAST), _MOST)


def raise_open_files() -> int:
    """Raise this process's limit of open files as far as the system allows; return the limit."""
    try:
        import resource
    except ImportError:
        return _WINDOWS_FILES
    soft, hard = (
        _ENOUGH_FILES if limit == resource.RLIM_INFINITY else limit
        for limit in resource.getrlimit(resource.RLIMIT_NOFILE)
    )
    wanted = min(hard, _ENOUGH_FILES)
    if soft < wanted:
        with suppress(ValueError, OSError):  # the system's own limit may be lower
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
    return soft


class OpenIndexes:
    """Indexes by name; thread-safe. An index is not closed while a call uses it."""

    def __init__(self, most: int) -> None:
        """Set how many indexes may keep their files open while no call uses them."""
        self._most = most
        self._lock = threading.Lock()
        self._indexes: dict[str, Index] = {}
        self._used: dict[str, Index] = {}
        """Indexes that may have open files, the most recently used one last."""
        self._users: Counter[int] = Counter()
        """{`id` of an index: number of calls that use it now}."""

    def names(self) -> frozenset[str]:
        """Return the names of all indexes."""
        with self._lock:
            return frozenset(self._indexes)

    def add(self, name: str, index: Index) -> None:
        """Add an index, or replace the index with this name if that has another root."""
        with self._lock:
            former = self._indexes.get(name)
            if former is not None and former.root == index.root:
                return
            if former is not None:
                self._remove(name)
            self._indexes[name] = index

    def remove(self, name: str) -> None:
        """Remove an index, and close it once no call uses it."""
        with self._lock:
            self._remove(name)

    def _remove(self, name: str) -> None:
        index = self._indexes.pop(name)
        self._used.pop(name, None)
        if not self._users[id(index)]:
            index.close()

    @contextmanager
    def using(self, name: str) -> Iterator[Index]:
        """Yield an index; it is not closed during the block.

        Afterwards close the least recently used indexes, so that at most `most` (see the
        constructor) stay open without a use. Raise KeyError for an unknown name.
        """
        with self._lock:
            index = self._indexes[name]
            self._used.pop(name, None)
            self._used[name] = index
            self._users[id(index)] += 1
        try:
            yield index
        finally:
            with self._lock:
                self._users[id(index)] -= 1
                self._close_idle()
                if not self._users[id(index)] and self._indexes.get(name) is not index:
                    index.close()  # it was removed meanwhile

    def _close_idle(self) -> None:
        idle = [name for name, index in self._used.items() if not self._users[id(index)]]
        for name in idle[: max(len(self._used) - self._most, 0)]:
            self._used.pop(name).close()

    def close(self) -> None:
        """Close all indexes; the next use opens them again."""
        with self._lock:
            for index in self._indexes.values():
                index.close()
            self._used.clear()
