"""What an upgrade of the model would take, from a sample that is measured."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass

from codeindex.embed.encoder import Encoder
from codeindex.ingest.sync.embedding import embedding_cache_key, text_to_embed
from codeindex.ingest.sync.run import SyncContext, model_identity
from codeindex.store.catalog.connection import Catalog
from codeindex.store.datadir.disk_usage import disk_usage
from codeindex.store.shadow_index import model_id
from codeindex.types import SafeText

_GROUPS, _EACH = 4, 12
"""Samples that are timed apart: their slowest and fastest are the range that is told."""
_CHARACTERS_A_TOKEN = 6
"""More than code has: what the model will not read does not make a text longer."""
_SPREAD = 0.15
"""Of the rest on either side: four samples differ less than the hours of a machine do."""


@dataclass(frozen=True, slots=True)
class UpgradeEstimate:
    """Chunks are those of now; another model may cut them otherwise. `known` are in the cache."""

    repo: str
    model: str
    former: str
    chunks: int
    known: int
    seconds: tuple[float, float]
    needed_bytes: int
    free_bytes: int
    sampled: int


def estimate_upgrade(site: SyncContext, encoder: Encoder) -> UpgradeEstimate:
    """Embed some chunks of all lengths, once and for all, and reckon from them."""
    identity = model_identity(encoder.model, site.config)
    repository, limit = site.repository, site.config.embedding.max_tokens
    with Catalog.open(repository.catalog) as catalog, catalog.reading() as generation:
        cut = limit * _CHARACTERS_A_TOKEN
        rows = catalog.connection.execute(
            "SELECT id FROM chunks ORDER BY min(length(text), ?), id", (cut,)
        )
        ids = [one for (one,) in rows]
        texts = [[text_to_embed(catalog, one) for one in group] for group in _groups(ids)]
    measured = [_seconds_a_chunk(site, encoder, identity, one) for one in texts if one]
    rates = [rate for rate, _ in measured if rate] or [0.0]
    sampled = sum(map(len, texts))
    known = sum(found for _, found in measured) / max(sampled, 1)
    left = round(len(ids) * (1 - known))
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


def _groups(ids: Sequence[int]) -> list[Sequence[int]]:
    """Return samples that each hold all lengths, from chunks that stand in their order."""
    step = max(len(ids) // (_GROUPS * _EACH), 1)
    chosen = ids[::step][: _GROUPS * _EACH]
    return [chosen[at::_GROUPS] for at in range(_GROUPS)]


def _seconds_a_chunk(
    site: SyncContext, encoder: Encoder, identity: str, texts: Sequence[SafeText]
) -> tuple[float, int]:
    """Return the time of one text, 0 if all are known, and how many were known."""
    keys = {embedding_cache_key(identity, text): text for text in texts}
    known = site.embeddings.get(list(keys), dimension=encoder.model.dimension)
    todo = {key: text for key, text in keys.items() if key not in known}
    if not todo:
        return 0.0, len(texts)
    embedder = encoder.embedder()  # which is opened before the clock is started
    started = time.perf_counter()
    rows = embedder.stream(todo.values(), max_tokens=site.config.embedding.max_tokens)
    made = dict(zip(todo, rows, strict=True))
    seconds = time.perf_counter() - started
    site.embeddings.put(made)
    return seconds / len(todo), len(texts) - len(todo)
