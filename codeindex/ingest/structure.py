"""The structure phase: everything but the model's vectors, searchable when it ends.

Prepared files are committed in batches, each a published state of its own, so that a kill costs
one batch and a reader finds what is done so far.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from codeindex import git
from codeindex.config import Config, cpu_count
from codeindex.embed.token_vectors import Statistics, vectors
from codeindex.errors import GitError
from codeindex.globs import Ignore
from codeindex.ingest.discover import discover
from codeindex.ingest.history import read_history
from codeindex.ingest.learn import drifted, learn
from codeindex.ingest.merkle import Snapshot, leaf_of
from codeindex.ingest.modules import module_of
from codeindex.ingest.plan import Plan, make_plan
from codeindex.ingest.relate import relate
from codeindex.ingest.resolvers import Resolvers
from codeindex.ingest.survey import survey
from codeindex.ingest.wording import words_of
from codeindex.ingest.workers import WorkerPool
from codeindex.secrets import safe_path
from codeindex.store.cache import MerkleCache
from codeindex.store.catalog import Catalog, Generation, Segment
from codeindex.store.files import (
    known_files,
    put_file,
    remove_files,
    replace_skipped,
    touch_files,
)
from codeindex.store.home import Repository
from codeindex.store.segments import write_segment
from codeindex.store.words import ChunkWords, write_words
from codeindex.types import Discovery, FileStatus, PreparedFile, Skipped, SourceFile

if TYPE_CHECKING:
    from codeindex.types import Matrix

Progress = Callable[[str, int, int], None]
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
    progress: Progress


@dataclass(frozen=True, slots=True)
class StructureResult:
    generation: Generation
    plan: Plan
    discovery: Discovery
    failed: tuple[Skipped, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    """Files whose content, once read, was not worth indexing."""
    unparsed: tuple[Skipped, ...] = ()
    """Files that the parser gave up on, then those that lost most lines; words are indexed."""
    killed: int = 0
    """Parser processes that did not survive their file."""


def sync_structure(job: StructureJob, catalog: Catalog) -> StructureResult:
    """Bring files, chunks, symbols, words and token vectors up to date with the tree."""
    before = catalog.generation()
    discovery = discover(job.repository.root, config=job.config)
    snapshot = Snapshot.load(job.merkle.get(job.repository.key))
    known = known_files(catalog.connection)
    everything = before.settings != job.settings
    plan = make_plan(
        job.repository.root,
        discovery.files,
        snapshot=snapshot,
        known=known,
        everything=everything,
    )
    quiet = not (plan.added or plan.changed or plan.removed) and before.complete
    seen = _seen(job.repository.root, before)
    if quiet and not drifted(before, job.table_of):
        _note_stats(catalog, plan, discovery)
        read_history(catalog, job.repository.root, seen.head)
        _remember(job, snapshot, plan, ())
        if seen != before:
            with catalog.writing():
                seen = catalog.publish(seen)
        return StructureResult(seen, plan, discovery)
    start = replace(
        seen,
        version=before.version + bool(not quiet or before.number == 0),
        complete=False,
        # Not before all files are done: a kill must not leave some as the old settings had them.
        settings=before.settings if known else job.settings,
        discovered=len(discovery.files),
    )
    return _run(job, catalog, start, plan, discovery)


def _seen(root: Path, before: Generation) -> Generation:
    """Note what is checked out, as far as git tells: discovery has noted why it does not."""
    try:
        head = git.head(root) if git.top(root) else git.Head(None, None)
    except GitError:
        head = git.Head(None, None)
    return replace(before, branch=safe_path(head.branch or ""), head=head.commit or "")


def _run(
    job: StructureJob, catalog: Catalog, start: Generation, plan: Plan, discovery: Discovery
) -> StructureResult:
    writer = _Writer(job, catalog, start, discovery)
    writer.remove(plan)
    done: list[PreparedFile] = []
    pool = job.pool()
    killed = pool.killed
    for batch in _batches(_prepared(job, pool, plan.todo)):
        writer.write(batch)
        done += (replace(file, symbols=(), chunks=(), identifiers=()) for file in batch)
    _note_stats(catalog, plan, discovery)
    if plan.added or plan.removed:
        _note_modules(catalog)
    with Resolvers(
        job.repository.catalog, size=cpu_count(), memory_mb=job.config.limits.memory_mb
    ) as resolvers:
        relate(catalog, resolvers, progress=job.progress)
    survey(catalog, job.config)
    read_history(catalog, job.repository.root, start.head)
    snapshot = _remember(job, Snapshot(), plan, done)
    generation = learn(
        job.repository,
        catalog,
        replace(writer.generation, tree=snapshot.root(), settings=job.settings, complete=True),
        table=job.table,
        table_of=job.table_of,
    )
    return StructureResult(
        generation,
        plan,
        discovery,
        failed=_of(done, "failed"),
        skipped=_of(done, "skipped"),
        unparsed=(*_of(done, "plain"), *_of(done, "indexed")),
        killed=pool.killed - killed,
    )


def _of(done: Iterable[PreparedFile], status: FileStatus) -> tuple[Skipped, ...]:
    found = (file for file in done if file.status == status and file.reason)
    return tuple(Skipped(one.path, one.reason) for one in sorted(found, key=lambda it: -it.lost))


def _prepared(
    job: StructureJob, pool: WorkerPool, todo: Sequence[SourceFile]
) -> Iterator[PreparedFile]:
    if not todo:
        return
    job.progress("structure", 0, len(todo))
    for count, file in enumerate(pool.prepare(todo), 1):
        job.progress("structure", count, len(todo))
        yield file


def _batches(files: Iterable[PreparedFile]) -> Iterator[list[PreparedFile]]:
    batch: list[PreparedFile] = []
    since, most = time.monotonic(), _FIRST_SECONDS
    for file in files:
        batch.append(file)
        if len(batch) >= _BATCH_FILES or time.monotonic() - since > most:
            yield batch
            batch, since, most = [], time.monotonic(), _BATCH_SECONDS
    if batch:
        yield batch


class _Writer:
    """Commits batches; `generation` is what was published last."""

    def __init__(
        self, job: StructureJob, catalog: Catalog, start: Generation, discovery: Discovery
    ) -> None:
        self.generation = start
        self._job = job
        self._catalog = catalog
        self._paths = {file.path for file in discovery.files}
        self._navigation = Ignore(job.config.navigation_docs)

    def remove(self, plan: Plan) -> None:
        """Drop what is gone."""
        if plan.removed:
            with self._catalog.writing():
                gone = remove_files(self._catalog.connection, (one.id for one in plan.removed))
                self._publish((), changed=gone)

    def write(self, batch: Sequence[PreparedFile]) -> None:
        """Replace the files of a batch, with their words and vectors, in one transaction."""
        with self._catalog.writing():
            gone = 0
            said: list[ChunkWords] = []
            texts: list[bytes] = []
            for file in batch:
                put = put_file(
                    self._catalog.connection,
                    file,
                    module=module_of(file.path, self._paths),
                    is_navigation=self._navigation.selects(file.path),
                )
                gone += put.replaced
                said += words_of(file, put.chunks)
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
            rows = vectors(texts, Statistics.load(folder / known["file"]), self._job.table)
            ids = np.array([one.chunk_id for one in said], dtype=np.int64)
            yield write_segment(folder, "token", ids, rows)


def _note_stats(catalog: Catalog, plan: Plan, discovery: Discovery) -> None:
    """Record new stats of unchanged content, and what discovery left out, if that differs."""
    left_out = {one.path: str(one.reason) for one in discovery.skipped}
    before = dict(catalog.connection.execute("SELECT path, reason FROM skipped"))
    if plan.touched or left_out != before:
        with catalog.writing():
            touch_files(
                catalog.connection,
                ((new.size, new.mtime_ns, new.ctime_ns, old.id) for new, old in plan.touched),
            )
            if left_out != before:
                replace_skipped(catalog.connection, discovery.skipped)


def _note_modules(catalog: Catalog) -> None:
    """Name modules anew: a package file that came or went renames those of its neighbours."""
    rows = catalog.connection.execute("SELECT path, module FROM files").fetchall()
    paths = {path for path, _ in rows}
    named = ((module_of(path, paths), path, module) for path, module in rows)
    changed = [(new, path) for new, path, old in named if new != old]
    if changed:
        with catalog.writing():
            catalog.connection.executemany("UPDATE files SET module = ? WHERE path = ?", changed)


def _remember(
    job: StructureJob, before: Snapshot, plan: Plan, done: Iterable[PreparedFile]
) -> Snapshot:
    """Keep the tree as it was read, for the next sync's stats to be compared with."""
    now = time.time_ns()
    leaves = dict(plan.leaves)
    for file in done:
        if file.digest:
            stat = SourceFile(
                path=file.path,
                language=file.language,
                size=file.size,
                mtime_ns=file.mtime_ns,
                ctime_ns=file.ctime_ns,
                is_test=file.is_test,
            )
            leaves[file.path] = leaf_of(stat, file.digest, read_at_ns=now)
    snapshot = Snapshot(leaves)
    if leaves != before.leaves:
        job.merkle.put(job.repository.key, snapshot.dump())
    return snapshot
