"""The repositories of one server: found, opened and asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codeindex import git
from codeindex.api.index import Index
from codeindex.api.workspace import Workspace
from codeindex.config import environment
from codeindex.errors import (
    CodeIndexError,
    GitError,
    NotIndexedError,
    QueryError,
    RootError,
    ScopeError,
    StoreError,
)
from codeindex.store.datadir.file_paths import resolve_client_path
from codeindex.store.datadir.roots import locate_root, refuse_too_wide_root
from codeindex.types import Answer
from codeindex.watch.background_sync import BackgroundSync
from codeindex.watch.intervals import WatchIntervals
from codeindex.watch.post_sync_tasks import PostSyncTasks
from codeindex.watch.state import is_structure_complete

if TYPE_CHECKING:
    from codeindex.search.exact.lines import GrepResult
    from codeindex.watch.watcher import Watcher


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """What clients may do beside asking the repositories that a server was started for.

    With `any_repo` they may name others; `any_folder` allows folders without a repository, and
    whole disks. Of a `shared` server, "all" means what it was started for. A `read_only` one
    writes no file of a repository.
    """

    any_folder: bool = False
    any_repo: bool = False
    shared: bool = False
    read_only: bool = False


class RepositoryServer:
    """Opens each repository once; safe to share between threads.

    With a `pace`, changes are noticed as they are made.
    """

    def __init__(
        self,
        roots: Iterable[str] = (),
        *,
        access: AccessPolicy = AccessPolicy(),
        allow_global: bool = False,
        pace: WatchIntervals | None = None,
    ) -> None:
        self._workspace = Workspace(allow_global=allow_global or None)
        self._given = tuple(roots)
        self.access = access
        self._lock = threading.Lock()
        self._open: dict[str, Index] = {}
        self._asked: dict[str, float] = {}
        self._named_later: dict[str, Index] = {}
        """What a client has named though the server was not started for it."""
        self._chores = None if pace is None else PostSyncTasks(pace.drafts)
        self.background = BackgroundSync(after=self._chores.run if self._chores else None)
        self._watcher = None if pace is None else _watcher(self.background, pace)

    @property
    def needs_roots(self) -> bool:
        """True until `adopt` has found something to serve."""
        return not self._open

    def adopt(self, roots: Iterable[str]) -> None:
        """Serve what was given when starting, else what the client is in, else this folder."""
        refused: list[str] = []
        for place in self._places(roots):
            try:
                self._add(place, self._open)
            except CodeIndexError as error:
                refused.append(str(error))
        if refused and not self._open:
            raise RootError(" ".join(refused))

    def _add(self, place: str, into: dict[str, Index]) -> Index:
        found = locate_root(place, root=self.access.any_folder)
        if not self.access.any_folder:
            refuse_too_wide_root(found.root)
            if not _has_git(found.root):
                raise RootError(
                    f"'{found.root}' is in no git repository: start the server with"
                    f" `codeindex serve --root {found.root}` if it is to be indexed all the same."
                )
        index = Index.open(found.root, root=True)
        self._workspace.add(index)
        with self._lock:
            known = into.setdefault(index.repository.name, index)
        self.background.add(known)
        if self._watcher is not None:
            self._watcher.add(known)
        return known

    def names(self) -> list[str]:
        return [one.repository.name for one in self.indexes()]

    def index(self, repo: str = "") -> Index:
        """Return an index by the repository's name or a path in it; the first if none is named.

        ScopeError for what the server was not started for.
        """
        served = self.served()
        if not repo:
            return served[0]
        with self._lock:
            known = {**self._named_later, **self._open}
        found = known.get(repo) or _called_now(known.values(), repo)
        found = found or _holding(known.values(), repo)
        if found is not None:
            return found
        names = ", ".join(self.names()) or "nothing"
        if not self.access.any_repo:
            more = (
                "" if self.access.shared else " Start it with --any-repo to have others answer too."
            )
            raise ScopeError(
                f"This server was not started for {repo!r}. Served here: {names}.{more}"
            )
        try:
            return self._add(repo, self._named_later)
        except RootError as error:
            raise ScopeError(f"{error} Served here: {names}.") from error

    def first_asked(self, index: Index) -> float:
        """Return when an index was asked about first (`time.monotonic`), now if it was not yet."""
        with self._lock:
            return self._asked.setdefault(index.repository.name, time.monotonic())

    def caveat(self, index: Index) -> str:
        """Say what the last answer of this thread does not rest on, in one line; nothing else."""
        missed = replace(index.refreshed(), read=())
        if missed.unread or missed.outdated:
            self.background.sync_soon(index)
        if is_structure_complete(index):
            return " ".join(missed.remarks())
        if failure := self.background.failure(index):
            return f"Indexing fails, so answers are partial. {failure}"
        work = self.background.current_work(index)
        return f"Still being indexed ({work or 'interrupted'}): answers are partial."

    @contextmanager
    def naming_causes(self) -> Iterator[None]:
        """Say why there is no index where that is known, in place of that there is none."""
        try:
            yield
        except NotIndexedError as error:
            failures = filter(None, map(self.background.failure, self.indexes()))
            for failure in failures:
                raise StoreError(str(failure)) from error
            raise

    def close(self) -> None:
        """Stop indexing at its next step, and close what no sync uses any more."""
        if self._watcher is not None:
            self._watcher.close()
        if self._chores is not None:
            self._chores.close()
        if self.background.close():
            self._workspace.close()

    def search(
        self,
        query: str,
        *,
        scope: Mapping[str, Any] | None = None,
        repo: str = "",
        sync: bool = False,
        **asked: Any,
    ) -> Answer:
        """Ask `Workspace.search`; without a scope, of all that is served.

        What changed is found before it, and read if it is little; with `sync`, whatever it is.
        """
        return self._workspace.search(query, scope=self._synced(scope, repo, now=sync), **asked)

    def grep(
        self,
        query: Sequence[str],
        *,
        scope: Mapping[str, Any] | None = None,
        repo: str = "",
        sync: bool = False,
        cursor: str = "",
        **asked: Any,
    ) -> list[GrepResult]:
        """Ask `Index.grep` of each repository that `search` would ask."""
        names = self._workspace.scope(self._synced(scope, repo, now=sync)).repos
        if cursor and len(names) > 1:
            raise QueryError("A cursor goes on in one repository: name it in `repo`.")
        asked |= {"cursor": cursor, "spans": True, "likely_first": True}
        return [self._workspace.index(name).exact.grep(query, **asked) for name in names]

    def _synced(
        self, scope: Mapping[str, Any] | None, repo: str, *, now: bool
    ) -> Mapping[str, Any] | None:
        """Have what is asked synced, at once or soon, and return the scope that it is."""
        indexes = self._asked_of(scope, repo)
        for index in indexes:
            if now:
                self.background.sync_now(index)
            else:
                self.background.sync_soon(index)
        names = [one.repository.name for one in indexes]
        if len(names) == 1:
            return {"type": "repo", "repo": names[0]}
        return {"type": "repos", "repos": names} if names else scope

    def _asked_of(self, scope: Mapping[str, Any] | None, repo: str) -> list[Index]:
        """Return what a request names, all that is served for none; nothing for all indexed."""
        match scope:
            case None:
                return [self.index(repo)] if repo else self.served()
            case {"type": "repo", "repo": str(name)}:
                return [self.index(name)]
            case {"type": "repos", "repos": [*names]}:
                return [self.index(str(one)) for one in names]
            case {"type": "all"} if self.access.shared:
                return self.served()
        return []

    def served(self) -> list[Index]:
        """Return the indexes that are open; what was to be served is opened first."""
        if self.needs_roots:
            self.adopt(())
        return self.indexes()

    def has_wiki(self) -> bool:
        """Tell whether anything that is served, or is to be, has a wiki; nothing is opened."""
        from codeindex.wiki.page_store import has_wiki

        roots = [one.root for one in self.indexes()]
        for place in () if roots else self._places(()):
            with suppress(CodeIndexError):
                roots.append(locate_root(place, root=self.access.any_folder).root)
        return any(map(has_wiki, roots))

    def _places(self, roots: Iterable[str]) -> tuple[str, ...]:
        return self._given or tuple(roots) or (environment().get("CLAUDE_PROJECT_DIR") or ".",)

    def member_path(self, repo: str, member: str) -> str:
        """Return the folder of a workspace's member; QueryError names the others."""
        members = self.index(repo).overview.members().members
        for one in members:
            if one.name == member:
                return one.path
        known = ", ".join(one.name for one in members) or "none"
        raise QueryError(f"No member of the workspace is called {member!r}: there are {known}.")

    def indexes(self) -> list[Index]:
        """Return what the server was started for, as far as it is open."""
        with self._lock:
            return list(self._open.values())


def _watcher(background: BackgroundSync, pace: WatchIntervals) -> Watcher:
    from codeindex.watch.watcher import Watcher  # reads the rules of secrets: 60 ms

    return Watcher(background, pace)


def _called_now(indexes: Iterable[Index], name: str) -> Index | None:
    """Return the index that has a name since it was opened: `codeindex index --name` changes it."""
    return next((one for one in indexes if one.repository.name == name), None)


def _holding(indexes: Iterable[Index], place: str) -> Index | None:
    """Return the index of the repository that a path lies in once links are followed."""
    path = resolve_client_path(place, base=Path()) if Path(place).is_absolute() else None
    around = [one for one in indexes if path and path.is_relative_to(one.root)]
    return max(around, key=lambda one: len(one.root.parts), default=None)


def _has_git(root: Path) -> bool:
    try:
        return git.find_work_tree(root) is not None
    except GitError:
        return False
