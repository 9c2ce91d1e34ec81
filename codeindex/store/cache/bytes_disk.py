"""Restrict diskcache to bytes under text keys, because loading a planted pickle runs its code.

diskcache stores pickles by default, and even its JSONDisk unpickles a row that an attacker planted.
This module is imported only when a cache is opened.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import diskcache
from diskcache.core import MODE_BINARY, MODE_RAW

from codeindex.store.cache.contents import SINCE


class BytesDisk(diskcache.Disk):  # type: ignore[misc]
    """The storage class that diskcache uses for values: texts as keys, bytes as values.

    It refuses pickles, and files outside of the cache folder.
    """

    def put(self, key: Any) -> Any:
        if type(key) is not str:
            raise TypeError(f"cache keys are text, not {type(key).__name__}")
        return super().put(key)

    def get(self, key: Any, raw: Any) -> Any:
        if not raw:
            raise ValueError("pickled cache key refused")
        return super().get(key, raw)

    def store(self, value: Any, read: Any, key: Any = diskcache.UNKNOWN) -> Any:
        if type(value) is not bytes:
            raise TypeError(f"cache values are bytes, not {type(value).__name__}")
        stored = super().store(value, read, key=key)
        if name := stored[2]:  # a large value has a file
            (Path(self._directory) / name).chmod(0o600)
        return stored

    def fetch(self, mode: Any, filename: Any, value: Any, read: Any) -> Any:
        if mode not in (MODE_RAW, MODE_BINARY):
            raise ValueError("cache value of a foreign kind refused")
        if not self._is_inside(filename):
            raise ValueError("cache file outside its folder refused")
        data = super().fetch(mode, filename, value, read)
        if type(data) is not bytes:
            raise ValueError("cache value of a foreign type refused")
        return data

    def remove(self, file_path: Any) -> None:
        """Delete the file of a value; ignore a path outside of the cache folder.

        Somebody must have planted such a path in the cache's database.
        """
        if self._is_inside(file_path):
            super().remove(file_path)

    def _is_inside(self, filename: Any) -> bool:
        folder = Path(self._directory).resolve()
        return not filename or (folder / filename).resolve().is_relative_to(folder)


class CountedCache(diskcache.Cache):  # type: ignore[misc]
    """A `diskcache.Cache` that updates its hit counters once per batch of keys, not per key."""

    def count_uses(self, *, hits: int, misses: int) -> None:
        """Add to the counters of hits and misses in the database; call it inside `transact`."""
        self._sql("INSERT OR IGNORE INTO Settings VALUES (?, ?)", (SINCE, time.time()))
        counts = ((hits, "hits"), (misses, "misses"))
        for count in counts:
            self._sql("UPDATE Settings SET value = value + ? WHERE key = ?", count)

    def forget_uses(self) -> None:
        """Reset the counters of hits and misses, and the time from which they count."""
        self._sql("DELETE FROM Settings WHERE key = ?", (SINCE,))
        self._sql("UPDATE Settings SET value = 0 WHERE key IN ('hits', 'misses')")
