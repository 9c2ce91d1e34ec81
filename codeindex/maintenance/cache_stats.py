"""Report statistics of the shared caches, and clear them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from codeindex.config import Config
from codeindex.errors import DamagedError, ScopeError
from codeindex.store.cache.caches import CACHES, STAT_CACHE, cache_folder, open_caches
from codeindex.store.cache.contents import CacheContents, read_contents

_MIB = 1024 * 1024
_HOLDS = {
    "embeddings": "vectors by their text, for all repositories, branches and worktrees",
    STAT_CACHE: "files by size and times, one entry a repository",
}


@dataclass(frozen=True, slots=True)
class CacheStats:
    """Statistics of a cache; `limit_bytes` and `ttl_days` are 0 if there is no limit.

    `holds` and `eviction` describe in words what is stored and what is deleted first. `broken` is
    the error if the cache's database is damaged, else "".
    """

    name: str
    holds: str
    contents: CacheContents
    limit_bytes: int
    ttl_days: int
    eviction: str
    broken: str = ""

    @property
    def hit_rate(self) -> float | None:
        """Share of look-ups that were hits; None if there was no look-up."""
        lookups = self.contents.hits + self.contents.misses
        return self.contents.hits / lookups if lookups else None


def cache_stats(home: Path, config: Config) -> tuple[CacheStats, ...]:
    """Return the statistics of every cache; this does not count as a use of the caches."""
    return tuple(_stats(home, config, name) for name in CACHES)


def _stats(home: Path, config: Config, name: str) -> CacheStats:
    contents, broken = CacheContents(), ""
    try:
        contents = read_contents(cache_folder(home, name))
    except DamagedError as error:
        broken = str(error)
    limited = name == "embeddings"
    return CacheStats(
        name=name,
        holds=_HOLDS[name],
        contents=contents,
        limit_bytes=config.cache.size_limit_mb * _MIB if limited else 0,
        ttl_days=config.cache.embedding_ttl_days if limited else 0,
        eviction="stored longest ago" if limited else "never",
        broken=broken,
    )


def clear_caches(home: Path, config: Config, name: str = "") -> int:
    """Clear the cache `name`, or all caches if it is ""; return the number of deleted entries.

    Syncs fill the caches again, so no data is lost. Raise ScopeError for an unknown name.
    """
    if name and name not in CACHES:
        raise ScopeError(f"There is no cache {name!r}: choose {' or '.join(CACHES)}.")
    count = 0
    for cache_name, cache in zip(CACHES, open_caches(home, config), strict=True):
        if name in {"", cache_name} and cache_folder(home, cache_name).is_dir():
            count += cache.clear()
        cache.close()
    return count
