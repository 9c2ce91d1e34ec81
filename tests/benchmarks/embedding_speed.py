"""The embedding phase beside bare ONNX sessions that run the same texts."""

from __future__ import annotations

import itertools
import shutil
import statistics
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from meter import alternating

from codeindex import Index
from codeindex.config import cpu_count, data_home
from codeindex.embed.encoder import Encoder
from codeindex.embed.installed import tokenizer_file, verified_folder
from codeindex.embed.onnx import open_onnx_session
from codeindex.embed.tokens import replace_surrogates, tokenizer_for
from codeindex.ingest.chunk.header import embedding_text
from codeindex.ingest.sync.embedding import EmbeddingJob, embed_pending
from codeindex.store.cache.caches import EmbeddingCache
from codeindex.store.catalog.connection import Catalog
from codeindex.types import Chunk

ROUNDS = 5

Feeds = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Tokens a second of the phase and of bare sessions; `ratio` is the median over rounds."""

    ours: float
    bare: float
    ratio: float


def against_bare_sessions(index: Index, sample: int) -> Comparison | None:
    """Compare on about `sample` chunks, in alternating rounds; None without a model."""
    with index.reader().corpus() as (_, corpus):
        encoder = index.encoder_of(corpus.generation.model)
    if encoder is None:
        return None
    with Index.open(_sampled(index, sample), root=True) as part:
        part.sync(structure_only=True, rebuild=True)
        feeds = list(_feeds(part, encoder))
        actions = (_phase(part, encoder), _bare(encoder, feeds))
        for action in actions:
            action()  # opens sessions
        ours, bare = alternating(actions, ROUNDS)
    tokens = sum(one["input_ids"].size for one in feeds)
    ratios = [b / a for a, b in zip(ours.seconds, bare.seconds, strict=True)]
    return Comparison(tokens / ours.median, tokens / bare.median, statistics.median(ratios))


def _sampled(index: Index, sample: int) -> Path:
    """Copy files, evenly spread over the tree, that have so many chunks together."""
    with index.reader().catalog() as (catalog, _):
        rows = catalog.connection.execute(
            "SELECT f.path, count(*) FROM chunks c JOIN files f ON f.id = c.file_id"
            " GROUP BY f.id ORDER BY f.digest"
        ).fetchall()
    sums = itertools.accumulate(count for _, count in rows)
    folder = index.root.with_name(f"{index.root.name}-sample")
    shutil.rmtree(folder, ignore_errors=True)
    for (path, _), so_far in zip(rows, sums, strict=True):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(index.root / path, folder / path)
        if so_far >= sample:
            break
    return folder


def _phase(part: Index, encoder: Encoder) -> Callable[[], None]:
    """Embed as a sync does; each time as another model's, so that nothing is known already."""
    numbers = itertools.count()
    folder = part.repository.folder / "bench"
    shutil.rmtree(folder, ignore_errors=True)  # an earlier run's
    cache = EmbeddingCache(folder, ttl_days=1, size_limit_mb=100)

    def run() -> None:
        job = EmbeddingJob(
            repository=part.repository,
            model=f"round-{next(numbers)}@",
            dimension=encoder.model.dimension,
            embedder=encoder.embedder,
            cache=cache,
            max_tokens=part.settings.config.embedding.max_tokens,
            progress=lambda *_: None,
        )
        with Catalog.create(part.repository.catalog) as catalog:
            embed_pending(job, catalog)

    return run


def _feeds(part: Index, encoder: Encoder) -> list[Feeds]:
    most = min(part.settings.config.embedding.max_tokens, encoder.model.window)
    tokenizer = tokenizer_for(tokenizer_file(data_home(), encoder.model), max_tokens=most)
    with part.reader().catalog() as (catalog, _):
        rows = catalog.connection.execute(
            "SELECT f.path, c.start_line, c.end_line, c.kind, c.text, c.symbol, c.heading"
            " FROM chunks c JOIN files f ON f.id = c.file_id"
        ).fetchall()
    texts = (replace_surrogates(embedding_text(path, Chunk(*chunk))) for path, *chunk in rows)
    return [_feed(tokenizer.encode(text).ids) for text in texts]


def _feed(ids: Sequence[int]) -> Feeds:
    row = np.array([ids], dtype=np.int64)
    return {
        "input_ids": row,
        "attention_mask": np.ones_like(row),
        "token_type_ids": np.zeros_like(row),
    }


def _bare(encoder: Encoder, feeds: Sequence[Feeds]) -> Callable[[], None]:
    """Run ready-made ids, a thread and a session for each processor."""
    model = verified_folder(data_home(), encoder.model) / encoder.model.onnx
    sessions = [open_onnx_session(model) for _ in range(cpu_count())]
    declared = {one.name for one in sessions[0].get_inputs()}
    feeds = [{name: row for name, row in one.items() if name in declared} for one in feeds]

    def share(session: Any, todo: Sequence[Feeds]) -> None:
        for one in todo:
            session.run(None, one)

    def run() -> None:
        with ThreadPoolExecutor(len(sessions)) as pool:
            parts = [feeds[at :: len(sessions)] for at in range(len(sessions))]
            list(pool.map(share, sessions, parts))

    return run
