"""Keep the best part of each long function in search results.

A long function is several chunks. Each part would be a result of its own and take the place of
another function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from codeindex.search.rank.ranker import RankedChunk
from codeindex.store.symbols.by_name import function_starts
from codeindex.types import CALLABLE_KINDS

if TYPE_CHECKING:
    import sqlite3

_KINDS = tuple(sorted(CALLABLE_KINDS))


def best_parts(
    connection: sqlite3.Connection, hits: Sequence[RankedChunk]
) -> Iterator[RankedChunk]:
    """Yield the hits, of each function only the part that ranks best.

    Parts with a line that the query names or cites are all kept.
    """
    starts = function_starts(connection, [hit.chunk_id for hit in hits], _KINDS)
    shown: set[tuple[int, int]] = set()
    for hit in hits:
        start = starts.get(hit.chunk_id)
        if start is None or start not in shown or hit.line:
            yield hit
        if start:
            shown.add(start)
