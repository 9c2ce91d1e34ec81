"""Represent the index of a repository that is on another machine of the cluster."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from codeindex.api.index import Index
from codeindex.api.requests import Request
from codeindex.cluster.cluster import Cluster
from codeindex.cluster.share import IndexCall
from codeindex.errors import ForbiddenError
from codeindex.store.datadir.home import Repository
from codeindex.types import Answer, RefreshResult, Skipped, Status

_COMPONENTS = (
    *("searcher", "graph", "symbols", "source", "changes", "overview", "exact", "explain"),
    *("answers", "combined", "wiki", "evaluation"),
)
"""The components of `Index` that can be called remotely; `admin` cannot, because it writes."""


class RemoteIndex(Index):
    """An `Index` whose requests are answered by a share (a process) on another machine.

    It is thread-safe. Requests raise the errors of `Index`, and ClusterError if no share answers.
    """

    def __init__(self, cluster: Cluster, name: str) -> None:
        """Represent the index of the repository `name` of a cluster, without calling a share."""
        self._cluster = cluster
        self._name = name
        self._thread = threading.local()
        for component in _COMPONENTS:  # instead of those that `Index` would create
            vars(self)[component] = RemoteComponent(self, component)

    def call(self, component: str, method: str, *values: Any, **named: Any) -> Any:
        """Call a method of the remote index or, if `component` is not "", of that component."""
        reply = self._cluster.call(IndexCall(self._name, component, method, values, named))
        self._thread.refreshed = reply.refreshed
        self._thread.commit = reply.commit
        return reply.value

    def close(self) -> None:
        """Do nothing: the shares stay open."""

    @property
    def root(self) -> Path:
        """`/NAME` instead of the real folder, which is on another machine."""
        return Path("/") / self._name

    @property
    def part(self) -> str:
        """Always '', because a remote index covers a whole repository."""
        return ""

    @property
    def repository(self) -> Repository:
        """The repository's name; both folders are `/NAME`, because the real ones are elsewhere."""
        return Repository(self._name, self.root, self.root)

    @property
    def is_indexed(self) -> bool:
        """Whether a process of the cluster answers that it has loaded the repository."""
        return bool(self.call("", "is_indexed"))

    def status(self) -> Status:
        """Return the counts, completeness and model of the remote index."""
        status: Status = self.call("", "status")
        return status

    def skipped(self) -> tuple[Skipped, ...]:
        """Return the files and folders that are not indexed, each with the reason."""
        skipped: tuple[Skipped, ...] = self.call("", "skipped")
        return skipped

    def refreshed(self) -> RefreshResult:
        """Return which files this thread's last query had to read again; then forget them."""
        refreshed: RefreshResult = getattr(self._thread, "refreshed", None) or RefreshResult()
        self._thread.refreshed = None
        return refreshed

    def take_commit(self) -> str:
        """Return the commit that answered this thread's last query; then reset it to ''."""
        commit: str = getattr(self._thread, "commit", "")
        self._thread.commit = ""
        return commit

    def run(self, request: Request) -> Any:
        """Return the answer to a request; raise ForbiddenError for `sync` and `admin` requests."""
        if request.capability == "sync" or request.capability.startswith("admin."):
            raise ForbiddenError(
                f"The index of '{self._name}' is built by `codeindex cluster refresh`: nothing else"
                " changes it."
            )
        answer = self.call("", "run", request)
        if isinstance(answer, Answer):
            commits = {self._name: self._thread.commit[:12]}
            return replace(answer, meta={**answer.meta, "commits": commits})
        return answer


class RemoteComponent:
    """A component of a remote index, such as `graph`; a share runs the component's methods."""

    def __init__(self, index: RemoteIndex, name: str) -> None:
        self._index = index
        self._name = name

    def __getattr__(self, method: str) -> Callable[..., Any]:
        def call(*values: Any, **named: Any) -> Any:
            return self._index.call(self._name, method, *values, **named)

        return call
