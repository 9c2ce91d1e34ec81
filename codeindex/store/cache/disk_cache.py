"""Store caches on disk with diskcache: bytes by text key.

No module imports diskcache except this one and `bytes_disk`.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from codeindex.errors import StoreError
from codeindex.files.write import create_private_file
from codeindex.store.catalog.sqlite_errors import is_damage

T = TypeVar("T")

_BATCH = 500
"""Keys in one transaction; other processes can write between two transactions."""


class DiskCache:
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
        """Run `action` on the open cache; if its database is damaged, again on a new, empty one."""
        from diskcache import Timeout

        try:
            try:
                return action(self._open())
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
            self.renew()
            return action(self._open())
        except (sqlite3.DatabaseError, OSError, Timeout) as error:
            reason = str(error) or "it is locked, or its disk is full"
            raise StoreError(
                f"The cache '{self.folder}' cannot be used ({reason}): see who owns it, or delete"
                " it, which costs no data."
            ) from error

    def _open(self) -> Any:
        import diskcache  # 34 ms

        from codeindex.store.cache.bytes_disk import BytesDisk, CountedCache

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
