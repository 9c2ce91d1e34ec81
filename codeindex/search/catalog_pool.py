"""Lend connections to a catalog file, so that few stay open however many threads ask."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from codeindex.graph.test_paths import TestGraph
from codeindex.store.catalog.connection import Catalog
from codeindex.store.graph.user_links import UserLinks
from codeindex.types.unused_symbol import UnusedByFile

_MAX_CACHED = 400_000
"""Most values of each graph that are cached between questions; they take up to 60 MB."""


class GraphCache:
    """What earlier questions have read of the graph: the users of symbols, and ways to tests.

    `unused` has the unused symbols of the files that were searched for them.
    """

    def __init__(self) -> None:
        self.users = UserLinks()
        self.tests = TestGraph()
        self.unused: UnusedByFile = {}

    @property
    def is_full(self) -> bool:
        return max(self.users.size, self.tests.size) >= _MAX_CACHED


@dataclass(slots=True)
class PooledCatalog:
    """An open catalog with its cache of the graph; one thread uses it at a time."""

    catalog: Catalog
    _graph: GraphCache = field(default_factory=GraphCache)
    _data_version: int = -1

    def graph(self) -> GraphCache:
        """Return the cache of the graph that earlier questions have filled.

        It is emptied when it is full, and when another connection has written to the catalog.
        """
        version = self.catalog.data_version()
        if version != self._data_version or self._graph.is_full:
            self._graph, self._data_version = GraphCache(), version
        return self._graph


class CatalogPool:
    """Connections to one catalog file; thread-safe.

    It opens as many as threads read at the same time, and keeps them for later readers.
    """

    def __init__(self, path: Path, file: tuple[int, int]) -> None:
        """Lend connections to `path`; `file` is its (device, inode)."""
        self.file = file
        self._path = path
        self._lock = threading.Lock()
        self._idle = list[PooledCatalog]()
        self._is_closed = False

    def close(self) -> None:
        """Close the connections; those that are lent are closed when they are returned."""
        with self._lock:
            idle, self._idle, self._is_closed = self._idle, [], True
        for pooled in idle:
            pooled.catalog.close()

    @contextlib.contextmanager
    def borrow(self) -> Iterator[PooledCatalog]:
        """Yield a connection that no other thread uses until the block ends."""
        with self._lock:
            pooled = self._idle.pop() if self._idle else None
        pooled = pooled or PooledCatalog(Catalog.open(self._path))
        try:
            yield pooled
        finally:
            self._take_back(pooled)

    def _take_back(self, pooled: PooledCatalog) -> None:
        with self._lock:
            # After an error of SQLite, a transaction may still be open.
            if not (self._is_closed or pooled.catalog.connection.in_transaction):
                self._idle.append(pooled)
                return
        pooled.catalog.close()
