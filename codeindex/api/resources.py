"""Keep resources open between calls: connections, models, worker processes, caches.

The module of a resource is imported when the resource is opened, since a query uses few of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

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
    from codeindex.store.cache.caches import EmbeddingCache, StatCache

Resource = TypeVar("Resource")


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
        self.settings_times: tuple[object, ...] | None = None
        """State of the settings files when the present settings were read."""
        self.outdated_at: tuple[int, Settings] | None = None
        """The generation and settings at which more files were outdated than a query can read."""
        self._opened: dict[object, Any] = {}
        """Open resources by key; those that are opened together are a tuple."""
        self._thread = threading.local()
        self.shared = shared
        self.models = shared or OpenModels()

    def open_once(self, key: object, create: Callable[[], Resource]) -> Resource:
        """Return the resource with a key; the first call creates it."""
        with self.lock:
            if key not in self._opened:
                self._opened[key] = create()
            resource: Resource = self._opened[key]
            return resource

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

        return self.open_once("tree scan", lambda: TreeScan(root))

    def caches(self, settings: Settings) -> tuple[StatCache, EmbeddingCache]:
        from codeindex.store.cache.caches import open_caches

        embeddings, stat_cache = self.open_once(
            "caches", lambda: open_caches(data_home(), settings.config)
        )
        return stat_cache, embeddings

    def reranker(self, name: str) -> CrossEncoder:
        """Return the cross-encoder with this id; raise ModelError if it is absent or damaged."""
        from codeindex.embed.lock import find_model, load_lock
        from codeindex.embed.rerank import CrossEncoder

        def create() -> CrossEncoder:
            model = find_model(load_lock(data_home()), name, kind="reranker")
            return CrossEncoder(data_home(), model, threads=cpu_count())

        return self.open_once(("reranker", name), create)

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

        return self.open_once(settings, lambda: WorkerPool(settings, size=cpu_count()))

    def matchers(self) -> MatcherPool:
        """Return the pool of processes that match regular expressions."""
        from codeindex.search.exact.matchers import MatcherPool

        return self.open_once("matchers", MatcherPool)

    def syntax_matchers(self) -> MatcherPool:
        """Return the pool of processes that match syntax patterns."""
        from codeindex.search.exact.matchers import MatcherPool
        from codeindex.structural.matcher import MATCH_CHILD

        return self.open_once("syntax matchers", lambda: MatcherPool(MATCH_CHILD))

    def close(self) -> None:
        """Close all resources, except models that other indexes share."""
        if not self.shared:
            self.models.close()
        for resource in self._opened.values():
            for part in resource if isinstance(resource, tuple) else (resource,):
                part.close()
