"""Lend connections to a catalog file, so that few stay open however many threads ask."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from codeindex.store.catalog.connection import Catalog
from codeindex.store.graph.user_links import UserLinks

_MAX_USER_LINKS = 400_000
"""Most graph links that are cached with a connection between questions; they take up to 60 MB."""


@dataclass(slots=True)
class PooledCatalog:
    """An open catalog with its cache of symbol users; one thread uses it at a time."""

    catalog: Catalog
    _user_links: UserLinks = field(default_factory=UserLinks)
    _data_version: int = -1

    def user_links(self) -> UserLinks:
        """Return the cache of symbol users that earlier questions have filled.

        It is emptied when it is full, and when another connection has written to the catalog.
        """
        version = self.catalog.data_version()
        if version != self._data_version or self._user_links.size >= _MAX_USER_LINKS:
            self._user_links, self._data_version = UserLinks(), version
        return self._user_links


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
