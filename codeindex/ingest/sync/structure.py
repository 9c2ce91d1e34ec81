"""The stages of the structure phase before the links: store files, record the tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from codeindex import git
from codeindex.errors import GitError
from codeindex.freshness.stat_cache import FileStamp, Snapshot
from codeindex.ingest.derive.statistics import update_token_statistics, without_provisional
from codeindex.ingest.sync.context import SyncContext
from codeindex.ingest.sync.first_files import FirstFiles
from codeindex.ingest.sync.plan import SyncPlan
from codeindex.ingest.sync.writer import CatalogWriter, batch_files, prepare_files
from codeindex.ingest.workers.file_queue import FileQueue
from codeindex.ingest.workers.pool import WorkerPool
from codeindex.secrets import safe_path
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.catalog.files import files_with_status
from codeindex.store.catalog.index_counts import count_files
from codeindex.store.catalog.skipped_files import replace_skipped, skipped_paths
from codeindex.store.catalog.watched_places import read_watched, replace_watched
from codeindex.store.catalog.write_files import update_file_stats
from codeindex.types import (
    MIN_REORDERED_FILES,
    Discovery,
    FileStatus,
    PreparedFile,
    Skipped,
)


@dataclass(frozen=True, slots=True)
class StructureResult:
    """The result of the structure phase: everything that a sync does before it embeds chunks."""

    generation: Generation
    plan: SyncPlan
    discovery: Discovery
    failed: tuple[Skipped, ...] = ()
    """All files that this or an earlier sync could not read."""
    skipped: tuple[Skipped, ...] = ()
    """All files whose content was not worth indexing."""
    unparsed: tuple[Skipped, ...] = ()
    """Files that were not parsed, then files with lost lines, most lost lines first; all are
    indexed as text."""
    killed: int = 0
    """Number of parser processes that were killed or crashed."""
    declined: bool = False
    """Whether nothing was done because too many files had to be read."""
    outdated: bool = False
    """Whether unchanged files are still indexed under former settings."""
    recorded: int = 0
    """Number of files whose parse came from a bundle."""
    notes: tuple[str, ...] = ()
    """Sentences about indexes of compilers that could not be used."""


@dataclass(frozen=True, slots=True)
class StoredFiles:
    """The files that the store stage has written, without symbols, chunks and identifiers."""

    generation: Generation
    files: tuple[PreparedFile, ...]
    killed: int


def store_files(
    context: SyncContext, catalog: Catalog, start: Generation, plan: SyncPlan, paths: Iterable[str]
) -> StoredFiles:
    """Store the files of a plan: delete removed files, and read and write the others.

    Workers read them; they are written in batches. `start` is the generation to publish with the
    first batch, `paths` are all files of the tree.
    """
    pool = context.worker_pool()
    if context.bundle:
        from codeindex.ingest.sync.bundle_audit import audit_bundle  # most syncs use none

        audit_bundle(pool, context.bundle, plan.todo)
    writer = CatalogWriter(context, catalog, start, paths)
    writer.remove(plan)
    queue = FileQueue(plan.todo)
    first = _first_files(context, pool, start, plan, queue)
    files: list[PreparedFile] = []
    killed_before = pool.killed
    for batch in batch_files(prepare_files(context, pool, queue), first):
        writer.write(batch)
        if first and first.finish_question():
            _report_first(context, catalog, writer, start.discovered)
            import codeindex.ingest.sync.link  # noqa: F401 (this process waits for the others now)
        files += (replace(file, symbols=(), chunks=(), identifiers=()) for file in batch)
    if context.bundle:
        from codeindex.ingest.bundle.edges import take_edges

        reused = {file.path for file in files if file.is_recorded}
        take_edges(catalog, context.bundle, reused)
    return StoredFiles(writer.generation, tuple(files), pool.killed - killed_before)


def _first_files(
    context: SyncContext, pool: WorkerPool, start: Generation, plan: SyncPlan, queue: FileQueue
) -> FirstFiles | None:
    """Return what reorders `queue` by the questions that wait for a first sync.

    Return None for any other sync. A first sync has no statistics of an earlier one; it may
    continue one that was interrupted.
    """
    if context.questions is None or start.statistics or len(queue) < MIN_REORDERED_FILES:
        return None
    pool.start(pool.useful_count(queue))
    first = FirstFiles(context.questions, plan.todo, queue)
    first.choose()
    return first


def _report_first(
    context: SyncContext, catalog: Catalog, writer: CatalogWriter, total: int
) -> None:
    """Make stored files searchable, and report the phase `first` with (stored files, all files).

    Searches rank these files with provisional statistics and token vectors. The sync continues from
    a generation without them.
    """
    provisional = update_token_statistics(
        context.repository, catalog, writer.generation, static=context.static, provisional=True
    )
    stored = count_files(catalog.connection)
    context.progress("first", stored, total)
    writer.generation = without_provisional(provisional)


def with_checkout(root: Path, before: Generation) -> Generation:
    """Return `before` with the branch and commit checked out now, '' where unknown."""
    try:
        head = git.read_head(root) if git.find_work_tree(root) else git.GitHead(None, None)
    except GitError:
        head = git.GitHead(None, None)  # discovery has noted why git failed
    return replace(before, branch=safe_path(head.branch or ""), head=head.commit or "")


def record_tree(catalog: Catalog, plan: SyncPlan, discovery: Discovery) -> None:
    """Store which paths were skipped and watched, and new stats of files with the same content.

    Call it after all files are stored: from then on, a watched path with equal times proves that
    nothing changed.
    """
    skipped = {entry.path: entry for entry in discovery.skipped}  # with the languages of folders
    stored = {entry.path: entry for entry in skipped_paths(catalog.connection)}
    has_other_skipped = skipped != stored
    has_other_watched = set(discovery.watched) != set(read_watched(catalog.connection))
    if plan.touched or has_other_skipped or has_other_watched:
        with catalog.writing():
            update_file_stats(catalog.connection, plan.stats)
            if has_other_skipped:
                replace_skipped(catalog.connection, discovery.skipped)
            if has_other_watched:
                replace_watched(catalog.connection, discovery.watched)


def save_snapshot(
    context: SyncContext, before: Snapshot, plan: SyncPlan, files: Iterable[PreparedFile]
) -> None:
    """Store size, times and digest of each file, with which the next sync compares the files.

    `before` is the stored snapshot.
    """
    stamps = dict(plan.stamps) | {
        file.path: FileStamp(file.size, file.mtime_ns, file.ctime_ns, file.digest)
        for file in files
        if file.digest
    }
    if stamps != before.stamps:
        context.stat_cache.put(context.repository.key, Snapshot(stamps).dump())


def structure_result(
    catalog: Catalog, generation: Generation, plan: SyncPlan, discovery: Discovery
) -> StructureResult:
    """Return the result of a structure phase, which is the part of a sync before embedding.

    It lists all files that failed or were skipped, in this sync or an earlier one.
    """
    failed, skipped = (
        files_with_status(catalog.connection, status) for status in ("failed", "skipped")
    )
    return StructureResult(generation, plan, discovery, failed=failed, skipped=skipped)


def list_parse_losses(files: Iterable[PreparedFile]) -> tuple[Skipped, ...]:
    """Return the files that the parser did not understand completely.

    Files that were not parsed at all come first, then those with the most lost lines.
    """
    known = tuple(files)
    return (*_with_reason(known, "plain"), *_with_reason(known, "indexed"))


def _with_reason(files: Iterable[PreparedFile], status: FileStatus) -> Iterable[Skipped]:
    noted = (file for file in files if file.status == status and file.reason)
    return (Skipped(file.path, file.reason) for file in sorted(noted, key=lambda file: -file.lost))
