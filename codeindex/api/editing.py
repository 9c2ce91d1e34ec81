"""Beside whoever edits: what to know before reading a file, what to do once one is written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.api.asking import Asking, checked_limit
from codeindex.errors import LockedError, QueryError

if TYPE_CHECKING:
    from codeindex.analysis.change.invalidation import FullInvalidation, IndexedState, Invalidation
    from codeindex.analysis.change.suggestions import FileSuggestions


_ALL = 1_000_000_000
"""Files that are read if somebody says that they have changed: as many as there are."""


class Editing(Asking):
    """Beside whoever edits: what to know before reading a file, what to do once one is written."""

    def suggest_context(
        self, path: str, *, limit: int = 5, seen: tuple[str, ...] = ()
    ) -> FileSuggestions:
        """List what else to know before reading the file PATH, less what was SEEN; at most 20."""
        from codeindex.analysis.change.suggestions import MAX_SUGGESTIONS, suggest_files

        wanted = checked_limit(limit, most=MAX_SUGGESTIONS)
        file = self._own(path)
        return self._ask(lambda one: suggest_files(one, file, limit=wanted, seen=seen))

    def invalidate_file(self, path: str) -> Invalidation:
        """Bring a change of the file PATH into the index now, unless another process is at it.

        Answers compare every file that they cite with the disk in any case. A repository that was
        never indexed is not indexed by this.
        """
        from codeindex.analysis.change.invalidation import Invalidation, compare_states

        file = self._own(path)
        before = self._known(file)
        try:
            self._take_in((file,), most=_ALL)
        except LockedError:
            return Invalidation(file, "later", "another process is syncing")
        return compare_states(file, before, self._known(file))

    def invalidate(self) -> FullInvalidation:
        """Have the next sync read every file again, whatever is known of it.

        Searches go on with what there is until then.
        """
        from codeindex.analysis.change.invalidation import FullInvalidation
        from codeindex.store.catalog.connection import Catalog
        from codeindex.store.locks.writer_lock import writer_lock

        with self.reader().catalog():  # NotIndexedError without one
            repository = self.reader().repository
        with writer_lock(repository.folder), Catalog.create(repository.catalog) as catalog:
            with catalog.writing():
                # A sync that finds other settings than its own trusts nothing that they made.
                state = catalog.publish(replace(catalog.generation(), settings=""))
            return FullInvalidation(repository.name, state.discovered)

    def _known(self, file: str) -> IndexedState:
        from codeindex.analysis.change.invalidation import indexed_state

        with self.reader().catalog() as (catalog, _):
            return indexed_state(catalog.connection, file)

    def _own(self, path: str) -> str:
        """Return a path, absolute as clients give it or of the root, as the index spells it."""
        from codeindex.store.datadir.file_paths import path_in_root, resolve_client_path

        if not path.strip():
            raise QueryError("No file is named: give its path, absolute or relative to the root.")
        at = resolve_client_path(path, base=Path(self.root))
        own = path_in_root(self.root, at) if at else None
        if own is None:
            raise QueryError(f"'{path}' is not in the repository '{self.root}': name a file in it.")
        return own
