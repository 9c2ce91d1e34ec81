"""The input of every check: an open generation, and the depth of the check."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from codeindex.ingest.sync.context import SyncContext
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.types.verdicts import Verdict

if TYPE_CHECKING:
    import sqlite3

    from codeindex.store.segments.vectors import Ids

T = TypeVar("T")
REPAIR = "run `codeindex repair`"
_NAMED = 3
"""Names in a sentence; `--json` has all."""


@dataclass(frozen=True, slots=True)
class CheckContext:
    """One generation to check; `deep` checks everything, otherwise samples."""

    site: SyncContext
    catalog: Catalog
    generation: Generation
    live: Ids
    deep: bool

    @property
    def connection(self) -> sqlite3.Connection:
        return self.catalog.connection

    def sample(self, items: Sequence[T], most: int) -> list[T]:
        """Return all items, or a random sample of `most` in order."""
        if self.deep or len(items) <= most:
            return list(items)
        chosen = sorted(random.sample(range(len(items)), most))
        return [items[at] for at in chosen]


Check = Callable[[CheckContext], Iterator[Verdict]]


def name_some(names: Sequence[str]) -> str:
    """Join the first names and count the rest."""
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
