"""Keep resources open between calls: connections, models, worker processes, caches.

The module of a resource is imported when the resource is opened, since a query uses few of them.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.config import Settings, cpu_count, data_home
from codeindex.types import RefreshResult

if TYPE_CHECKING:
    from codeindex.embed.encoder import Encoder
    from codeindex.embed.rerank import CrossEncoder
    from codeindex.embed.static_model import StaticModel
    from codeindex.freshness.tree_scan import TreeScan
    from codeindex.ingest.workers.child import WorkerSettings
    from codeindex.ingest.workers.pool import WorkerPool
    from codeindex.search.exact.matchers import MatcherPool
    from codeindex.search.reader import IndexReader
    from codeindex.store.cache.caches import EmbeddingCache, StatCache


@dataclass(slots=True)
class OpenModels:
    """The models that are open in this process, for one or several indexes.

    An index does not close models that it shares; the owner of this object does.
    """

    encoders: dict[str, Encoder] = field(default_factory=dict)
    """Transformers by id."""
    static: StaticModel | None = None

    def close(self) -> None:
        """Close the transformers; the next use opens them again."""
        for encoder in self.encoders.values():
            encoder.close()


class Resources:
    """Opens each resource of an index at its first use, and closes all of them together."""

    def __init__(self, shared: OpenModels | None = None) -> None:
        """Start without open resources; `shared` are models that other indexes share."""
        self.lock = threading.RLock()
        """Held while a resource is opened, never while it is used: searches run during a sync."""
        self.refreshing = threading.Lock()
        """Held by the query that indexes changes; other queries wait until it is done."""
        self.reader: IndexReader | None = None
        self.settings_times: tuple[object, ...] | None = None
        """State of the settings files when the present settings were read."""
        self.outdated_at: tuple[int, Settings] | None = None
        """The generation and settings at which more files were outdated than a query can read."""
        self._tree_scan: TreeScan | None = None
        self._thread = threading.local()
        self.shared = shared
        self.models = shared or OpenModels()
        self._rerankers: dict[str, CrossEncoder] = {}
        self._pools: dict[WorkerSettings, WorkerPool] = {}
        self._matchers: MatcherPool | None = None
        self._syntax_matchers: MatcherPool | None = None
        self._caches: tuple[StatCache, EmbeddingCache] | None = None

    @property
    def refreshed(self) -> RefreshResult:
        """The refresh result of the last query in this thread, such as files it could not read."""
        return getattr(self._thread, "refreshed", None) or RefreshResult()

    @refreshed.setter
    def refreshed(self, refreshed: RefreshResult) -> None:
        self._thread.refreshed = refreshed

    def take_refreshed(self) -> RefreshResult:
        """Return the refresh result of this thread's last query, and reset it."""
        refreshed, self.refreshed = self.refreshed, RefreshResult()
        return refreshed

    def tree_scan(self, root: Path) -> TreeScan:
        """Return the scanner of the work tree; it keeps what earlier scans found."""
        from codeindex.freshness.tree_scan import TreeScan

        with self.lock:
            if self._tree_scan is None:
                self._tree_scan = TreeScan(root)
            return self._tree_scan

    def caches(self, settings: Settings) -> tuple[StatCache, EmbeddingCache]:
        from codeindex.store.cache.caches import open_caches

        with self.lock:
            if self._caches is None:
                embeddings, stat_cache = open_caches(data_home(), settings.config)
                self._caches = (stat_cache, embeddings)
            return self._caches

    def reranker(self, name: str) -> CrossEncoder:
        """Return the cross-encoder with this id; raise ModelError if it is absent or damaged."""
        from codeindex.embed.lock import find_model, load_lock
        from codeindex.embed.rerank import CrossEncoder

        with self.lock:
            if name not in self._rerankers:
                model = find_model(load_lock(data_home()), name, kind="reranker")
                self._rerankers[name] = CrossEncoder(data_home(), model, threads=cpu_count())
            return self._rerankers[name]

    def static_model(self) -> StaticModel:
        """Return the static model, whose files are mapped into memory at the first call.

        Raise ModelError if a file is missing or damaged.
        """
        from codeindex.embed.static_model import load_static_model

        with self.lock:
            if self.models.static is None:
                self.models.static = load_static_model(data_home())
            return self.models.static

    def pool(self, settings: WorkerSettings) -> WorkerPool:
        """Return the pool of worker processes for these settings."""
        from codeindex.ingest.workers.pool import WorkerPool

        with self.lock:
            if settings not in self._pools:
                self._pools[settings] = WorkerPool(settings, size=cpu_count())
            return self._pools[settings]

    def matchers(self) -> MatcherPool:
        """Return the pool of processes that match regular expressions."""
        from codeindex.search.exact.matchers import MatcherPool

        with self.lock:
            if self._matchers is None:
                self._matchers = MatcherPool()
            return self._matchers

    def syntax_matchers(self) -> MatcherPool:
        """Return the pool of processes that match syntax patterns."""
        from codeindex.search.exact.matchers import MatcherPool
        from codeindex.structural.matcher import MATCH_CHILD

        with self.lock:
            if self._syntax_matchers is None:
                self._syntax_matchers = MatcherPool(MATCH_CHILD)
            return self._syntax_matchers

    def close(self) -> None:
        for resource in (
            self.reader,
            self._tree_scan,
            self._matchers,
            self._syntax_matchers,
            None if self.shared else self.models,
            *self._rerankers.values(),
            *self._pools.values(),
            *(self._caches or ()),
        ):
            if resource is not None:
                resource.close()
