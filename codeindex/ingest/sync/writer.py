"""Prepared files on their way into the catalog, with their words and token vectors.

They are committed in batches, each a published state of its own, so that a kill costs one batch
and a reader finds what is done so far.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from codeindex.config import WIKI_FOLDER, Config
from codeindex.embed.token_vectors import TokenStatistics, token_vectors
from codeindex.ingest.discover.module_names import module_of
from codeindex.ingest.sync.chunk_words import words_of_file
from codeindex.ingest.sync.plan import SyncPlan
from codeindex.ingest.workers.pool import WorkerPool
from codeindex.store.cache.caches import MerkleCache
from codeindex.store.catalog.connection import Catalog, Generation, Segment
from codeindex.store.catalog.files import delete_files, store_file
from codeindex.store.datadir.home import Repository
from codeindex.store.segments.vectors import write_segment
from codeindex.store.segments.word_index import ChunkWords, write_words
from codeindex.text.globs import Ignore
from codeindex.types import PreparedFile, SourceFile

if TYPE_CHECKING:
    from codeindex.types import Matrix

SyncProgress = Callable[[str, int, int], None]
"""Called with (phase, done, total) from the thread that syncs."""

_BATCH_FILES = 400
_BATCH_SECONDS, _FIRST_SECONDS = 5.0, 1.0
"""The first is committed sooner: somebody may be waiting for anything at all to be searchable."""


@dataclass(frozen=True, slots=True)
class StructureJob:
    """What the structure phase works on and with.

    `settings` digests whatever decides what is kept, so that a change does every file again.
    `table` is the model's token table, None without a model.
    """

    repository: Repository
    config: Config
    settings: str
    merkle: MerkleCache
    pool: Callable[[], WorkerPool]
    table: Matrix | None
    table_of: str
    progress: SyncProgress


def prepare_files(
    job: StructureJob, pool: WorkerPool, todo: Sequence[SourceFile]
) -> Iterator[PreparedFile]:
    if not todo:
        return
    job.progress("structure", 0, len(todo))
    for count, file in enumerate(pool.prepare(todo), 1):
        job.progress("structure", count, len(todo))
        yield file


def batch_files(files: Iterable[PreparedFile]) -> Iterator[list[PreparedFile]]:
    batch: list[PreparedFile] = []
    since, most = time.monotonic(), _FIRST_SECONDS
    for file in files:
        batch.append(file)
        if len(batch) >= _BATCH_FILES or time.monotonic() - since > most:
            yield batch
            batch, since, most = [], time.monotonic(), _BATCH_SECONDS
    if batch:
        yield batch


class CatalogWriter:
    """Commits batches; `generation` is what was published last."""

    def __init__(
        self, job: StructureJob, catalog: Catalog, start: Generation, paths: Iterable[str]
    ) -> None:
        self.generation = start
        self._job = job
        self._catalog = catalog
        self._paths = set(paths)
        self._navigation = Ignore((*job.config.navigation_docs, f"/{WIKI_FOLDER}/*.md"))

    def remove(self, plan: SyncPlan) -> None:
        """Drop what is gone."""
        if plan.removed:
            with self._catalog.writing():
                gone = delete_files(self._catalog.connection, (one.id for one in plan.removed))
                self._publish((), changed=gone)

    def write(self, batch: Sequence[PreparedFile]) -> None:
        """Replace the files of a batch, with their words and vectors, in one transaction."""
        with self._catalog.writing():
            gone = 0
            said: list[ChunkWords] = []
            texts: list[bytes] = []
            for file in batch:
                put = store_file(
                    self._catalog.connection,
                    file,
                    module=module_of(file.path, self._paths),
                    is_navigation=self._navigation.selects(file.path),
                )
                gone += put.replaced
                said += words_of_file(file, put.chunks)
                texts += [one.tokens for one in file.chunks]
            self._publish(self._segments(said, texts), changed=max(len(said), gone))

    def _publish(self, segments: Iterable[Segment], *, changed: int) -> None:
        statistics = dict(self.generation.statistics)
        if statistics:
            statistics["changed"] += changed
        self.generation = self._catalog.publish(
            replace(
                self.generation,
                segments=(*self.generation.segments, *segments),
                statistics=statistics,
            )
        )

    def _segments(self, said: list[ChunkWords], texts: list[bytes]) -> Iterator[Segment]:
        """Write words, and vectors under the statistics there are; else `learn` makes them."""
        if not said:
            return
        folder, known = self._job.repository.segments, self.generation.statistics
        yield write_words(folder, said)
        learned = bool(known.get("file")) and known["model"] == self._job.table_of
        if self._job.table is not None and learned:
            rows = token_vectors(
                texts, TokenStatistics.load(folder / known["file"]), self._job.table
            )
            ids = np.array([one.chunk_id for one in said], dtype=np.int64)
            yield write_segment(folder, "token", ids, rows)
