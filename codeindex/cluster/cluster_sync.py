"""Sync a repository of a cluster: build its bundle when a client asks for that."""

from __future__ import annotations

from collections.abc import Callable

from codeindex.api.index import Index
from codeindex.cluster.build import BuildOutcome
from codeindex.cluster.cluster import Cluster
from codeindex.cluster.requested_builds import RequestedBuilds
from codeindex.errors import ClusterError
from codeindex.types import SyncReport
from codeindex.watch.background_sync import BackgroundSync

Rebuild = Callable[[str], BuildOutcome]
"""Builds the bundle of a repository, by name, if its source has a new commit."""


class ClusterSync(BackgroundSync):
    """Syncs a repository of a cluster by building its bundle, and only on request."""

    def __init__(self, cluster: Cluster, rebuild: Rebuild) -> None:
        super().__init__()
        self._cluster = cluster
        self._rebuild = rebuild
        self._builds = RequestedBuilds(self._build)

    def add(self, index: Index) -> None:
        """Do nothing: each process of the cluster loads its indexes from the store by itself."""

    def sync_soon(self, index: Index) -> None:
        """Do nothing: a query does not start a build."""

    def sync_changed(self, index: Index) -> None:
        """Do nothing: a work tree of a cluster changes only when a new bundle is loaded."""

    def sync_now(self, index: Index) -> SyncReport:
        """Build the bundle if there is a new commit, and tell the shares of the cluster to load it.

        The report has a note if the build goes on after this call. Raise ClusterError if it cannot
        be built.
        """
        name = index.repository.name
        outcome = self._builds.run(name)
        note = "It will be built if it has a new commit, and the shares will load that."
        if outcome:
            note = f"The bundle is of commit {outcome.commit[:12]}; the shares are loading it."
        return SyncReport(
            repo=name,
            added=0,
            changed=outcome.files if outcome and outcome.state == "built" else 0,
            removed=0,
            failed=(),
            skipped=(),
            embedded=0,
            seconds=outcome.seconds if outcome else 0.0,
            version=0,
            model="",
            notes=(note,),
        )

    def _build(self, name: str) -> BuildOutcome:
        outcome = self._rebuild(name)
        if outcome.state == "failed":
            raise ClusterError(f"'{name}' was not built: {outcome.why}")
        self._cluster.refresh()
        return outcome
