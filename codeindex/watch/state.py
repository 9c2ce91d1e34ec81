"""Read the published state of an index, and define the progress of a sync."""

from __future__ import annotations

from dataclasses import dataclass

from codeindex.api.index import Index
from codeindex.errors import NotIndexedError, StoreError
from codeindex.store.catalog.connection import Generation
from codeindex.store.catalog.index_counts import count_files
from codeindex.store.locks.owner import is_locked

_FORECAST_SECONDS = 2.0
"""Seconds of a sync from which its end is estimated."""


@dataclass(frozen=True, slots=True)
class PhaseProgress:
    """The progress of an indexing phase in files or chunks; `total` is 0 until it is known."""

    phase: str
    done: int
    total: int

    def __str__(self) -> str:
        return f"{self.phase} {self.done:,} of {self.total:,}" if self.total else self.phase


@dataclass(slots=True)
class SyncForecast:
    """Estimates when a sync will have stored all files, from the number stored so far."""

    start: tuple[float, int] | None = None
    """The time of the first call with a total, and the number of files that were stored then."""

    def end(self, work: PhaseProgress, now: float) -> float:
        """Return when the sync will have stored all files, as a time of `time.monotonic()`.

        Return `now` outside of the structure phase, while the number of files is unknown, and in
        the first two seconds.
        """
        if work.phase != "structure" or not work.total:
            return now
        if self.start is None:
            self.start = now, work.done
        since, done = self.start
        if now - since < _FORECAST_SECONDS:
            return now
        rate = (work.done - done) / (now - since)
        return now + (work.total - work.done) / max(rate, 1e-3)


def index_version(index: Index) -> int:
    """Return the version of the published generation; 0 if the index cannot be read."""
    return _published(index).version


def is_first_sync_due(index: Index) -> bool:
    """Tell whether a folder needs its first sync: no sync has stored all its files yet.

    Return False if another process is writing the index now. Return False also if the index cannot
    be read, because the next query repairs it.
    """
    try:
        with index.reader().catalog() as (_, generation):
            is_begun = not (generation.complete or generation.statistics)
    except NotIndexedError:
        return True
    except StoreError:
        return False
    return (is_begun or generation.is_provisional) and not is_locked(index.repository.folder)


def is_structure_complete(index: Index) -> bool:
    """Tell whether the published index has all files; its vectors may be missing.

    Return False also if the index cannot be read.
    """
    return _published(index).complete


def are_words_complete(index: Index) -> bool:
    """Tell whether all files can be searched by words and token vectors; edges may be missing.

    Return False also if the index cannot be read.
    """
    try:
        with index.reader().catalog() as (catalog, generation):
            stored = count_files(catalog.connection) >= generation.discovered
            return generation.complete or (stored and bool(generation.statistics))
    except (NotIndexedError, StoreError):
        return False


def has_unstored_files(index: Index) -> bool:
    """Tell whether no sync of an index has stored all files and their statistics yet.

    Return False if the index is damaged or cannot be read.
    """
    try:
        with index.reader().catalog() as (_, generation):
            return generation.is_provisional or not generation.statistics
    except NotIndexedError:
        return True
    except StoreError:
        return False


def _published(index: Index) -> Generation:
    try:
        with index.reader().catalog() as (_, generation):
            return generation
    except (NotIndexedError, StoreError):
        return Generation()
