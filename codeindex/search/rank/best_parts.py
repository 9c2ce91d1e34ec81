"""Keep only one result of each definition in a file.

A long function or type is split into several chunks, and a function may have overloads. Otherwise
each of them could be a result and take the place of another definition.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

from codeindex.search.rank.ranker import RankedChunk
from codeindex.store.symbols.by_name import definition_names
from codeindex.types import NAMESPACE_KINDS, SymbolKind

_KINDS = tuple(sorted(set(SymbolKind) - NAMESPACE_KINDS - {SymbolKind.IMPL}))
"""Namespaces and `impl` blocks only group definitions: each chunk can be about something else."""


def best_parts(
    connection: sqlite3.Connection, hits: Sequence[RankedChunk]
) -> Iterator[RankedChunk]:
    """Yield the hits; keep only the best hit among the chunks of a definition.

    Overloads, which are functions with the same qualified name in the same file, count as one
    definition. Chunks that contain a line that the query names or cites are always kept.
    """
    names = definition_names(connection, [hit.chunk_id for hit in hits], _KINDS)
    shown: set[tuple[int, str]] = set()
    for hit in hits:
        name = names.get(hit.chunk_id)
        if name is None or name not in shown or hit.line:
            yield hit
        if name:
            shown.add(name)
