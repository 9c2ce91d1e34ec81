"""Serve the repositories of a cluster by MCP and HTTP, as one machine serves its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeindex.api.index import Index
from codeindex.api.workspace import ALL
from codeindex.cluster.build import BuildOutcome
from codeindex.cluster.cluster import Cluster
from codeindex.cluster.cluster_workspace import ClusterWorkspace, see_all
from codeindex.cluster.remote_index import RemoteIndex
from codeindex.errors import ClusterError, QueryError, ScopeError
from codeindex.mcp.repository_server import AccessPolicy, RepositoryServer
from codeindex.mcp.requested_builds import RequestedBuilds
from codeindex.text.truncate import name_some
from codeindex.types import SyncReport
from codeindex.watch.background_sync import BackgroundSync

Rebuild = Callable[[str], BuildOutcome]
"""Builds the bundle of a repository, by name, if its source has a new commit."""
_MOST_NAMED = 20
"""Most names of repositories in a message; the tool `status` lists all."""


class ClusterServer(RepositoryServer):
    """The repositories of a cluster that one group of clients may see; thread-safe.

    It writes nothing and watches nothing; a sync builds the bundle of one repository.
    """

    _workspace: ClusterWorkspace

    def __init__(
        self, cluster: Cluster, rebuild: Rebuild, may_see: Callable[[str], bool] = see_all
    ) -> None:
        super().__init__(access=AccessPolicy(shared=True, read_only=True))
        self._workspace = ClusterWorkspace(cluster, may_see)
        self.background = _ClusterSync(cluster, rebuild)

    @property
    def needs_roots(self) -> bool:
        """Return False: the repositories come from the cluster's store, not from a client."""
        return False

    def indexes(self) -> list[Index]:
        """Return the indexes of all repositories that this server's clients may see."""
        names = self._workspace.names()
        return [self._workspace.index(name) for name in names]

    def index(self, repo: str = "") -> Index:
        """Return the index of a repository, given its name; '' means the only one.

        Raises ScopeError for an unknown name, and for '' if there are several.
        """
        names = self._workspace.names()
        if repo and not (repo == ALL and ALL not in names):
            return self._workspace.index(repo)
        if len(names) == 1:
            return self._workspace.index(names[0])
        if not names:
            raise ScopeError("The cluster has no repository that may be seen here.")
        listed = name_some(names, _MOST_NAMED)
        raise ScopeError(
            f"This answers about one repository: give one as `repo`, of {listed}; search_code"
            " searches all."
        )

    def indexes_of(self, repo: str) -> list[Index]:
        """Return the index of a repository; for '' and `all`, all that these clients may see."""
        is_all = repo == ALL and ALL not in self._workspace.names()
        return [self.index(repo)] if repo and not is_all else self.indexes()

    def other_indexes(self, index: Index) -> list[Index]:
        """Return []: uses in other repositories are not searched.

        That would take seconds for each symbol.
        """
        return []

    def freshness_note(self, index: Index) -> str:
        """Return a note on the commit that this thread's last answer describes.

        The note also names the files that were read again and those that the answer does not
        cover. It is '' without an answer.
        """
        commit = index.take_commit() if isinstance(index, RemoteIndex) else ""
        if not commit:
            return ""
        return " ".join(
            (f"{index.repository.name} at commit {commit[:12]}.", *index.refreshed().remarks())
        )

    def has_wiki(self) -> bool:
        """Return False: a wiki is written in a user's work tree, not in a cluster."""
        return False

    def _synced(
        self, scope: Mapping[str, Any] | None, repo: str, *, now: bool
    ) -> Mapping[str, Any] | None:
        if now and not repo:
            raise QueryError("`sync` builds one repository of a cluster: name it as `repo`.")
        if now:
            self.background.sync_now(self.index(repo))
        if scope is None:
            return {"type": "repo", "repo": repo} if repo and repo != ALL else {"type": "all"}
        return scope


class _ClusterSync(BackgroundSync):
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
