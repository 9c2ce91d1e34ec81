"""Keep only one result of each function name in a file.

A long function is split into several chunks, and a function may have overloads. Otherwise each of
them could be a result and take the place of another function.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

from codeindex.search.rank.ranker import RankedChunk
from codeindex.store.symbols.by_name import function_names
from codeindex.types import CALLABLE_KINDS

_KINDS = tuple(sorted(CALLABLE_KINDS))


def best_parts(
    connection: sqlite3.Connection, hits: Sequence[RankedChunk]
) -> Iterator[RankedChunk]:
    """Yield the hits; keep only the best hit among the chunks of a function and its overloads.

    Overloads are functions with the same qualified name in the same file. Chunks that contain a
    line that the query names or cites are always kept.
    """
    names = function_names(connection, [hit.chunk_id for hit in hits], _KINDS)
    shown: set[tuple[int, str]] = set()
    for hit in hits:
        name = names.get(hit.chunk_id)
        if name is None or name not in shown or hit.line:
            yield hit
        if name:
            shown.add(name)
