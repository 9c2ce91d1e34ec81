"""Copy the vectors of an index into the embedding cache before its segments are deleted.

The cache may have evicted the vectors. Without the copy, a rebuild would embed the same texts
again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator

import numpy as np

from codeindex.errors import DamagedError, StoreError
from codeindex.ingest.sync.embedding import BUNDLE_VECTORS_NOTE, embedding_cache_key, text_to_embed
from codeindex.store.cache.caches import EmbeddingCache
from codeindex.store.catalog.chunks import ids_of_chunks_with_file
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.datadir.home import Repository
from codeindex.store.segments.checksums import intact_rows
from codeindex.store.segments.vector_codes import decode_vectors
from codeindex.store.segments.vectors import match_live, read_segment
from codeindex.types.array_types import Ids, Matrix

_BATCH_ROWS = 500
"""Vectors of one cache write: bounds the memory."""


def salvage_embeddings(
    repository: Repository, cache: EmbeddingCache, *, without: Collection[str] = ()
) -> int:
    """Copy all vectors with a valid checksum to `cache`; return their number.

    Segments named in `without` are left out. If the catalog is damaged, the vectors that can be
    read are copied. If the index has vectors of a bundle, nothing is copied, because the cache
    serves other repositories too.
    """
    saved = 0
    try:
        with Catalog.open(repository.catalog) as catalog, catalog.reading() as generation:
            if catalog.note(BUNDLE_VECTORS_NOTE):
                return 0
            for ids, rows in _valid_rows(repository, catalog, generation, without):
                saved += _save(catalog, generation.model, cache, ids, rows)
    except (sqlite3.DatabaseError, StoreError):
        return saved
    return saved


def _valid_rows(
    repository: Repository, catalog: Catalog, generation: Generation, without: Collection[str]
) -> Iterator[tuple[Ids, Matrix]]:
    """Yield batches of (chunk ids, their vectors); vectors with a wrong checksum are left out."""
    live = np.array(ids_of_chunks_with_file(catalog.connection), dtype=np.int64)
    for segment in generation.of_kind("dense"):
        try:
            ids, codes = read_segment(repository.segments, segment)
        except DamagedError:
            continue
        if segment.name in without:
            continue
        alive, _ = match_live(live, ids)
        alive = alive[intact_rows(repository.segments, segment, ids, codes)[alive]]
        for start in range(0, len(alive), _BATCH_ROWS):
            batch = alive[start : start + _BATCH_ROWS]
            yield ids[batch], decode_vectors(codes[batch])


def _save(catalog: Catalog, model: str, cache: EmbeddingCache, ids: Ids, rows: Matrix) -> int:
    """Put vectors into the cache under their keys; return their number.

    Vectors that the cache has are put again, because it evicts the oldest entries first.
    """
    texts = (text_to_embed(catalog, chunk_id) for chunk_id in ids.tolist())
    keys = [embedding_cache_key(model, text) for text in texts]
    cache.put(dict(zip(keys, rows, strict=True)))
    return len(keys)
