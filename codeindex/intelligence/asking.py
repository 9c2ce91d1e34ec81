"""How every question is asked: of one state, and again where the disk says otherwise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from codeindex.errors import QueryError

if TYPE_CHECKING:
    import sqlite3

    from codeindex.analysis.report import Report
    from codeindex.config import Settings
    from codeindex.embed.encoder import Encoder
    from codeindex.ingest.workers import WorkerPool
    from codeindex.search.reader import Reader
    from codeindex.types import SyncReport

    Found = TypeVar("Found", bound=Report)

_ROUNDS = 2
"""A file that changes at every look is spoken of as it was."""

Progress = Callable[[str, int, int], None]
"""Called with (phase, done, total); phases are `structure`, `embedding`, `export`, `model`."""
QUIET: Progress = lambda *_: None  # noqa: E731 (a default argument, typed)


class Asking:
    """What a question needs of `Index`."""

    root: Path
    part: str
    settings: Settings

    def reader(self) -> Reader:
        """Return the reading side; `Index` does."""
        raise NotImplementedError

    def encoder_of(self, identity: str) -> Encoder | None:
        """Return the model that made the vectors; `Index` does."""
        raise NotImplementedError

    def sync(self, *, structure_only: bool = False) -> SyncReport:
        """Index what changed; `Index` does."""
        raise NotImplementedError

    def _refresh(self, *, rebuild: bool = False) -> int:
        """Sync the structure; `Index` does."""
        raise NotImplementedError

    def _workers(self) -> WorkerPool:
        """Return the processes that parse and redact files; `Index` does."""
        raise NotImplementedError

    def _ask(self, question: Callable[[sqlite3.Connection], Found]) -> Found:
        """Answer, and again after a sync if a file that the answer speaks of has changed.

        What is not known is looked for again after one sync: it may just have been written.
        """
        from codeindex.store.files import stale

        left = _ROUNDS
        while True:
            try:
                with self.reader().catalog() as (catalog, _generation):
                    found = question(catalog.connection)
                    if not left or not stale(catalog.connection, self.root, found.paths):
                        return found
            except QueryError:
                if left < _ROUNDS:
                    raise
            left -= 1
            self._refresh()

    def _inside(self, subject: str) -> str:
        """Return an absolute path of this tree as the index spells it, all else as it was said."""
        from codeindex.store.paths import inside, resolved

        said, colons, name = subject.strip().partition("::")
        if not Path(said).is_absolute():
            return subject
        path = resolved(said, base=self.root)
        own = inside(self.root, path) if path else None
        if own is not None:
            return f"{own}{colons}{name}"
        if path and path.exists():
            raise QueryError(f"'{said}' is outside of '{self.root}': name a file in it.")
        return subject


def checked_limit(limit: int, *, most: int) -> int:
    """Return a limit that is a number in range; QueryError for any other."""
    if type(limit) is not int or not 1 <= limit <= most:
        raise QueryError(f"limit is {limit!r}: use a whole number from 1 to {most}.")
    return limit
