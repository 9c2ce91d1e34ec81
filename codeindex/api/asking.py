"""How every question is asked: of one state, and again where the disk says otherwise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from codeindex.api.freshness import Freshness
from codeindex.errors import QueryError
from codeindex.query.validation import parameter_error
from codeindex.types import RefreshResult

if TYPE_CHECKING:
    import sqlite3

    from codeindex.analysis.report import Report
    from codeindex.embed.encoder import Encoder
    from codeindex.ingest.workers.pool import WorkerPool
    from codeindex.types import SyncReport

    Found = TypeVar("Found", bound=Report)

_ROUNDS = 3
"""A file that changes at every look is left out at last."""

Progress = Callable[[str, int, int], None]
"""Called with (phase, done, total); phases are `structure`, `embedding`, `export`, `model`."""
QUIET: Progress = lambda *_: None  # noqa: E731 (a default argument, typed)


class Asking(Freshness):
    """What a question needs of `Index`."""

    part: str

    def encoder_of(self, identity: str) -> Encoder | None:
        """Return the model that made the vectors; `Index` does."""
        raise NotImplementedError

    def sync(self, *, structure_only: bool = False, wait_seconds: float = 0.0) -> SyncReport:
        """Index what changed; `Index` does."""
        raise NotImplementedError

    def _mend(self, *, rebuild: bool) -> None:
        """Sync the structure of a broken index; `Index` does."""
        raise NotImplementedError

    def _workers(self) -> WorkerPool:
        """Return the processes that parse and redact files; `Index` does."""
        raise NotImplementedError

    def _ask(self, question: Callable[[sqlite3.Connection], Found]) -> Found:
        """Answer as the tree is, without the files that cannot be read now.

        A file that the answer speaks of may have changed since the look at the tree: then it is
        read and the question asked again.
        """
        from codeindex.store.catalog.files import stale_paths
        from codeindex.store.catalog.hidden_files import hide_files

        refreshed, left = self._freshen(), _ROUNDS
        while True:
            self._open.refreshed = refreshed
            with self.reader().catalog() as (catalog, _generation):
                try:
                    with hide_files(catalog.connection, refreshed.unread):
                        found = question(catalog.connection)
                except QueryError as error:
                    if refreshed.is_complete:
                        raise
                    raise QueryError(of_what_was_read(str(error), refreshed)) from error
                changed = stale_paths(catalog.connection, self.root, found.paths)
            if not (changed and left):
                return found
            left -= 1
            more = self._catch_up(changed) if left else RefreshResult(unread=tuple(sorted(changed)))
            refreshed = refreshed.and_then(more)

    def _inside(self, subject: str) -> str:
        """Return a path of this tree, absolute or by `..`, as the index spells it; else as said."""
        from codeindex.store.datadir.file_paths import path_in_root, resolve_client_path

        said, colons, name = subject.strip().partition("::")
        if not Path(said).is_absolute() and ".." not in Path(said).parts:
            return subject
        path = resolve_client_path(said, base=self.root)
        own = path_in_root(self.root, path) if path else None
        if own is not None:
            return f"{own}{colons}{name}"
        if path and path.exists():
            raise QueryError(f"'{said}' is outside of '{self.root}': name a file in it.")
        return subject


def of_what_was_read(sentence: str, refreshed: RefreshResult) -> str:
    """Say what is not known before what holds for the rest."""
    gaps = " ".join(refreshed.gaps())
    return f"{gaps} As far as files were read: {sentence}" if gaps else sentence


def checked_limit(limit: int, *, most: int, least: int = 1, name: str = "limit") -> int:
    """Return a limit that is a number in range; QueryError, by the parameter's name, for others."""
    if type(limit) is not int or not least <= limit <= most:
        raise parameter_error(name, limit, f"use a whole number from {least} to {most}")
    return limit
