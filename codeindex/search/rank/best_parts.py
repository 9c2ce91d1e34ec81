"""Keep only the best part of each long function in the results.

A long function is split into several chunks. Otherwise each of them could be a result and take the
place of another function.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

from codeindex.search.rank.ranker import RankedChunk
from codeindex.store.symbols.by_name import function_starts
from codeindex.types import CALLABLE_KINDS

_KINDS = tuple(sorted(CALLABLE_KINDS))


def best_parts(
    connection: sqlite3.Connection, hits: Sequence[RankedChunk]
) -> Iterator[RankedChunk]:
    """Yield the hits, but of a function that is cut into several chunks only the best one.

    Chunks that contain a line that the query names or cites are always kept.
    """
    starts = function_starts(connection, [hit.chunk_id for hit in hits], _KINDS)
    shown: set[tuple[int, int]] = set()
    for hit in hits:
        start = starts.get(hit.chunk_id)
        if start is None or start not in shown or hit.line:
            yield hit
        if start:
            shown.add(start)
