"""Implement the protocol `Cache` with diskcache, which only this module imports."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import diskcache
from diskcache.core import MODE_BINARY, MODE_RAW

from codeindex.errors import StoreError
from codeindex.files.write import create_private_file
from codeindex.store.cache.contents import SINCE
from codeindex.store.catalog.sqlite_errors import is_damage
from codeindex.store.protocols import Cache

T = TypeVar("T")

_BATCH = 500
"""Keys in one transaction; other processes can write between two transactions."""


class DiskCache(Cache):
    """A cache on disk, opened at first use; a damaged database is replaced by an empty one."""

    def __init__(
        self, folder: Path, *, expire_seconds: float | None = None, **settings: Any
    ) -> None:
        self.folder = folder
        self._expire_seconds = expire_seconds
        self._settings = settings
        self._database: Any = None

    def close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def get_many(self, keys: Sequence[str], decode: Callable[[bytes], T | None]) -> dict[str, T]:
        """Return {key: decoded value}; a key is left out if it is absent or `decode` returns None.

        Each returned value counts as a hit, and its time to expiry starts again.
        """
        found: dict[str, T] = {}
        for start in range(0, len(keys), _BATCH):
            batch = keys[start : start + _BATCH]
            found |= self._do(partial(self._read, keys=batch, decode=decode))
        return found

    def put_many(self, values: Mapping[str, bytes]) -> None:
        items = list(values.items())
        for start in range(0, len(items), _BATCH):
            batch = items[start : start + _BATCH]
            self._do(partial(self._write, items=batch))

    def drop(self, keys: Iterable[str]) -> None:
        """Delete the values of these keys; unknown keys are ignored."""

        def delete(cache: Any) -> None:
            for key in keys:
                cache.delete(key)

        self._do(delete)

    def expire(self) -> int:
        """Delete expired values and return their number."""
        return self._do(lambda cache: int(cache.expire()))

    def clear(self) -> int:
        """Delete all values and return their number; set the hit counters to zero."""

        def delete_all(cache: Any) -> int:
            with cache.transact():
                cache.forget_uses()
            return int(cache.clear())

        return self._do(delete_all)

    def renew(self) -> None:
        """Rename the cache's folder to `<name>.broken`; the next use creates an empty cache."""
        self.close()
        _move_aside(self.folder)

    def _read(
        self, cache: Any, keys: Sequence[str], decode: Callable[[bytes], T | None]
    ) -> dict[str, T]:
        found = {}
        with cache.transact():
            for key in keys:
                data = _safe_get(cache, key)
                value = None if data is None else decode(data)
                if value is not None:
                    if self._expire_seconds is not None:
                        cache.touch(key, expire=self._expire_seconds)
                    found[key] = value
            cache.count_uses(hits=len(found), misses=len(keys) - len(found))
        return found

    def _write(self, cache: Any, items: Iterable[tuple[str, bytes]]) -> None:
        with cache.transact():
            for key, data in items:
                cache.set(key, data, expire=self._expire_seconds)

    def _do(self, action: Callable[[Any], T]) -> T:
        """Run `action` on the open cache.

        If the database is damaged, run it again on a new, empty cache.
        """
        try:
            try:
                return action(self._open())
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
            self.renew()
            return action(self._open())
        except (sqlite3.DatabaseError, OSError, diskcache.Timeout) as error:
            reason = str(error) or "it is locked, or its disk is full"
            raise StoreError(
                f"The cache '{self.folder}' cannot be used ({reason}): see who owns it, or delete"
                " it, which costs no data."
            ) from error

    def _open(self) -> Any:
        if self._database is None:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            create_private_file(self.folder / diskcache.core.DBNAME)
            # Settings in the database may be planted: defaults and ours override them.
            settings = diskcache.DEFAULT_SETTINGS | self._settings
            try:
                self._database = CountedCache(str(self.folder), disk=BytesDisk, **settings)
            except (ValueError, TypeError) as error:  # the stored settings are malformed
                raise sqlite3.DatabaseError(str(error)) from error
        return self._database


def _move_aside(folder: Path) -> None:
    """Rename a damaged cache folder to `<name>.broken`, and delete an older folder of that name.

    A missing folder is no error, because another process may have renamed it.
    """
    aside = folder.with_name(f"{folder.name}.broken")
    shutil.rmtree(aside, ignore_errors=True)
    with contextlib.suppress(FileNotFoundError):
        folder.rename(aside)


def _safe_get(cache: Any, key: str) -> bytes | None:
    """Return the value of a key; None if it is absent or `BytesDisk` refuses to read it."""
    try:
        value: bytes | None = cache.get(key)
    except ValueError:
        return None
    return value


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
