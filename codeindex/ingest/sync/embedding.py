"""Run the embedding phase: compute vectors, those of central files first.

If the process is killed, the next sync continues where it ended.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from codeindex.errors import SharingError
from codeindex.ingest.chunk.header import embedding_text
from codeindex.ingest.sync.context import SyncContext, SyncProgress, model_identity
from codeindex.store.cache.caches import EmbeddingCache
from codeindex.store.catalog.chunks import chunk_ids_by_centrality, stored_chunk
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.datadir.home import Repository
from codeindex.store.locks.yielding import is_lock_requested, offer_lock
from codeindex.store.segments.vectors import Vectors, live_chunk_ids, write_segment
from codeindex.types import SafeText
from codeindex.types.array_types import Vector

if TYPE_CHECKING:
    from codeindex.embed.onnx import OnnxEmbedder
    from codeindex.ingest.bundle.reader import BundleVectors
    from codeindex.store.cache.shared_vectors import SharedVectors


_CHECKPOINT_CHUNKS = 1024
"""Most chunks that are embedded between two published generations: about 20 s of work."""
BUNDLE_VECTORS_NOTE = "bundle_vectors"
"""Key in `meta` of an index that has vectors of a bundle."""
_AUDITED = 8
"""Vectors of a bundle that are compared with our own, which takes 0.3 s."""
_LEAST_COSINE = 0.98
"""Minimum cosine of two vectors that one model computes for one text. Processors round in different
ways, and saturating int8 products gave 0.993."""
_CACHE_BATCH = 8
"""Number of vectors in one cache write. A kill loses at most so many: a third of a second of work.
A write of eight costs as much for each vector as a write of 64: 0.12 ms."""


@dataclass(frozen=True, slots=True)
class EmbeddingJob:
    """The inputs of the embedding phase; `model` is the text from `model_identity`."""

    repository: Repository
    model: str
    dimension: int
    embedder: Callable[[], OnnxEmbedder]
    cache: EmbeddingCache
    max_tokens: int
    progress: SyncProgress
    bundle: BundleVectors | None = None
    """The vectors of a bundle, which do not enter the cache."""
    shared: SharedVectors | None = None
    """The cache of a team, which is read and written through."""
    should_yield: Callable[[], bool] = lambda: False
    """Returns whether another process waits for the lock; if so, the phase publishes and stops."""


def embed_chunks(context: SyncContext, catalog: Catalog) -> tuple[int, bool]:
    """Embed the chunks without a vector, with the context's model.

    Return (number of embedded chunks, whether none is left); (0, True) without a model.
    """
    if context.encoder is None:
        return 0, True
    model = context.encoder.model
    folder = context.repository.folder
    identity = model_identity(model, context.config)
    job = EmbeddingJob(
        repository=context.repository,
        model=identity,
        dimension=model.dimension,
        embedder=context.encoder.embedder,
        cache=context.embeddings,
        max_tokens=context.config.embedding.max_tokens,
        progress=context.progress,
        bundle=context.bundle.vectors(identity, model.dimension) if context.bundle else None,
        shared=context.shared_vectors,
        should_yield=lambda: is_lock_requested(folder),
    )
    if job.bundle:
        with catalog.writing():
            catalog.put_note(BUNDLE_VECTORS_NOTE, "1")
    with offer_lock(folder):
        return embed_pending(job, catalog)


def embed_pending(job: EmbeddingJob, catalog: Catalog) -> tuple[int, bool]:
    """Embed the chunks without a vector of `job.model`; publish after each batch.

    Return (number of embedded chunks, whether none is left). It stops early if another process
    waits for the lock.
    """
    generation = catalog.generation()
    if generation.model != job.model:
        kept = tuple(entry for entry in generation.segments if entry.kind != "dense")
        with catalog.writing():
            generation = catalog.publish(replace(generation, model=job.model, segments=kept))
    pending = _pending(job, catalog, generation)
    if job.bundle:
        _audit_vectors(job, job.bundle, catalog, pending)
    for start in range(0, len(pending), _CHECKPOINT_CHUNKS):
        job.progress("embedding", start, len(pending))
        ids = pending[start : start + _CHECKPOINT_CHUNKS]
        vectors = _vectors_of(job, catalog, ids, done=start, total=len(pending))
        ids, rows = _with_vector(ids, vectors)
        if not ids:
            return start, False
        segment = write_segment(
            job.repository.segments, "dense", np.array(ids, dtype=np.int64), np.stack(rows)
        )
        with catalog.writing():
            generation = catalog.publish(
                replace(generation, segments=(*generation.segments, segment))
            )
        if len(ids) < len(vectors):
            return start + len(ids), False
    if pending:
        job.progress("embedding", len(pending), len(pending))
    return len(pending), True


def _audit_vectors(
    job: EmbeddingJob, vectors: BundleVectors, catalog: Catalog, pending: Sequence[int]
) -> None:
    """Embed some texts anew; raise SharingError if a vector differs from the bundle's."""
    chosen = random.sample(pending, min(_AUDITED, len(pending)))
    texts = [text_to_embed(catalog, chunk_id) for chunk_id in chosen]
    known = vectors.get([embedding_cache_key(job.model, text) for text in texts])
    shared = [text for text in texts if embedding_cache_key(job.model, text) in known]
    if not shared:
        return
    rows = job.embedder().stream(shared, max_tokens=job.max_tokens)
    for text, row in zip(shared, rows, strict=True):
        if float(row @ known[embedding_cache_key(job.model, text)]) < _LEAST_COSINE:
            raise SharingError(
                "The vectors of the bundle differ from those that the model computes for the same"
                " text: run `codeindex index` without the bundle, and export the bundle again."
            )


def _with_vector(
    ids: Sequence[int], vectors: Sequence[Vector | None]
) -> tuple[list[int], Sequence[Vector]]:
    """Return (ids whose vector is not None, these vectors); both arguments have equal length."""
    pairs = [(chunk_id, row) for chunk_id, row in zip(ids, vectors, strict=True) if row is not None]
    return [chunk_id for chunk_id, _ in pairs], [row for _, row in pairs]


def _pending(job: EmbeddingJob, catalog: Catalog, generation: Generation) -> list[int]:
    """Return the ids of the chunks without a vector: the most central first, tests last."""
    live = live_chunk_ids(catalog)
    dense = generation.of_kind("dense")
    missing = set(live[~Vectors(job.repository.segments, dense, live).present].tolist())
    if not missing:
        return []
    ordered = chunk_ids_by_centrality(catalog.connection)
    return [chunk_id for chunk_id in ordered if chunk_id in missing]


def _vectors_of(
    job: EmbeddingJob, catalog: Catalog, ids: Sequence[int], *, done: int, total: int
) -> list[Vector | None]:
    """Return the vector of each chunk id, from a cache or the bundle, or else computed.

    If another process wants the lock, vectors that are not computed yet are None. `done` of `total`
    chunks were embedded before, for the progress report.
    """
    texts = [text_to_embed(catalog, chunk_id) for chunk_id in ids]
    keys = [embedding_cache_key(job.model, text) for text in texts]
    known = job.cache.get(keys, dimension=job.dimension)
    if job.bundle:
        known |= job.bundle.get([key for key in keys if key not in known])
    if job.shared:
        missing = list(dict.fromkeys(key for key in keys if key not in known))
        taken = job.shared.get(missing, dimension=job.dimension)
        job.cache.put(taken)
        known |= taken
    todo = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    done += len(ids) - len(todo)
    for batch in _compute(job, todo):
        job.cache.put(batch)
        if job.shared:
            job.shared.put(batch)
        known.update(batch)
        done += len(batch)
        job.progress("embedding", done, total)
    return [known.get(key) for key in keys]


def _compute(job: EmbeddingJob, todo: dict[str, SafeText]) -> Iterator[dict[str, Vector]]:
    """Embed texts, and yield the vectors of each batch as {cache key: vector}.

    `todo` maps cache keys to texts. Stop early if another process wants the lock.
    """
    if not todo:
        return
    rows = job.embedder().stream(todo.values(), max_tokens=job.max_tokens)
    batch: dict[str, Vector] = {}
    for key, row in zip(todo, rows, strict=True):
        batch[key] = row
        is_lock_wanted = job.should_yield()
        if len(batch) == _CACHE_BATCH or is_lock_wanted:
            yield batch
            batch = {}
        if is_lock_wanted:
            return
    if batch:
        yield batch


def text_to_embed(catalog: Catalog, chunk_id: int) -> SafeText:
    """Return the text of a stored chunk with its header, as the model receives it."""
    return embedding_text(*stored_chunk(catalog.connection, chunk_id))


def embedding_cache_key(model: str, text: str) -> str:
    """Return the cache key of a vector: a digest of the model's identity and the text."""
    return hashlib.sha256(f"{model}\0{text}".encode()).hexdigest()
