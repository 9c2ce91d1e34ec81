"""Define the input of every check: one generation, and whether the check is deep."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from codeindex.ingest.sync.context import SyncContext
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.datadir.home import Repository
from codeindex.store.segments.vectors import Vectors
from codeindex.types.array_types import Ids
from codeindex.types.verdicts import Verdict

T = TypeVar("T")
REPAIR = "run `codeindex repair`"


@dataclass(frozen=True, slots=True)
class CheckContext:
    """The generation to check, and the ids of the chunks in the catalog (`live`).

    If `deep` is set, `sample` returns all items, and some checks do more work.
    """

    sync_context: SyncContext
    catalog: Catalog
    generation: Generation
    live: Ids
    deep: bool

    @property
    def repository(self) -> Repository:
        return self.sync_context.repository

    @property
    def connection(self) -> sqlite3.Connection:
        return self.catalog.connection

    def vectors(self, kind: str) -> Vectors:
        """Open the vectors of a kind: `dense` or `token`."""
        return Vectors(self.repository.segments, self.generation.of_kind(kind), self.live)

    def sample(self, items: Sequence[T], most: int) -> list[T]:
        """Return all items in a deep check, else at most `most` random items in their order."""
        if self.deep or len(items) <= most:
            return list(items)
        chosen = sorted(random.sample(range(len(items)), most))
        return [items[at] for at in chosen]


Check = Callable[[CheckContext], Iterator[Verdict]]
