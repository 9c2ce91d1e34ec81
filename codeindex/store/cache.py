"""Caches in diskcache, none of them needed for a right answer: the only module that knows it.

diskcache pickles by default, and a planted row runs code even under its JSONDisk. `BytesDisk`
stores bytes under text keys and refuses everything else.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codeindex.errors import StoreError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_DAY = 86_400.0
_CHECK = 8
"""Bytes of SHA-256 in front of each vector."""
_BATCH = 500


def _bytes_disk() -> type:
    import diskcache

    class BytesDisk(diskcache.Disk):  # type: ignore[misc]
        """Stores bytes under text keys; never unpickles, never leaves its folder."""

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
            return super().store(value, read, key=key)

        def fetch(self, mode: Any, filename: Any, value: Any, read: Any) -> Any:
            if mode not in (diskcache.core.MODE_RAW, diskcache.core.MODE_BINARY):
                raise ValueError("cache value of a foreign kind refused")
            if filename and not (Path(self._directory) / filename).resolve().is_relative_to(
                Path(self._directory).resolve()
            ):
                raise ValueError("cache file outside its folder refused")
            return super().fetch(mode, filename, value, read)

    return BytesDisk


def _set_aside(folder: Path) -> None:
    if folder.exists():
        number = 1
        while (aside := folder.with_name(f"{folder.name}.broken-{number}")).exists():
            number += 1
        folder.rename(aside)


class _Cache:
    """A diskcache opened when first touched; a broken one is moved aside once and begun anew."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self._folder = folder
        self._settings = settings
        self._open: Any = None

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    @property
    def _cache(self) -> Any:
        if self._open is None:
            try:
                self._open = self._opened()
            except (sqlite3.DatabaseError, ValueError, TypeError):
                _set_aside(self._folder)
                self._open = self._opened()
        return self._open

    def _opened(self) -> Any:
        import diskcache  # 34 ms

        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return diskcache.Cache(str(self._folder), disk=_bytes_disk(), **self._settings)
        except OSError as error:
            raise StoreError(f"The cache {self._folder} cannot be opened ({error}).") from error

    def _fetch(self, key: str) -> bytes | None:
        """Return the value, or None where there is none that may be trusted."""
        try:
            value: bytes | None = self._cache.get(key)
        except (ValueError, OSError):  # refused by BytesDisk, or its file is gone
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
        found = {}
        for batch in _batches(keys):
            with self._cache.transact():
                for key in batch:
                    vector = _checked(self._fetch(key), dimension)
                    if vector is not None:
                        self._cache.touch(key, expire=self._expire)
                        found[key] = vector
        return found

    def put(self, vectors: Mapping[str, npt.NDArray[np.float32]]) -> None:
        for batch in _batches(list(vectors)):
            with self._cache.transact():
                for key in batch:
                    data = vectors[key].astype("<f4").tobytes()
                    self._cache.set(key, _sum(data) + data, expire=self._expire)


class MerkleCache(_Cache):
    """One blob a repository: what its tree looked like when it was last read. Never evicted."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, eviction_policy="none", cull_limit=0)

    def get(self, key: str) -> bytes | None:
        return self._fetch(key)

    def put(self, key: str, value: bytes) -> None:
        self._cache.set(key, value)


def _sum(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:_CHECK]


def _checked(value: bytes | None, dimension: int) -> npt.NDArray[np.float32] | None:
    import numpy as np

    if value is None or len(value) != _CHECK + 4 * dimension or _sum(value[_CHECK:]) != value[:_CHECK]:
        return None
    return np.frombuffer(value, dtype="<f4", offset=_CHECK)


def _batches(keys: Sequence[str]) -> Iterable[Sequence[str]]:
    return (keys[i : i + _BATCH] for i in range(0, len(keys), _BATCH))
