"""A `Cluster` whose shares are objects of this process, for tests that need no Ray."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

from codeindex import __version__
from codeindex.cluster.cluster import Cluster
from codeindex.cluster.share import RepositoryShare
from codeindex.errors import CodeIndexError

OPEN: list[LocalShare] = []
"""Every share that was made, for a fixture that closes them."""


class LocalShare:
    """A `Share` that runs each call in `submit`, before it returns the future."""

    def __init__(self, name: str, place: str, *, version: str = __version__) -> None:
        self.name = name
        self._arguments = (place, version)
        self.share: RepositoryShare | None = None
        OPEN.append(self)

    def submit(self, method: str, *values: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            self.share = self.share or RepositoryShare(*self._arguments)
            future.set_result(getattr(self.share, method)(*values))
        except CodeIndexError as error:
            future.set_exception(error)
        return future


def loaded_cluster(store: Path, *, shares: int = 3) -> Cluster:
    """Return a cluster of shares in this process that have loaded a store."""
    cluster = Cluster(str(store), [LocalShare(f"{n}", str(store)) for n in range(shares)])
    assert cluster.refresh().problems == ()
    assert cluster.wait_until_loaded() == {}
    return cluster
