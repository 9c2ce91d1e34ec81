"""Search the repositories of a cluster as one workspace whose indexes are on other machines."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from codeindex.api.index import Index
from codeindex.api.requests.core import SearchRequest
from codeindex.api.workspace import ALL, RepositorySelection, Workspace, names_all
from codeindex.cluster.cluster import Cluster, unknown_repository
from codeindex.cluster.remote_index import RemoteIndex
from codeindex.errors import ScopeError
from codeindex.search.pack.merge_repositories import RepositoryCursor
from codeindex.types import Answer, Hit


def see_all(_: str) -> bool:
    """Return True, so that a client may see every repository: a rule for `ClusterWorkspace`."""
    return True


class ClusterWorkspace(Workspace):
    """The repositories of a cluster for which `may_see(name)` is true; thread-safe.

    All others are treated as if they did not exist, and no answer counts them.
    """

    def __init__(self, cluster: Cluster, may_see: Callable[[str], bool] = see_all) -> None:
        super().__init__(allow_global=True)
        self.cluster = cluster
        self._may_see = may_see
        self._thread = threading.local()

    def names(self) -> tuple[str, ...]:
        """Return the names of the repositories, sorted."""
        return tuple(name for name in self.cluster.names() if self._may_see(name))

    def close(self) -> None:
        """Do nothing: the shares end with the program that started them."""

    def index(self, place: str | Path) -> Index:
        """Return the index of the repository called `place`; raise ScopeError for other names."""
        name = self._named(place)
        with self._lock:
            return self._indexes.setdefault(name, RemoteIndex(self.cluster, name))

    def _named(self, place: Any) -> str:
        name = str(place)
        if name not in self.names():
            raise unknown_repository(name, self.names())
        return name

    def _means_all(self, scope: Mapping[str, Any] | None, repo: str) -> bool:
        is_all = names_all(scope, repo) or (scope is None and not repo)
        return is_all and ALL not in self.names()

    def _all(self) -> tuple[str, ...]:
        names = self.names()
        if not names:
            raise ScopeError(
                "There is no repository that may be searched here: run `codeindex cluster index`,"
                " or ask for a token that allows some."
            )
        return names

    def _search_several(self, request: SearchRequest, scope: RepositorySelection) -> Answer:
        """Return the merged hits; `meta.commits` is {repository: commit} of those with a hit."""
        answer = super()._search_several(request, scope)
        repos = dict.fromkeys(hit.repo for hit in (*answer.hits, *answer.navigation))
        commits = {repo: self._thread.commits[repo][:12] for repo in repos}
        return replace(answer, meta={**answer.meta, "commits": commits})

    def _search_each(
        self, request: SearchRequest, scope: RepositorySelection, begun: RepositoryCursor | None
    ) -> tuple[dict[str, Answer], dict[str, str]]:
        """Search the repositories of `scope` in their shares, from the cursor `begun` on.

        A share is a process that serves some repositories. Return ({name: answer}, {name: error
        message}).
        """
        failed: dict[str, str] = {}
        names = scope.repos
        if begun:
            late = "It could not be searched for the first page."
            failed = {name: late for name in names if name not in begun.by_repo}
            names = tuple(name for name in names if name not in failed)
        cursors = {name: begun.of(name) for name in names} if begun else {}
        part = replace(request, cursor="", budget=0, seen=(), sent_as="json")
        found = self.cluster.search(names, part, cursors)
        failed |= found.failed
        if not found.answers:
            causes = " ".join(f"{name}: {why}" for name, why in list(failed.items())[:3])
            raise ScopeError(f"No repository of this scope can be searched. {causes}")
        self._thread.commits = found.commits
        return {name: found.answers[name] for name in names if name in found.answers}, failed

    def _note(self, answer: Answer, started: float, *, is_more: bool) -> None:
        """Do nothing: a cluster records no metrics; usage is counted on the user's machine."""

    def _outline(self, hit: Hit) -> Mapping[int, str]:
        outline: Mapping[int, str] = self.index(hit.repo).searcher.outline(hit)
        return outline
