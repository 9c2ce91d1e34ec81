"""What an index holds open between calls: connections, models, worker processes, caches."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from codeindex.config import Settings, cpu_count, data_home
from codeindex.types import RefreshResult

if TYPE_CHECKING:
    from pathlib import Path

    from codeindex.embed.encoder import Encoder
    from codeindex.embed.rerank import Reranker
    from codeindex.freshness.tree_scan import TreeScan
    from codeindex.ingest.workers.pool import WorkerPool, WorkerSettings
    from codeindex.search.exact.matchers import MatcherPool
    from codeindex.search.reader import IndexReader
    from codeindex.store.cache.caches import EmbeddingCache, MerkleCache


class Resources:
    """What an index holds open; closing it forgets everything."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        """Held while something is opened, never while it runs: searches go on beside a sync."""
        self.refreshing = threading.Lock()
        """Held by the search that refreshes, so that others wait instead of going without."""
        self.reader: IndexReader | None = None
        self.settings_times: tuple[object, ...] | None = None
        """When the files of the settings that are in use were changed."""
        self.outdated_at: tuple[int, int] | None = None
        """The state and the settings in which there are too many files to read for a question."""
        self._look: TreeScan | None = None
        self._said = threading.local()
        self.encoders: dict[str, Encoder] = {}
        self._rerankers: dict[str, Reranker] = {}
        self._pools: dict[WorkerSettings, WorkerPool] = {}
        self._matchers: MatcherPool | None = None
        self._caches: tuple[MerkleCache, EmbeddingCache] | None = None

    @property
    def refreshed(self) -> RefreshResult:
        """What the last question of this thread found changed."""
        return getattr(self._said, "refreshed", None) or RefreshResult()

    @refreshed.setter
    def refreshed(self, found: RefreshResult) -> None:
        self._said.refreshed = found

    def take_refreshed(self) -> RefreshResult:
        """Return `refreshed`, and forget it."""
        found, self.refreshed = self.refreshed, RefreshResult()
        return found

    def look(self, root: Path) -> TreeScan:
        """Return the look at the tree, which remembers what it has seen."""
        from codeindex.freshness.tree_scan import TreeScan

        with self.lock:
            if self._look is None:
                self._look = TreeScan(root)
            return self._look

    def caches(self, settings: Settings) -> tuple[MerkleCache, EmbeddingCache]:
        from codeindex.store.cache.caches import open_caches

        with self.lock:
            if self._caches is None:
                embeddings, merkle = open_caches(data_home(), settings.config)
                self._caches = (merkle, embeddings)
            return self._caches

    def reranker(self, name: str) -> Reranker:
        """Return the cross-encoder of this id; ModelError for one that is absent or damaged."""
        from codeindex.embed.lock import find_model, load_lock
        from codeindex.embed.rerank import Reranker

        with self.lock:
            if name not in self._rerankers:
                model = find_model(load_lock(data_home()), name, kind="reranker")
                self._rerankers[name] = Reranker(data_home(), model, threads=cpu_count())
            return self._rerankers[name]

    def pool(self, settings: WorkerSettings) -> WorkerPool:
        """Return warm workers for these settings."""
        from codeindex.ingest.workers.pool import WorkerPool

        with self.lock:
            if settings not in self._pools:
                self._pools[settings] = WorkerPool(settings, size=cpu_count())
            return self._pools[settings]

    def matchers(self) -> MatcherPool:
        """Return the processes that match regular expressions."""
        from codeindex.search.exact.matchers import MatcherPool

        with self.lock:
            if self._matchers is None:
                self._matchers = MatcherPool()
            return self._matchers

    def close(self) -> None:
        for one in (
            self.reader,
            self._look,
            self._matchers,
            *self.encoders.values(),
            *self._rerankers.values(),
            *self._pools.values(),
            *(self._caches or ()),
        ):
            if one is not None:
                one.close()
