"""Caches in diskcache, none of them needed for a right answer; only `bytes_disk` knows it too."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from codeindex.errors import StoreError
from codeindex.store.cache.contents import with_digest, without_digest
from codeindex.store.catalog.sqlite_errors import is_damage
from codeindex.store.datadir.home import create_private_file

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

T = TypeVar("T")

_DAY = 86_400.0
_BATCH = 500


class _Cache:
    """A diskcache opened when first touched; a broken one is moved aside and begun anew."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.folder = folder
        self._settings = settings
        self._open: Any = None

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def renew(self) -> None:
        """Begin anew; what there was is kept for whoever wants to know what was wrong with it."""
        self.close()
        _set_aside(self.folder)

    def drop(self, keys: Iterable[str]) -> None:
        """Forget these, for whatever reason."""

        def act(cache: Any) -> None:
            for key in keys:
                cache.delete(key)

        self._do(act)

    def expire(self) -> int:
        """Delete what has outlived its term; return how many there were."""
        return self._do(lambda cache: int(cache.expire()))

    def clear(self) -> int:
        """Delete everything, and begin to count anew; return how many there were."""

        def act(cache: Any) -> int:
            with cache.transact():
                cache.forget_uses()
            return int(cache.clear())

        return self._do(act)

    def _do(self, action: Callable[[Any], T]) -> T:
        """Act on the cache, or on an empty new one if this one turns out to be broken."""
        from diskcache import Timeout

        try:
            try:
                return action(self._opened())
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
            self.close()
            _set_aside(self.folder)
            return action(self._opened())
        except (sqlite3.DatabaseError, OSError, Timeout) as error:
            reason = str(error) or "it is locked, or its disk is full"
            raise StoreError(
                f"The cache '{self.folder}' cannot be used ({reason}): see who owns it, or delete"
                " it, which costs no data."
            ) from error

    def _opened(self) -> Any:
        import diskcache  # 34 ms

        from codeindex.store.cache.bytes_disk import BytesDisk, CountedCache

        if self._open is None:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            create_private_file(self.folder / diskcache.core.DBNAME)
            settings = diskcache.DEFAULT_SETTINGS | self._settings  # over whatever is stored in it
            try:
                self._open = CountedCache(str(self.folder), disk=BytesDisk, **settings)
            except (ValueError, TypeError) as error:  # its settings are none
                raise sqlite3.DatabaseError(str(error)) from error
        return self._open


def _set_aside(folder: Path) -> None:
    """Keep one broken cache for whoever wants to know why; another process may come first."""
    aside = folder.with_name(f"{folder.name}.broken")
    shutil.rmtree(aside, ignore_errors=True)
    with contextlib.suppress(FileNotFoundError):
        folder.rename(aside)


def _trusted(cache: Any, key: str) -> bytes | None:
    """Return the value, or None where there is none that may be trusted."""
    try:
        value: bytes | None = cache.get(key)
    except ValueError:  # refused by BytesDisk
        return None
    return value


class EmbeddingCache(_Cache):
    """Vectors by the digest of everything that decided them; shared by all repositories."""

    def __init__(self, folder: Path, *, ttl_days: int, size_limit_mb: int) -> None:
        super().__init__(
            folder,
            size_limit=size_limit_mb * 1024 * 1024,
            eviction_policy="least-recently-stored",
        )
        self._expire = ttl_days * _DAY

    def get(self, keys: Sequence[str], *, dimension: int) -> dict[str, npt.NDArray[np.float32]]:
        """Return the vectors that are known and whole, and keep those for another term."""
        found: dict[str, npt.NDArray[np.float32]] = {}
        for batch in _batches(keys):
            found |= self._do(partial(self._known, keys=batch, dimension=dimension))
        return found

    def put(self, vectors: Mapping[str, npt.NDArray[np.float32]]) -> None:
        for batch in _batches(list(vectors)):
            data = {key: vectors[key].astype("<f4").tobytes() for key in batch}
            self._do(partial(self._store, values=data))

    def _known(
        self, cache: Any, keys: Sequence[str], dimension: int
    ) -> dict[str, npt.NDArray[np.float32]]:
        found = {}
        with cache.transact():
            for key in keys:
                vector = _vector(_trusted(cache, key), dimension)
                if vector is not None:
                    cache.touch(key, expire=self._expire)
                    found[key] = vector
            cache.count_uses(hits=len(found), misses=len(keys) - len(found))
        return found

    def _store(self, cache: Any, values: Mapping[str, bytes]) -> None:
        with cache.transact():
            for key, data in values.items():
                cache.set(key, with_digest(data), expire=self._expire)


class MerkleCache(_Cache):
    """One blob a repository: what its tree looked like when it was last read. Never evicted."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, eviction_policy="none", cull_limit=0)

    def get(self, key: str) -> bytes | None:
        def act(cache: Any) -> bytes | None:
            with cache.transact():
                value = _trusted(cache, key)
                cache.count_uses(hits=value is not None, misses=value is None)
            return value

        return self._do(act)

    def put(self, key: str, value: bytes) -> None:
        self._do(lambda cache: cache.set(key, value))


def _vector(value: bytes | None, dimension: int) -> npt.NDArray[np.float32] | None:
    import numpy as np

    data = without_digest(value)
    return None if data is None or len(data) != 4 * dimension else np.frombuffer(data, dtype="<f4")


def _batches(keys: Sequence[str]) -> Iterable[Sequence[str]]:
    return (keys[i : i + _BATCH] for i in range(0, len(keys), _BATCH))
