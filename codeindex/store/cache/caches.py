"""Open the two caches that all indexes share: embedding vectors, and stats of files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.store.cache.disk_cache import DiskCache
from codeindex.types.array_types import Vector

if TYPE_CHECKING:
    from codeindex.config import Config

STAT_CACHE = "merkle"
"""Folder of the stat cache, and its name in commands; indexes of earlier versions have it too."""
CACHES = ("embeddings", STAT_CACHE)
_DAY_SECONDS = 86_400.0
_MIB = 1024 * 1024


def cache_folder(home: Path, name: str) -> Path:
    return home / "cache" / name


def open_caches(home: Path, config: Config) -> tuple[EmbeddingCache, StatCache]:
    """Return both caches; each opens its database at first use."""
    embeddings = EmbeddingCache(
        cache_folder(home, "embeddings"),
        ttl_days=config.cache.embedding_ttl_days,
        size_limit_mb=config.cache.size_limit_mb,
    )
    return embeddings, StatCache(cache_folder(home, STAT_CACHE))


class EmbeddingCache(DiskCache):
    """Cache of embedding vectors, shared by all repositories.

    The key of a vector is the digest of its text, model and settings.
    """

    def __init__(self, folder: Path, *, ttl_days: int, size_limit_mb: int) -> None:
        super().__init__(
            folder,
            expire_seconds=ttl_days * _DAY_SECONDS,
            size_limit=size_limit_mb * _MIB,
            eviction_policy="least-recently-stored",
        )

    def get(self, keys: Sequence[str], *, dimension: int) -> dict[str, Vector]:
        """Return {key: float32 vector} of the keys that have a valid vector.

        A vector is invalid if its digest is wrong, or if it is no unit vector of `dimension`
        numbers. Reading a vector restarts its time to expiry.
        """
        from codeindex.store.cache.vector_values import unpack_vector

        return self.get_many(keys, partial(unpack_vector, dimension=dimension))

    def put(self, vectors: Mapping[str, Vector]) -> None:
        from codeindex.store.cache.vector_values import pack_vector

        self.put_many({key: pack_vector(vector) for key, vector in vectors.items()})


class StatCache(DiskCache):
    """Cache of the last snapshot of each repository: size, times and digest of each file.

    A snapshot is stored as bytes; it is never evicted.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, eviction_policy="none", cull_limit=0)

    def get(self, key: str) -> bytes | None:
        return self.get_many([key], bytes).get(key)

    def put(self, key: str, value: bytes) -> None:
        self.put_many({key: value})
