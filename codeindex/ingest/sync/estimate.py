"""Estimate the time and space of a model upgrade by embedding a sample of chunks."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass

from codeindex.embed.encoder import Encoder
from codeindex.ingest.sync.context import SyncContext, model_identity
from codeindex.ingest.sync.embedding import embedding_cache_key, text_to_embed
from codeindex.store.catalog.chunks import chunk_ids_by_length
from codeindex.store.catalog.connection import Catalog
from codeindex.store.datadir.disk_usage import disk_usage
from codeindex.store.shadow_index import model_id
from codeindex.types import SafeText

_SAMPLES, _SAMPLE_CHUNKS = 4, 12
"""Number of samples and chunks of a sample. Samples are timed separately: the slowest and the
fastest give the range of the estimate."""
_CHARACTERS_PER_TOKEN = 6
"""Characters that count as a token: more than code has, so that text beyond the model's limit does
not count as length."""
_SPREAD = 0.15
"""Margin on both sides of the range: the speed of a machine varies more from hour to hour than
between four samples."""


@dataclass(frozen=True, slots=True)
class UpgradeEstimate:
    """The estimated time and space of an upgrade from the model `former` to `model`.

    Counts are of the current chunks; another model may cut files differently. `known` chunks are in
    the embedding cache already; `seconds` is (least, most); `sampled` chunks were embedded to
    measure their time.
    """

    repo: str
    model: str
    former: str
    chunks: int
    known: int
    seconds: tuple[float, float]
    needed_bytes: int
    free_bytes: int
    sampled: int


def estimate_upgrade(context: SyncContext, encoder: Encoder) -> UpgradeEstimate:
    """Embed chunks of all lengths as a sample, and extrapolate the time for all chunks.

    The vectors of the sample stay in the embedding cache.
    """
    identity = model_identity(encoder.model, context.config)
    repository, max_tokens = context.repository, context.config.embedding.max_tokens
    with Catalog.open(repository.catalog) as catalog, catalog.reading() as generation:
        ids = chunk_ids_by_length(
            catalog.connection, max_characters=max_tokens * _CHARACTERS_PER_TOKEN
        )
        samples = [
            [text_to_embed(catalog, chunk_id) for chunk_id in sample] for sample in _samples(ids)
        ]
    measured = [_time_sample(context, encoder, identity, texts) for texts in samples if texts]
    rates = [rate for rate, _ in measured if rate] or [0.0]
    sampled = sum(map(len, samples))
    known_share = sum(known for _, known in measured) / max(sampled, 1)
    left = round(len(ids) * (1 - known_share))
    size = disk_usage([repository.segments])
    return UpgradeEstimate(
        repo=repository.name,
        model=encoder.model.id,
        former=model_id(generation.model),
        chunks=len(ids),
        known=len(ids) - left,
        seconds=(left * min(rates) * (1 - _SPREAD), left * max(rates) * (1 + _SPREAD)),
        needed_bytes=2 * size + 2 * repository.catalog.stat().st_size,
        free_bytes=shutil.disk_usage(repository.folder).free,
        sampled=sampled,
    )


def _samples(ids: Sequence[int]) -> list[Sequence[int]]:
    """Return samples of chunk ids; each sample has chunks of all lengths.

    `ids` are all chunk ids, sorted by length, from which evenly spaced ones are taken.
    """
    step = max(len(ids) // (_SAMPLES * _SAMPLE_CHUNKS), 1)
    chosen = ids[::step][: _SAMPLES * _SAMPLE_CHUNKS]
    return [chosen[start::_SAMPLES] for start in range(_SAMPLES)]


def _time_sample(
    context: SyncContext, encoder: Encoder, identity: str, texts: Sequence[SafeText]
) -> tuple[float, int]:
    """Return (seconds that embedding one text takes, number of texts that were cached).

    The seconds are 0 if all texts are cached.
    """
    keys = {embedding_cache_key(identity, text): text for text in texts}
    known = context.embeddings.get(list(keys), dimension=encoder.model.dimension)
    todo = {key: text for key, text in keys.items() if key not in known}
    if not todo:
        return 0.0, len(texts)
    embedder = encoder.embedder()  # opened before the clock starts
    started = time.perf_counter()
    rows = embedder.stream(todo.values(), max_tokens=context.config.embedding.max_tokens)
    vectors = dict(zip(todo, rows, strict=True))
    seconds = time.perf_counter() - started
    context.embeddings.put(vectors)
    return seconds / len(todo), len(texts) - len(todo)
