"""Read the published state of an index, and define the progress of a sync."""

from __future__ import annotations

from dataclasses import dataclass

from codeindex.api.index import Index
from codeindex.errors import NotIndexedError, StoreError
from codeindex.store.catalog.connection import Generation
from codeindex.store.catalog.index_counts import count_files
from codeindex.store.locks.owner import is_locked


@dataclass(frozen=True, slots=True)
class PhaseProgress:
    """The progress of an indexing phase in files or chunks; `total` is 0 until it is known."""

    phase: str
    done: int
    total: int

    def __str__(self) -> str:
        return f"{self.phase} {self.done:,} of {self.total:,}" if self.total else self.phase


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
