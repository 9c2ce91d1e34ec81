"""The vectors of an index put back into the cache, before the index is made anew.

The cache forgets in time and keeps to a size; what an index was embedded with is in its segments.
Whoever throws them away saves them first, so that nothing is embedded twice.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

import numpy as np

from codeindex.errors import DamagedError, StoreError
from codeindex.ingest.sync.embedding import embedding_cache_key, text_to_embed
from codeindex.store.cache.caches import EmbeddingCache
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.datadir.home import Repository
from codeindex.store.segments.checksums import intact_rows
from codeindex.store.segments.vectors import match_live, read_segment

if TYPE_CHECKING:
    from codeindex.store.segments.vectors import Ids
    from codeindex.types import Matrix

_AT_ONCE = 500
_WITH_TEXT = "SELECT c.id FROM chunks c JOIN files f ON f.id = c.file_id ORDER BY c.id"
"""Of a broken catalog, others may be there."""


def salvage_embeddings(
    repository: Repository, cache: EmbeddingCache, *, without: Collection[str] = ()
) -> int:
    """Save the sound vectors, but for those of some segments; return how many.

    A catalog that cannot be read, or not to its end, gives what can be read of it.
    """
    saved = 0
    try:
        with Catalog.open(repository.catalog) as catalog, catalog.reading() as generation:
            for ids, rows in _sound(repository, catalog, generation, without):
                saved += _save(catalog, generation.model, cache, ids, rows)
    except (sqlite3.DatabaseError, StoreError):
        return saved
    return saved


def _sound(
    repository: Repository, catalog: Catalog, generation: Generation, without: Collection[str]
) -> Iterator[tuple[Ids, Matrix]]:
    """Yield some chunks and their vectors, of rows that are as they were written."""
    rows = catalog.connection.execute(_WITH_TEXT)
    live = np.fromiter((one for (one,) in rows), dtype=np.int64)
    for segment in generation.of_kind("dense"):
        try:
            ids, vectors = read_segment(repository.segments, segment)
        except DamagedError:
            continue
        if segment.name in without:
            continue
        alive, _ = match_live(live, ids)
        alive = alive[intact_rows(repository.segments, segment, ids, vectors)[alive]]
        for start in range(0, len(alive), _AT_ONCE):
            some = alive[start : start + _AT_ONCE]
            yield ids[some], vectors[some]


def _save(catalog: Catalog, model: str, cache: EmbeddingCache, ids: Ids, rows: Matrix) -> int:
    """Store these anew, whether they are known or not: what was stored last is forgotten last."""
    keys = [embedding_cache_key(model, text_to_embed(catalog, one)) for one in ids.tolist()]
    cache.put({key: np.asarray(row) for key, row in zip(keys, rows, strict=True)})
    return len(keys)
