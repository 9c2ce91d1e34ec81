"""Index changes of the work tree before a query runs.

A scan of the tree (`freshness.tree_scan`) finds the changed files, and a few are read at once. If
too many files changed, or another process writes, the query runs without them and names them.

The modules that sync a file are imported only if a file has changed: they are 160 modules, and most
queries need none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from codeindex.errors import CodeIndexError, DamagedError, GitError
from codeindex.freshness.git_activity import GitActivity, describe_changes, git_activity
from codeindex.ingest.sync.settings_digest import matches_settings
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import smallest_files
from codeindex.store.catalog.relations import edges_are_stale, files_with_stale_edges
from codeindex.store.catalog.watched_places import git_index_paths
from codeindex.types import RefreshResult, WatchedPath

if TYPE_CHECKING:
    from codeindex.api.session import IndexSession
    from codeindex.config import Settings
    from codeindex.freshness.tree_scan import ScanResult
    from codeindex.ingest.sync.incremental import IncrementalResult

MAX_FRESHENED_FILES = 200
"""Most changed files that a query reads first, as many as a switch of branches changes. Reading
them takes two processor cores four seconds."""
_FOR_A_SYNC = "A question cannot wait for them: run `codeindex index`."


_WARM_LANGUAGES = 2
"""Languages that a worker is prepared for: to compile the queries of one takes up to .6 s."""


class Freshness:
    """Indexes changes of the work tree for the session of an open index."""

    def __init__(self, session: IndexSession) -> None:
        self._session = session

    def refresh(self, *, related: bool = True) -> RefreshResult:
        """Scan the work tree and index its changes, before a query is answered.

        If there are too many changes for a query to wait for, nothing is indexed. With `related`,
        edges in unchanged files are resolved again if a new or deleted file affects them; a query
        that follows no edges passes False.
        """
        self._session.renew_settings()
        indexes = self._git_indexes()
        before = git_activity(indexes)
        refreshed = self._index_scanned_changes(related=related)
        if related:
            refreshed = refreshed.and_then(self.resolve_stale_edges())
        refreshed = _with_git_changes(refreshed, indexes, before)
        self._session.resources.refreshed = refreshed
        return refreshed

    def refresh_paths(self, paths: Iterable[str], *, related: bool = True) -> RefreshResult:
        """Index the changed files among `paths`, which are the files that an answer cites."""
        named = tuple(sorted(paths))
        indexes = self._git_indexes()
        before = git_activity(indexes)
        try:
            with self._session.resources.refreshing:
                indexed = self.index_paths(named, related=related)
        except DamagedError:
            raise
        except CodeIndexError as error:
            failed = RefreshResult(unread=named, why=str(error))
            return _with_git_changes(failed, indexes, before)
        why = _FOR_A_SYNC if indexed.left else ""
        refreshed = RefreshResult(indexed.read, indexed.left, why, outdated=indexed.outdated)
        return _with_git_changes(refreshed, indexes, before)

    def warm_up(self) -> None:
        """Load the modules that read changed files, and start a worker.

        The worker parses a file in each of the main languages, so that their queries are compiled.
        """
        from codeindex.ingest.sync.refresh import warm_up

        with self._session.reader().catalog() as (catalog, _):
            files = smallest_files(catalog.connection)
        parsed = (file for file in files if LANGUAGES[file.language].symbols)
        warm_up(self._session.published_context(), islice(parsed, _WARM_LANGUAGES))

    def index_paths(
        self,
        paths: Sequence[str] | None,
        *,
        moved: Sequence[WatchedPath] = (),
        most: int = MAX_FRESHENED_FILES,
        related: bool = True,
    ) -> IncrementalResult:
        """Index the files at and below `paths`; None means all changed files.

        If more than `most` files have to be read, nothing is indexed. `moved` are watched paths
        whose times changed. Without `related`, edges in other files are left for
        `resolve_stale_edges`.
        """
        from codeindex.ingest.sync.refresh import refresh_index

        context = self._session.published_context()
        return refresh_index(context, paths, moved=moved, most=most, related=related)

    def resolve_stale_edges(self) -> RefreshResult:
        """Resolve the edges that became out of date in refreshes with `related=False`.

        If that fails, the result names the files with such edges.
        """
        from codeindex.ingest.sync.refresh import link_remaining

        reader = self._session.reader()
        with reader.catalog() as (catalog, _):
            if not edges_are_stale(catalog.connection):
                return RefreshResult()
        try:
            with self._session.resources.refreshing:
                link_remaining(self._session.published_context())
        except DamagedError:
            raise
        except CodeIndexError as error:
            with reader.catalog() as (catalog, _):
                return RefreshResult(
                    unread=files_with_stale_edges(catalog.connection), why=str(error)
                )
        return RefreshResult()

    def _git_indexes(self) -> list[str]:
        """Return the paths of the git indexes of the work tree and of its submodules."""
        with self._session.reader().catalog() as (catalog, _):
            return git_index_paths(catalog.connection)

    def _index_scanned_changes(self, *, related: bool) -> RefreshResult:
        resources = self._session.resources
        if not self._session.settings.config.search.fresh:
            return RefreshResult(was_compared=False)
        generation, outdated, scan = self._scan()
        is_new = outdated and resources.outdated_at != self._settings_state(generation)
        if not (scan.has_changes or is_new):
            return RefreshResult(uncompared=scan.uncompared, outdated=outdated)
        with resources.refreshing:
            if self._generation() != generation:  # another thread may just have done it
                _, outdated, scan = self._scan()
            return self._index_changes(scan, related=related, outdated=outdated)

    def _settings_state(self, generation: int) -> tuple[int, Settings]:
        """Return (generation number, settings): a value that changes if one of them does."""
        return generation, self._session.settings

    def _scan(self) -> tuple[int, bool, ScanResult]:
        """Compare the work tree with the catalog.

        Return (generation number, whether the generation was made with other settings, differences
        between the work tree and the generation).
        """
        session = self._session
        with session.reader().catalog() as (catalog, generation):
            number = generation.number
            outdated = not matches_settings(generation.settings, session.settings.config)
            scanner = session.resources.tree_scan(session.root)
            return number, outdated, scanner.scan(catalog.connection, number)

    def _generation(self) -> int:
        with self._session.reader().catalog() as (_, generation):
            return generation.number

    def _index_changes(self, scan: ScanResult, *, related: bool, outdated: bool) -> RefreshResult:
        relisted = self._relisted_paths() if scan.has("listing") else ()
        whole = outdated or scan.rules_changed or relisted is None
        try:
            named = (*scan.changed, *scan.new, *(relisted or ()))
            indexed = self.index_paths(
                None if whole else named, moved=scan.watched_changes, related=related
            )
        except DamagedError:
            raise  # it is repaired, and the query is run again
        except CodeIndexError as error:  # locked, full or read-only, no parser, the root is gone
            unread = (*scan.changed, *self._indexable(scan.new))
            gaps = RefreshResult(unread=unread, why=str(error), uncompared=scan.uncompared)
            return replace(gaps, outdated=outdated or whole)
        resources = self._session.resources
        if not indexed.left:
            with self._session.reader().catalog() as (catalog, _):
                resources.tree_scan(self._session.root).mark_synced(catalog.connection, scan)
        if indexed.outdated:
            resources.outdated_at = self._settings_state(self._generation())
        why = _FOR_A_SYNC if indexed.left else ""
        return RefreshResult(indexed.read, indexed.left, why, scan.uncompared, indexed.outdated)

    def _relisted_paths(self) -> Sequence[str] | None:
        """Return the paths that only git lists or only the index has.

        Return None if git cannot list the files here; then the whole tree has to be scanned.
        """
        from codeindex.ingest.sync.incremental import listing_changes

        try:
            with self._session.reader().catalog() as (catalog, _):
                return listing_changes(self._session.root, catalog.connection)
        except GitError:
            return None

    def _indexable(self, paths: Sequence[str]) -> Sequence[str]:
        """Return the files at and below new paths that a sync would index."""
        from codeindex.ingest.discover.files import discover

        root = self._session.root
        if not paths or not root.is_dir():
            return ()
        discovery = discover(root, config=self._session.settings.config, subpaths=tuple(paths))
        return [file.path for file in discovery.files]


def _with_git_changes(
    refreshed: RefreshResult, indexes: Sequence[str], before: GitActivity
) -> RefreshResult:
    """Add to a result whether git has changed files since `before`; `indexes` are git's indexes."""
    changing = describe_changes(before, git_activity(indexes))
    return replace(refreshed, changing=changing) if changing else refreshed
