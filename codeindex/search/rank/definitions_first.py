"""Replace prototypes among the results by the definitions of their functions.

In C and C++ the documentation is often in a header, so the prototype there scores best, but readers
need the definition.
"""

from __future__ import annotations

import posixpath
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace

from codeindex.search.rank.ranker import RankedChunk, ScorePart
from codeindex.search.retrieve.corpus import Corpus
from codeindex.store.catalog.chunks import definition_chunks, prototype_chunks
from codeindex.text.words import fold_name
from codeindex.types import CALLABLE_KINDS
from codeindex.types.array_types import Flags

_MAX_HITS = 20
"""Number of first hits that are checked for prototypes: two pages."""
_KINDS = tuple(sorted(CALLABLE_KINDS))


def prefer_definitions(
    connection: sqlite3.Connection,
    corpus: Corpus,
    query: str,
    hits: Sequence[RankedChunk],
    allowed: Flags,
) -> list[RankedChunk]:
    """Move definitions above their prototypes, such as those in C headers.

    If a prototype ranks above its definition, the two swap places and scores. A definition that is
    not among the hits replaces the prototype. A prototype stays if the query names its file. Only
    the first 20 hits are checked.
    """
    ordered = list(hits)
    for prototype, definitions in _definitions(connection, query, ordered[:_MAX_HITS]):
        ranks = {hit.chunk_id: rank for rank, hit in enumerate(ordered)}
        rank = ranks[prototype]
        ranked = [ranks[chunk] for chunk in definitions if chunk in ranks]
        if not ranked:
            chunks = [chunk for chunk in definitions if allowed[corpus.file_of(chunk)]]
            if chunks:
                ordered[rank] = replace(ordered[rank], chunk_id=chunks[0], line=0)
        elif min(ranked) > rank:
            ordered[rank], ordered[min(ranked)] = _exchange(ordered[rank], ordered[min(ranked)])
    return ordered


def _exchange(prototype: RankedChunk, definition: RankedChunk) -> tuple[RankedChunk, RankedChunk]:
    """Swap the scores of a prototype and its definition; return (definition, prototype)."""
    gap = _log_odds(prototype) - _log_odds(definition)
    return (
        _rescored(definition, prototype.score, ScorePart("prototype", 1.0, gap)),
        _rescored(prototype, definition.score, ScorePart("prototype", -1.0, gap)),
    )


def _rescored(hit: RankedChunk, score: float, part: ScorePart) -> RankedChunk:
    return replace(hit, score=score, extra_parts=(*hit.extra_parts, part))


def _log_odds(hit: RankedChunk) -> float:
    return sum(part.contribution for part in hit.parts)


def _definitions(
    connection: sqlite3.Connection, query: str, hits: Sequence[RankedChunk]
) -> Iterator[tuple[int, list[int]]]:
    """Yield (prototype's chunk id, chunk ids of its definitions) for the prototypes among hits.

    Prototypes without a definition, and those whose file the query names, are left out.
    """
    chunks = [hit.chunk_id for hit in hits]
    prototypes = {
        prototype.chunk_id: prototype
        for prototype in prototype_chunks(connection, chunks, _KINDS)
        if posixpath.basename(prototype.path) not in query
    }
    for chunk in chunks:
        if prototype := prototypes.get(chunk):
            folded = fold_name(prototype.symbol.rpartition(".")[2])
            if definitions := definition_chunks(connection, folded, prototype):
                yield chunk, definitions
