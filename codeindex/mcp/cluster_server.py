"""Serve the repositories of a cluster by MCP and HTTP, as one machine serves its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeindex.api.index import Index
from codeindex.api.workspace import ALL
from codeindex.cluster.cluster import Cluster
from codeindex.cluster.cluster_sync import ClusterSync, Rebuild
from codeindex.cluster.cluster_workspace import ClusterWorkspace, see_all
from codeindex.cluster.remote_index import RemoteIndex
from codeindex.errors import QueryError, ScopeError
from codeindex.mcp.repository_server import AccessPolicy, RepositoryServer
from codeindex.text.truncate import name_some

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
        self.background = ClusterSync(cluster, rebuild)

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

    def _known(self, repo: str) -> Index | None:
        """Return the index of a repository by its name; None if these clients see none."""
        return self._workspace.index(repo) if repo in self._workspace.names() else None

    def other_indexes(self, index: Index) -> list[Index]:
        """Return []: uses in other repositories are not searched.

        That would take seconds for each symbol.
        """
        return []

    def freshness_notes(self, index: Index) -> list[str]:
        """Return a sentence on the commit that this thread's last answer describes.

        Further ones name the files that were read again and those that the answer does not cover.
        There is none without an answer.
        """
        commit = index.take_commit() if isinstance(index, RemoteIndex) else ""
        if not commit:
            return []
        return [f"{index.repository.name} at commit {commit[:12]}.", *index.refreshed().remarks()]

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
