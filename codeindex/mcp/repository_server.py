"""Open, search and sync the repositories of one MCP server."""

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
from codeindex.api.index_limits import IndexLimits
from codeindex.api.workspace import ALL, Workspace, names_all
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
from codeindex.watch.options import WatchOptions
from codeindex.watch.post_sync_tasks import PostSyncTasks
from codeindex.watch.state import are_words_complete, is_structure_complete
from codeindex.wiki.page_store import has_wiki

if TYPE_CHECKING:
    from codeindex.search.exact.lines import GrepResult
    from codeindex.watch.watcher import Watcher


_NO_LIMITS = IndexLimits()


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """What clients may do beyond searching the repositories that a server was started for."""

    any_folder: bool = False
    """True if roots may be folders without a git repository, even whole disks."""
    any_repo: bool = False
    """True if clients may name repositories that the server was not started for."""
    shared: bool = False
    """True if the scope "all" means the server's repositories, not every indexed repository."""
    read_only: bool = False
    """True if no file of a repository may be written."""


class RepositoryServer:
    """The repositories of one server, each opened once, searched and synced; thread-safe.

    With `watch_options`, a watcher syncs changes when files are saved.
    """

    def __init__(
        self,
        roots: Iterable[str] = (),
        *,
        access: AccessPolicy = AccessPolicy(),
        allow_global: bool = False,
        watch_options: WatchOptions | None = None,
        limits: IndexLimits = _NO_LIMITS,
    ) -> None:
        self._workspace = Workspace(allow_global=allow_global or None)
        self._roots = tuple(roots)
        self.access = access
        self._limits = limits
        self._lock = threading.Lock()
        self._opening = threading.Lock()
        self._open: dict[str, Index] = {}
        self._first_queries: dict[str, float] = {}
        self._opened_by_clients: dict[str, Index] = {}
        """Indexes of repositories that only a client has named, by name."""
        self._post_sync = None if watch_options is None else PostSyncTasks(watch_options.drafts)
        self.background = BackgroundSync(after=self._post_sync.run if self._post_sync else None)
        self._watcher = None if watch_options is None else _watcher(self.background, watch_options)

    @property
    def needs_roots(self) -> bool:
        """True until `open_roots` has opened a repository."""
        return not self._open

    def open_roots(self, roots: Iterable[str]) -> None:
        """Open the roots given at the start, or else `roots`, or else the current project.

        The project is the folder in CLAUDE_PROJECT_DIR, or the current folder. Raises RootError if
        none can be opened.

        Other threads see the indexes when the sync of each is requested, and not one by one. A
        request that comes earlier waits; otherwise it would search a part of the roots, or say
        that an index does not exist.
        """
        with self._opening:
            if self.needs_roots:
                self._open_all(self._root_paths(roots))

    def _open_all(self, paths: Iterable[str]) -> None:
        opened, errors = dict[str, Index](), list[str]()
        try:
            for path in paths:
                try:
                    self._add(path, opened, self._limits)
                except CodeIndexError as error:
                    errors.append(str(error))
        finally:  # an unexpected error at one root does not close those before it
            with self._lock:
                self._open |= opened
        if errors and not opened:
            raise RootError(" ".join(errors))

    def _add(self, path: str, indexes: dict[str, Index], limits: IndexLimits) -> Index:
        root = locate_root(path, root=self.access.any_folder).root
        if not self.access.any_folder:
            refuse_too_wide_root(root)
            if not _has_git(root):
                raise RootError(
                    f"'{root}' is in no git repository: start the server with"
                    f" `codeindex serve --root {root}` if it is to be indexed all the same."
                )
        # without limits, those of the last `codeindex index` apply
        opened = Index.open(root, root=True, flags=limits.settings_of(root) or None)
        name = self._workspace.add(opened)
        index = self._workspace.index(name)
        self.background.add(index)  # first, so that whoever finds the index waits for its sync
        if self._watcher is not None:
            self._watcher.add(index)
        with self._lock:  # another thread may have added an index of this name
            return indexes.setdefault(name, index)

    def names(self) -> list[str]:
        return [index.repository.name for index in self.indexes()]

    def index(self, repo: str = "") -> Index:
        """Return the index of a repository by its name or a path in it; '' means the first one.

        Raises ScopeError for a repository that the server was not started for, unless
        `access.any_repo` allows it.
        """
        indexes = self.open_indexes()
        if not repo:
            return indexes[0]
        if index := self._known(repo):
            return index
        names = ", ".join(self.names()) or "nothing"
        if repo == ALL:
            raise ScopeError(
                f"This answers about one repository at a time: give {names} as `repo`, or ask"
                " search_code or ask_code, which take all."
            )
        if not self.access.any_repo:
            hint = (
                "" if self.access.shared else " Start it with --any-repo to have others answer too."
            )
            raise ScopeError(
                f"This server was not started for {repo!r}. Served here: {names}.{hint}"
            )
        try:
            return self._add(repo, self._opened_by_clients, _NO_LIMITS)
        except RootError as error:
            raise ScopeError(f"{error} Served here: {names}.") from error

    def indexes_of(self, repo: str) -> list[Index]:
        """Return the index of a repository as a list; for '' and `ALL`, all of the server's.

        Raises ScopeError as `index` does.
        """
        is_all = repo == ALL and self._known(repo) is None
        return [self.index(repo)] if repo and not is_all else self.open_indexes()

    def _known(self, repo: str) -> Index | None:
        """Return an open index by the name of its repository, or by an absolute path in it.

        None if no such index is open.
        """
        with self._lock:
            by_name = {**self._opened_by_clients, **self._open}
        index = by_name.get(repo) or _renamed(by_name.values(), repo)
        return index or _containing(by_name.values(), repo)

    def index_of_file(self, path: str, repo: str = "") -> Index:
        """Return the index of the repository that has the file at `path`.

        A path that is not absolute is in `repo`, or else in the first repository. Raises QueryError
        if no repository contains the path.
        """
        if repo or not Path(path).is_absolute():
            return self.index(repo)
        if index := _containing(self.open_indexes(), path):
            return index
        raise QueryError(f"'{path}' is in no repository that is served: see the tool `status`.")

    def first_query_time(self, index: Index) -> float:
        """Return the time of the first query about an index.

        It is a `time.monotonic()` value. The first call records the current time.
        """
        with self._lock:
            return self._first_queries.setdefault(index.repository.name, time.monotonic())

    def freshness_notes(self, index: Index) -> list[str]:
        """Return sentences on files that this thread's last answer does not cover."""
        missing = replace(index.refreshed(), read=())
        if missing.unread or missing.outdated:
            self.background.sync_soon(index)
        if is_structure_complete(index):
            return [*missing.remarks()]
        remarks = list(replace(missing, outdated=False).remarks())  # the sync reads all files
        return [self._partial_index_note(index, is_behind=bool(remarks)), *remarks]

    def _partial_index_note(self, index: Index, *, is_behind: bool) -> str:
        """Return a note on what an incomplete index can answer already.

        `is_behind` tells that files have changed and were not read.
        """
        if failure := self.background.failure(index):
            return f"Indexing fails, so answers are partial. {failure}"
        work = self.background.current_work(index) or "interrupted"
        if not is_behind and are_words_complete(index):
            return (
                f"Still being indexed ({work}): the words of all files are"
                " searched; relations, vectors and the order of results are partial."
            )
        likely = ", the likeliest files first" if self.background.has_likely_files(index) else ""
        return f"Still being indexed ({work}{likely}): answers are partial."

    @contextmanager
    def explain_missing_index(self) -> Iterator[None]:
        """Explain a NotIndexedError in the `with` block by the failure of a background sync.

        If such a sync has failed, a StoreError with its message is raised instead.
        """
        try:
            yield
        except NotIndexedError as error:
            failures = filter(None, map(self.background.failure, self.indexes()))
            for failure in failures:
                raise StoreError(str(failure)) from error
            raise

    def close(self) -> None:
        """Stop watching and syncing; close the indexes as soon as no sync uses them."""
        if self._watcher is not None:
            self._watcher.close()
        if self._post_sync is not None:
            self._post_sync.close()
        if self.background.close():
            self._workspace.close()

    def search(
        self,
        query: str,
        *,
        scope: Mapping[str, Any] | None = None,
        repo: str = "",
        sync: bool = False,
        **options: Any,
    ) -> Answer:
        """Run `Workspace.search`, by default for all repositories of the server.

        A few changed files are read first; with `sync`, all changed files are indexed first.
        """
        return self._workspace.search(query, scope=self._synced(scope, repo, now=sync), **options)

    def grep(
        self,
        query: str,
        *,
        scope: Mapping[str, Any] | None = None,
        repo: str = "",
        sync: bool = False,
        cursor: str = "",
        symbols: bool = False,
        **options: Any,
    ) -> list[GrepResult]:
        """Run `Index.exact.grep` in each repository of the scope; return a result for each.

        The repositories are those that `search` would cover. With `symbols`, a result of a single
        repository has the places where the text stands in parts, too.
        """
        names = self._selected(scope, repo, sync=sync)
        if cursor and len(names) > 1:
            raise QueryError("A cursor continues in one repository: name it in `repo`.")
        options |= {"cursor": cursor, "spans": True, "likely_first": True, "symbols": symbols}
        options |= {"parted": symbols and len(names) == 1}
        return [self._workspace.index(name).exact.grep(query, **options) for name in names]

    def scope_indexes(self, scope: Mapping[str, Any] | None, repo: str) -> list[Index]:
        """Return the indexes that `search` would cover, without a sync.

        Raises ScopeError for an invalid scope, ForbiddenError for one that clients may not search.
        """
        return [self._workspace.index(name) for name in self._selected(scope, repo, sync=False)]

    def _selected(
        self, scope: Mapping[str, Any] | None, repo: str, *, sync: bool
    ) -> tuple[str, ...]:
        return self._workspace.scope(self._synced(scope, repo, now=sync)).repos

    def _synced(
        self, scope: Mapping[str, Any] | None, repo: str, *, now: bool
    ) -> Mapping[str, Any] | None:
        """Sync the repositories of a request, and return these repositories as a scope.

        With `now`, wait until the syncs have ended; otherwise they run in the background.
        """
        indexes = self._requested(scope, repo)
        for index in indexes:
            if now:
                self.background.sync_now(index)
            else:
                self.background.sync_soon(index)
        names = [index.repository.name for index in indexes]
        if len(names) == 1:
            return {"type": "repo", "repo": names[0]}
        return {"type": "repos", "repos": names} if names else scope

    def _requested(self, scope: Mapping[str, Any] | None, repo: str) -> list[Index]:
        """Return the indexes of a request's repositories; by default, all of the server's.

        An empty list means that the workspace must resolve the scope, such as all indexed
        repositories. Raises QueryError if both `scope` and `repo` are given.
        """
        if scope is not None and repo:
            raise QueryError("`repo` and `scope` both name repositories: give one of them.")
        match scope:
            case None:
                return self.indexes_of(repo)
            case _ if names_all(scope, repo):
                return self.indexes_of(ALL)
            case {"type": "repo", "repo": str(name)}:
                return [self.index(name)]
            case {"type": "repos", "repos": [*names]}:
                return [self.index(str(name)) for name in names]
            case {"type": "all"} if self.access.shared:
                return self.open_indexes()
        return []

    def open_indexes(self) -> list[Index]:
        """Return the indexes that the server was started for; open them first if necessary."""
        if self.needs_roots:
            self.open_roots(())
        return self.indexes()

    def other_indexes(self, index: Index) -> list[Index]:
        """Return all other open indexes; uses of this index's symbols are searched there."""
        return [other for other in self.open_indexes() if other is not index]

    def has_wiki(self) -> bool:
        """Tell whether a repository of the server has a wiki, without opening one."""
        roots = [index.root for index in self.indexes()]
        for path in () if roots else self._root_paths(()):
            with suppress(CodeIndexError):
                roots.append(locate_root(path, root=self.access.any_folder).root)
        return any(map(has_wiki, roots))

    def _root_paths(self, roots: Iterable[str]) -> tuple[str, ...]:
        return self._roots or tuple(roots) or (environment().get("CLAUDE_PROJECT_DIR") or ".",)

    def scoped_paths(self, repo: str, paths: Sequence[str], member: str) -> tuple[str, ...]:
        """Return the paths that are not blank, or the folder of the workspace member `member`.

        Raises QueryError if both are given.
        """
        given = tuple(path for path in paths if path.strip())
        if member and given:
            raise QueryError("`member` names a folder: it cannot be combined with `path`.")
        return (self.member_path(repo, member),) if member else given

    def member_path(self, repo: str, member: str) -> str:
        """Return the folder of a workspace member; raise QueryError for an unknown member."""
        return self.index(repo).overview.members().folder_of(member)

    def indexes(self) -> list[Index]:
        """Return the open indexes of repositories that the server was started for."""
        with self._lock:
            return list(self._open.values())


def _watcher(background: BackgroundSync, watch_options: WatchOptions) -> Watcher:
    from codeindex.watch.watcher import Watcher  # reads the rules of secrets: 60 ms

    return Watcher(background, watch_options)


def _renamed(indexes: Iterable[Index], name: str) -> Index | None:
    """Return the index whose repository was renamed to `name` after it was opened, or None."""
    return next((index for index in indexes if index.repository.name == name), None)


def _containing(indexes: Iterable[Index], text: str) -> Index | None:
    """Return the index whose root contains an absolute path, the innermost of several.

    Links in the path are resolved. None if there is none, or if `text` is no absolute path.
    """
    path = resolve_client_path(text, base=Path()) if Path(text).is_absolute() else None
    matches = [index for index in indexes if path and path.is_relative_to(index.root)]
    return max(matches, key=lambda index: len(index.root.parts), default=None)


def _has_git(root: Path) -> bool:
    try:
        return git.find_work_tree(root) is not None
    except GitError:
        return False
