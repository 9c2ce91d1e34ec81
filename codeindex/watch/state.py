"""Which state of an index is published, and what is being done to it."""

from __future__ import annotations

from dataclasses import dataclass

from codeindex.api.index import Index
from codeindex.errors import NotIndexedError, StoreError
from codeindex.store.catalog.connection import Generation


@dataclass(frozen=True, slots=True)
class PhaseProgress:
    """How far a phase of indexing is; `total` is 0 before it is known."""

    phase: str
    done: int
    total: int

    def __str__(self) -> str:
        return f"{self.phase} {self.done:,} of {self.total:,}" if self.total else self.phase


def published_version(index: Index) -> int:
    """Return which state of an index is published, 0 if none can be read."""
    return _published(index).version


def is_structure_complete(index: Index) -> bool:
    """Tell whether the structure of everything is in an index; of one that cannot be read, no."""
    return _published(index).complete


def _published(index: Index) -> Generation:
    try:
        with index.reader().catalog() as (_, generation):
            return generation
    except (NotIndexedError, StoreError):
        return Generation()
