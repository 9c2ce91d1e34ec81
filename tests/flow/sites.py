"""Indexes of a folder with a tiny model, and all that they hold as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from codeindex import Index
from codeindex.config import Config
from codeindex.embed.encoder import Encoder
from codeindex.embed.lock import write_added
from codeindex.embed.static_model import StaticModel
from codeindex.ingest.sync.compact import compact_segments
from codeindex.ingest.sync.context import SyncContext, model_identity
from codeindex.ingest.sync.embedding import EmbeddingJob, embed_pending
from codeindex.ingest.sync.repository import sync_repository
from codeindex.ingest.workers.child import WorkerSettings
from codeindex.ingest.workers.pool import WorkerPool
from codeindex.store.cache.caches import EmbeddingCache, StatCache
from codeindex.store.catalog.connection import Catalog
from codeindex.store.datadir.home import Repository
from codeindex.store.segments.vectors import Vectors, live_chunk_ids
from codeindex.store.segments.word_index import WordIndex
from codeindex.types import SyncReport
from tests.conftest import made_repository, own_data
from tests.unit.embed.tiny_models import install, tiny_files, tiny_model

CONFIG = Config()
STATIC = StaticModel(
    "static@1",
    np.random.default_rng(7).integers(-127, 128, (30_522, 8), dtype=np.int8),
    np.full(30_522, 0.01, np.float32),
)
"""A static model of eight dimensions."""


@contextmanager
def indexed_repository(root: Path, files: Mapping[str, str | bytes]) -> Iterator[Path]:
    """Have the structure of a repository of these files indexed, with its data beside it."""
    with own_data(root.parent):
        made_repository(root, files)
        with Index.open(root) as index:
            index.sync(structure_only=True)
        yield root


def install_tiny(home: Path) -> None:
    """Put the tiny model beside the pinned ones, under the name `tiny`."""
    files = tiny_files()
    model = tiny_model(files)
    install(home, model, files)
    write_added(home, [model])


def install_pair(home: Path) -> None:
    """Put two models there that see the same text otherwise: `tiny` pools its first token.

    `other` takes the mean of all.
    """
    files = tiny_files()
    first = replace(tiny_model(files), source="added")
    other = replace(tiny_model(files, pooling="mean"), id="other", source="added")
    for model in (first, other):
        install(home, model, files)
    write_added(home, [first, other])


class Pools:
    """Workers that outlive one index; a test that makes many starts them once."""

    def __init__(self) -> None:
        self._pools: dict[WorkerSettings, WorkerPool] = {}

    def __call__(self, settings: WorkerSettings) -> WorkerPool:
        if settings not in self._pools:
            self._pools[settings] = WorkerPool(settings, size=2)
        return self._pools[settings]

    def close(self) -> None:
        for pool in self._pools.values():
            pool.close()


@contextmanager
def opened(root: Path, folder: Path, home: Path, pools: Pools) -> Iterator[SyncContext]:
    """Open an index of `root` in `folder`, with caches of its own."""
    folder.mkdir(parents=True)
    files = tiny_files()
    encoder = Encoder(home, tiny_model(files), threads=1)
    stat_cache = StatCache(folder / "merkle")
    embeddings = EmbeddingCache(folder / "embeddings", ttl_days=1, size_limit_mb=64)
    try:
        yield SyncContext(
            Repository("shop", root, folder),
            CONFIG,
            encoder,
            STATIC,
            stat_cache,
            embeddings,
            pools,
            lambda *_: None,
        )
    finally:
        encoder.close()
        stat_cache.close()
        embeddings.close()


def synced(site: SyncContext) -> SyncReport:
    """Sync structure and vectors, without the two seconds of a Chroma export."""
    report = sync_repository(site, structure_only=True)
    assert site.encoder
    model = site.encoder.model
    job = EmbeddingJob(
        site.repository,
        model_identity(model, CONFIG),
        model.dimension,
        site.encoder.embedder,
        site.embeddings,
        CONFIG.embedding.max_tokens,
        site.progress,
    )
    with Catalog.create(site.repository.catalog) as catalog:
        embed_pending(job, catalog)
        compact_segments(site.repository, catalog, catalog.generation())
    return report


@dataclass(frozen=True)
class Content:
    """What an index knows, without ids and stats; tables as sorted rows."""

    files: list[Any]
    chunks: list[Any]
    packed_chunks: list[Any]
    symbols: list[Any]
    skipped: list[Any]
    edges: list[Any]
    lengths: dict[tuple[str, int], int]
    words: dict[str, list[tuple[tuple[str, int], int, bool]]]
    dense: dict[tuple[str, int], tuple[float, ...]]
    with_token_vector: list[tuple[str, int]]


_TABLES = {
    "files": "SELECT path, language, digest, size, lines, status, reason, is_test, is_generated,"
    " is_navigation, module, identifiers, findings FROM files ORDER BY path",
    "chunks": "SELECT f.path, c.start_line, c.end_line, c.kind, c.symbol, c.heading,"
    " c.has_secrets, c.text FROM chunks c JOIN files f ON f.id = c.file_id"
    " ORDER BY f.path, c.start_line, c.end_line",
    "packed_chunks": "SELECT f.path, p.contexts, p.tokens FROM packed_chunks p"
    " JOIN files f ON f.id = p.file_id ORDER BY f.path",
    "symbols": "SELECT f.path, s.name, s.folded, s.qualified, s.kind, s.line, s.start_line,"
    " s.end_line, s.signature, s.doc FROM symbols s JOIN files f ON f.id = s.file_id"
    " ORDER BY f.path, s.line, s.qualified",
    "edges": "SELECT f.path, s.qualified, s.number, e.kind, e.certainty, g.path, t.qualified,"
    " t.number, e.target_name, e.lines FROM edges e JOIN files f ON f.id = e.source_file"
    " LEFT JOIN symbols s ON s.id = e.source_symbol LEFT JOIN files g ON g.id = e.target_file"
    " LEFT JOIN symbols t ON t.id = e.target_symbol"
    " ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10",
    "skipped": "SELECT path, reason FROM skipped ORDER BY path",
}


def content(repository: Repository) -> Content:
    with Catalog.open(repository.catalog) as catalog, catalog.reading() as generation:
        tables = {name: catalog.connection.execute(sql).fetchall() for name, sql in _TABLES.items()}
        rows = catalog.connection.execute(
            "SELECT f.path, c.start_line FROM chunks c JOIN files f ON f.id = c.file_id"
            " ORDER BY c.id"
        )
        places = rows.fetchall()
        live = live_chunk_ids(catalog)
    words = WordIndex(repository.segments, generation.of_kind("words"), live)
    vectors = {
        kind: Vectors(repository.segments, generation.of_kind(kind), live)
        for kind in ("dense", "token")
    }
    dense = {
        places[at]: tuple(row.tolist())
        for positions, matrix in vectors["dense"].parts()
        for at, row in zip(positions.tolist(), np.asarray(matrix), strict=True)
    }
    tokens = [place for place, has in zip(places, vectors["token"].present, strict=True) if has]
    assert words.present.all()
    lengths = dict(zip(places, words.lengths.tolist(), strict=True))
    return Content(
        **tables,
        lengths=lengths,
        words=dict(_standing(words, places)),
        dense=dense,
        with_token_vector=sorted(tokens),
    )


def _standing(
    words: WordIndex, places: list[tuple[str, int]]
) -> Iterator[tuple[str, list[tuple[tuple[str, int], int, bool]]]]:
    """Yield every word of the index with the places, counts and paths that it stands in."""
    for word in sorted(words.words_containing("")):
        found = words.occurrences(word)
        columns = (found.positions.tolist(), found.counts.tolist(), found.in_path.tolist())
        rows = sorted((places[at], count, path) for at, count, path in zip(*columns, strict=True))
        if rows:  # of dead chunks there may be words that no other has
            yield word, rows
