"""Before a question is answered: what changed in the tree since it was indexed is taken in.

A look finds it (`store.look`), and few files are read at once. Of many, or while another process
writes, the question gets an honest answer without them: they are left out, and named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.errors import CodeIndexError, DamagedError, GitError
from codeindex.types import RefreshResult

if TYPE_CHECKING:
    from codeindex.api.resources import Resources
    from codeindex.config import Settings
    from codeindex.freshness.tree_scan import ScanResult
    from codeindex.ingest.sync.incremental import IncrementalResult
    from codeindex.search.reader import IndexReader
    from codeindex.types import WatchedPath

MOST = 200
"""Files that a question waits for, as many as a branch switch changes: four seconds of two
processor cores."""
_FOR_A_SYNC = "A question cannot wait for them: run `codeindex index`."


class Freshness:
    """What keeps answers true of the disk."""

    root: Path
    settings: Settings
    _open: Resources

    def reader(self) -> IndexReader:
        """Return the reading side; `Index` does."""
        raise NotImplementedError

    def _take_in(
        self,
        paths: Sequence[str] | None,
        *,
        moved: Sequence[WatchedPath] = (),
        most: int = MOST,
        related: bool = True,
    ) -> IncrementalResult:
        """Index some paths, or all that changed, unless it is more than `most`; `Index` does."""
        raise NotImplementedError

    def _relate(self) -> None:
        """Resolve what was taken in without being related; `Index` does."""
        raise NotImplementedError

    def reload(self) -> None:
        """Read the settings again; `Index` does."""
        raise NotImplementedError

    def _settings_times(self) -> tuple[object, ...]:
        """Return when the files that settings come from were changed; `Index` does."""
        raise NotImplementedError

    def refreshed(self) -> RefreshResult:
        """Return, once, what the last question of this thread found changed."""
        found, self._open.refreshed = self._open.refreshed, RefreshResult()
        return found

    def _freshen(self, *, related: bool = True) -> RefreshResult:
        """Look at the tree, and take in what changed as far as a question can wait for it.

        One that follows no edges need not wait for them: a file that comes or goes may have many
        others `related` anew.
        """
        self._renew_settings()
        found = self._looked(related=related)
        if related:
            found = found.and_then(self._related())
        self._open.refreshed = found
        return found

    def _renew_settings(self) -> None:
        """Read the settings again if a file of theirs has changed; ConfigError as for `open`."""
        times = self._settings_times()
        if times != self._open.settings_times:
            if self._open.settings_times is not None:
                self.reload()
            self._open.settings_times = times

    def _looked(self, *, related: bool) -> RefreshResult:
        if not self.settings.config.search.fresh:
            return RefreshResult(looked=False)
        state, outdated, seen = self._seen()
        if not (seen.has_changes or (outdated and self._open.outdated_at != self._moment(state))):
            return RefreshResult(unlooked=seen.unlooked, outdated=outdated)
        with self._open.refreshing:
            if self._number() != state:  # somebody may just have done it
                _, outdated, seen = self._seen()
            return self._taken(seen, related=related, outdated=outdated)

    def _moment(self, state: int) -> tuple[int, int]:
        """Return what tells one state of the index under some settings from all others."""
        return state, id(self.settings)

    def _related(self) -> RefreshResult:
        """Relate what searches took in; where that cannot be done now, name what it concerns."""
        from codeindex.store.catalog.relations import edges_are_stale, files_with_stale_edges

        with self.reader().catalog() as (catalog, _):
            if not edges_are_stale(catalog.connection):
                return RefreshResult()
        try:
            with self._open.refreshing:
                self._relate()
        except DamagedError:
            raise
        except CodeIndexError as error:
            with self.reader().catalog() as (catalog, _):
                return RefreshResult(
                    unread=files_with_stale_edges(catalog.connection), why=str(error)
                )
        return RefreshResult()

    def _seen(self) -> tuple[int, bool, ScanResult]:
        """Return the number of the state that the tree was compared with, and what differs.

        In the middle, whether some files are indexed under other settings than those of now.
        """
        from codeindex.ingest.sync.settings_digest import matches_settings

        with self.reader().catalog() as (catalog, generation):
            number = generation.number
            outdated = not matches_settings(generation.settings, self.settings.config)
            return number, outdated, self._open.look(self.root).scan(catalog.connection, number)

    def _number(self) -> int:
        with self.reader().catalog() as (_, generation):
            return generation.number

    def _taken(self, seen: ScanResult, *, related: bool, outdated: bool) -> RefreshResult:
        relisted = self._relisted() if seen.has("listing") else ()
        whole = outdated or seen.rules_changed or relisted is None
        try:
            named = (*seen.changed, *seen.new, *(relisted or ()))
            named_or_all = None if whole else named
            taken = self._take_in(named_or_all, moved=seen.watched_changes, related=related)
        except DamagedError:
            raise  # it is mended, and the question asked again
        except CodeIndexError as error:  # locked, full or read-only, no parser, the root is gone
            unread = (*seen.changed, *self._worth(seen.new))
            gaps = RefreshResult(unread=unread, why=str(error), unlooked=seen.unlooked)
            return replace(gaps, outdated=outdated or whole)
        if not taken.left:
            self._open.look(self.root).mark_synced(seen)
        if taken.outdated:
            self._open.outdated_at = self._moment(self._number())
        why = _FOR_A_SYNC if taken.left else ""
        return RefreshResult(taken.read, taken.left, why, seen.unlooked, taken.outdated)

    def _catch_up(self, paths: Iterable[str], *, related: bool = True) -> RefreshResult:
        """Take in files that an answer speaks of and that are not as it says."""
        named = tuple(sorted(paths))
        try:
            with self._open.refreshing:
                taken = self._take_in(named, related=related)
        except DamagedError:
            raise
        except CodeIndexError as error:
            return RefreshResult(unread=named, why=str(error))
        why = _FOR_A_SYNC if taken.left else ""
        return RefreshResult(taken.read, taken.left, why, outdated=taken.outdated)

    def _relisted(self) -> Sequence[str] | None:
        """Return the paths that git lists now and did not, or the other way round.

        None if git does not list anything here: then the whole tree has to be looked at.
        """
        from codeindex.ingest.sync.incremental import listing_changes

        try:
            with self.reader().catalog() as (catalog, _):
                return listing_changes(self.root, catalog.connection)
        except GitError:
            return None

    def _worth(self, paths: Sequence[str]) -> Sequence[str]:
        """Return the files among new names that would be indexed."""
        from codeindex.ingest.discover.files import discover

        if not paths or not self.root.is_dir():
            return ()
        found = discover(self.root, config=self.settings.config, subpaths=tuple(paths))
        return [one.path for one in found.files]
