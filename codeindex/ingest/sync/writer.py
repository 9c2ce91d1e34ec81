"""Write prepared files into the catalog in batches, with their word and token segments.

Each batch is a published generation of its own: a kill costs one batch, and readers find all
batches that are done.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from codeindex.config import WIKI_FOLDER
from codeindex.embed.token_vectors import TokenStatistics, token_vectors
from codeindex.ingest.discover.module_names import module_of
from codeindex.ingest.sync.chunk_words import words_of_file
from codeindex.ingest.sync.context import SyncContext
from codeindex.ingest.sync.first_files import FirstFiles
from codeindex.ingest.sync.plan import SyncPlan
from codeindex.ingest.workers.child import without_record
from codeindex.ingest.workers.file_queue import FileQueue
from codeindex.ingest.workers.pool import WorkerPool
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.connection import Catalog, Generation, Segment
from codeindex.store.catalog.write_files import FilePlace, delete_files, store_batch
from codeindex.store.segments.vectors import write_segment
from codeindex.store.segments.word_index import ChunkWords, write_words
from codeindex.text.globs import glob_rules
from codeindex.types import PreparedFile

_BATCH_FILES = 400
"""Most files of a batch: bounds the memory that prepared files take."""
_BATCH_SECONDS, _FIRST_BATCH_SECONDS = 5.0, 1.0
"""Seconds after which a batch is committed; the first is committed sooner, so that a new index can
be searched soon."""


def prepare_files(
    context: SyncContext, pool: WorkerPool, todo: FileQueue
) -> Iterator[PreparedFile]:
    """Prepare files in workers and yield them in the order of completion; report progress."""
    total = len(todo)
    if not total:
        return
    context.progress("structure", 0, total)
    locate = context.bundle.locate if context.bundle else without_record
    for count, file in enumerate(pool.prepare(todo, locate=locate), 1):
        context.progress("structure", count, total)
        yield file


def batch_files(
    files: Iterable[PreparedFile], first: FirstFiles | None = None
) -> Iterator[list[PreparedFile]]:
    """Yield files in batches; each ends after `_BATCH_FILES` files or `_BATCH_SECONDS`.

    A batch ends sooner with the last of the files that a question waits for, as `first` tells. If
    none waits at the beginning, the first batch ends after `_FIRST_BATCH_SECONDS`. If `files` ends
    with an exception, such as one that the progress callback raises to stop the sync, the files
    before it are still yielded.
    """
    batch: list[PreparedFile] = []
    has_question = first is not None and first.is_waiting
    since, most = time.monotonic(), _BATCH_SECONDS if has_question else _FIRST_BATCH_SECONDS
    try:
        for file in files:
            batch.append(file)
            is_last = first is not None and first.is_last(file)
            is_due = len(batch) >= _BATCH_FILES or time.monotonic() - since > most
            if is_last or is_due:
                yield batch
                batch, since, most = [], time.monotonic(), _BATCH_SECONDS
    except Exception:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


class CatalogWriter:
    """Writes and publishes batches of files; `generation` is the last published one."""

    def __init__(
        self, context: SyncContext, catalog: Catalog, start: Generation, paths: Iterable[str]
    ) -> None:
        """Continue after generation `start`.

        `paths` are all files of the tree, from which the module names follow.
        """
        self.generation = start
        self._context = context
        self._catalog = catalog
        self._paths = set(paths)
        self._navigation = glob_rules((*context.config.navigation_docs, f"/{WIKI_FOLDER}/*.md"))

    def remove(self, plan: SyncPlan) -> None:
        """Delete the removed files of a plan."""
        if plan.removed:
            with self._catalog.writing():
                ids = (file.id for file in plan.removed)
                removed_chunks = delete_files(self._catalog.connection, ids)
                self._publish((), changed=removed_chunks)

    def write(self, batch: Sequence[PreparedFile]) -> None:
        """Store the files of a batch with their words and vectors in one transaction."""
        with self._catalog.writing():
            places = [
                FilePlace(file, module_of(file.path, self._paths), self._is_navigation(file))
                for file in batch
            ]
            removed_chunks = 0
            words: list[ChunkWords] = []
            tokens: list[bytes] = []
            stored = store_batch(self._catalog.connection, places)
            for file, put in zip(batch, stored, strict=True):
                removed_chunks += put.replaced
                words += words_of_file(file, put.chunks)
                tokens += [prepared.tokens for prepared in file.chunks]
            segments = self._write_segments(words, tokens)
            self._publish(segments, changed=max(len(words), removed_chunks))

    def _publish(self, segments: Iterable[Segment], *, changed: int) -> None:
        """Publish a generation with additional segments.

        `changed` is the number of chunks that changed; it is added to the count that tells when the
        token statistics are out of date.
        """
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

    def _is_navigation(self, file: PreparedFile) -> bool:
        """Tell whether a file is a document that the setting `navigation_docs` selects.

        Its globs match folders, too; code below them is no document.
        """
        return LANGUAGES[file.language].prose and self._navigation.selects(file.path)

    def _write_segments(self, words: list[ChunkWords], tokens: list[bytes]) -> Iterator[Segment]:
        """Write the words of chunks as a segment, and their token vectors as another one.

        The segment of vectors is written only if there are statistics for the static model. Yield
        the segments. `tokens` are the packed token counts of the chunks in `words`.
        """
        if not words:
            return
        folder, known = self._context.repository.segments, self.generation.statistics
        yield write_words(folder, words)
        static = self._context.static
        if static is not None and known.get("file") and known["model"] == static.identity:
            rows = token_vectors(tokens, TokenStatistics.load(folder / known["file"]), static)
            ids = np.array([chunk.chunk_id for chunk in words], dtype=np.int64)
            yield write_segment(folder, "token", ids, rows)
