"""The embedding phase: the model's vectors, most central code first, resumable at any kill."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from codeindex.ingest.chunk.header import embedding_text
from codeindex.ingest.sync.writer import SyncProgress
from codeindex.secrets import stored
from codeindex.store.cache.caches import EmbeddingCache
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.datadir.home import Repository
from codeindex.store.segments.vectors import Vectors, live_chunk_ids, write_segment
from codeindex.types import Chunk, SafeText

if TYPE_CHECKING:
    import numpy.typing as npt

    from codeindex.embed.onnx import OnnxEmbedder

    Vector = npt.NDArray[np.float32]

_CHECKPOINT = 1024
"""Chunks between two published states: about 20 s of work."""
_SAVED = 8
"""Vectors between two writes to the cache: what a kill can cost, a third of a second of work. Eight
at once cost no more than 64: 0.12 ms each."""


@dataclass(frozen=True, slots=True)
class EmbeddingJob:
    """What the embedding phase works with; `model` identifies all that decides a vector."""

    repository: Repository
    model: str
    dimension: int
    embedder: Callable[[], OnnxEmbedder]
    cache: EmbeddingCache
    max_tokens: int
    progress: SyncProgress
    is_wished: Callable[[], bool] = lambda: False
    """Tells whether somebody waits for the lock: then what is done is published, and no more."""


def embed_pending(job: EmbeddingJob, catalog: Catalog) -> tuple[int, bool]:
    """Embed what has no vector of this model; return how many chunks, and whether that was all."""
    generation = catalog.generation()
    if generation.model != job.model:
        kept = tuple(one for one in generation.segments if one.kind != "dense")
        with catalog.writing():
            generation = catalog.publish(replace(generation, model=job.model, segments=kept))
    pending = _pending(job, catalog, generation)
    for start in range(0, len(pending), _CHECKPOINT):
        job.progress("embedding", start, len(pending))
        ids = pending[start : start + _CHECKPOINT]
        known = _embedded(job, catalog, ids, done=start, total=len(pending))
        ids, rows = _in_step(ids, known)
        if not ids:
            return start, False
        segment = write_segment(
            job.repository.segments, "dense", np.array(ids, dtype=np.int64), np.stack(rows)
        )
        with catalog.writing():
            generation = catalog.publish(
                replace(generation, segments=(*generation.segments, segment))
            )
        if len(ids) < len(known):
            return start + len(ids), False
    if pending:
        job.progress("embedding", len(pending), len(pending))
    return len(pending), True


def _in_step(
    ids: Sequence[int], rows: Sequence[Vector | None]
) -> tuple[list[int], Sequence[Vector]]:
    """Return the chunks that have a row, and these."""
    done = [(one, row) for one, row in zip(ids, rows, strict=True) if row is not None]
    return [one for one, _ in done], [row for _, row in done]


def _pending(job: EmbeddingJob, catalog: Catalog, generation: Generation) -> list[int]:
    """Return the chunks without a vector: central files before others, tests last."""
    live = live_chunk_ids(catalog)
    dense = generation.of_kind("dense")
    missing = set(live[~Vectors(job.repository.segments, dense, live).present].tolist())
    if not missing:
        return []
    rows = catalog.connection.execute(
        "SELECT c.id FROM chunks c JOIN files f ON f.id = c.file_id"
        " ORDER BY f.is_test, f.status = 'plain', f.centrality DESC, f.path, c.start_line"
    )
    return [one for (one,) in rows if one in missing]


def _embedded(
    job: EmbeddingJob, catalog: Catalog, ids: Sequence[int], *, done: int, total: int
) -> list[Vector | None]:
    """Return a row for each id, from the cache where it has them; none after a wish was heard."""
    texts = [text_to_embed(catalog, one) for one in ids]
    keys = [embedding_cache_key(job.model, text) for text in texts]
    known = job.cache.get(keys, dimension=job.dimension)
    todo = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    done += len(ids) - len(todo)
    for part in _computed(job, todo):
        job.cache.put(part)
        known.update(part)
        done += len(part)
        job.progress("embedding", done, total)
    return [known.get(key) for key in keys]


def _computed(job: EmbeddingJob, todo: dict[str, SafeText]) -> Iterator[dict[str, Vector]]:
    if not todo:
        return
    rows = job.embedder().stream(todo.values(), max_tokens=job.max_tokens)
    part: dict[str, Vector] = {}
    for key, row in zip(todo, rows, strict=True):
        part[key] = row
        wished = job.is_wished()
        if len(part) == _SAVED or wished:
            yield part
            part = {}
        if wished:
            return
    if part:
        yield part


def text_to_embed(catalog: Catalog, chunk_id: int) -> SafeText:
    """Return what the model reads of a stored chunk."""
    return embedding_text(*stored_chunk(catalog, chunk_id))


def stored_chunk(catalog: Catalog, chunk_id: int) -> tuple[str, Chunk]:
    """Return the path and what is known of a stored chunk."""
    row = catalog.connection.execute(
        "SELECT f.path, c.start_line, c.end_line, c.kind, c.text, c.symbol, c.heading"
        " FROM chunks c JOIN files f ON f.id = c.file_id WHERE c.id = ?",
        (chunk_id,),
    ).fetchone()
    path, start, end, kind, text, symbol, heading = row
    return path, Chunk(start, end, kind, stored(text), symbol, heading)


def embedding_cache_key(model: str, text: str) -> str:
    """Digest all that decides a vector."""
    return hashlib.sha256(f"{model}\0{text}".encode()).hexdigest()
