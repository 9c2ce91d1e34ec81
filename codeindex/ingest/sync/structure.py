"""The structure phase: everything but the model's vectors, searchable when it ends."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from codeindex import git
from codeindex.config import cpu_count
from codeindex.errors import GitError
from codeindex.freshness.merkle import Leaf, Snapshot
from codeindex.graph.resolver_pool import Resolvers
from codeindex.graph.stage import relate
from codeindex.ingest.discover.files import discover
from codeindex.ingest.discover.module_names import module_of
from codeindex.ingest.sync.history import update_history
from codeindex.ingest.sync.patterns_and_mentions import update_patterns_and_mentions
from codeindex.ingest.sync.plan import SyncPlan, make_plan
from codeindex.ingest.sync.settings_digest import mixed_digest, only_adds_exemptions
from codeindex.ingest.sync.statistics import have_statistics_drifted, update_statistics
from codeindex.ingest.sync.writer import CatalogWriter, StructureJob, batch_files, prepare_files
from codeindex.secrets import safe_path
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.catalog.files import (
    files_with_secrets,
    files_with_status,
    known_files,
    replace_skipped,
    update_file_stats,
)
from codeindex.store.catalog.relations import edges_are_stale, mark_edges_current
from codeindex.store.catalog.watched_places import read_watched, replace_watched
from codeindex.types import Discovery, FileStatus, PreparedFile, Skipped


@dataclass(frozen=True, slots=True)
class StructureResult:
    generation: Generation
    plan: SyncPlan
    discovery: Discovery
    failed: tuple[Skipped, ...] = ()
    """All files that could not be read, now or before."""
    skipped: tuple[Skipped, ...] = ()
    """All files whose content, once read, was not worth indexing."""
    unparsed: tuple[Skipped, ...] = ()
    """Files that the parser gave up on, then those that lost most lines; words are indexed."""
    killed: int = 0
    """Parser processes that did not survive their file."""
    declined: bool = False
    """Nothing was done: more was to be read than somebody waits for."""
    outdated: bool = False
    """Unchanged files are as former settings had them: there are too many to read again now."""


def sync_structure(job: StructureJob, catalog: Catalog, *, most: int = 0) -> StructureResult:
    """Bring files, chunks, symbols, words and token vectors up to date with the tree.

    Of more than `most` files to read, none is. Where only new settings make them so many, those
    that have changed are read under the new ones, and the next sync reads all.
    """
    before = catalog.generation()
    discovery = discover(job.repository.root, config=job.config)
    snapshot = Snapshot.load(job.merkle.get(job.repository.key))
    plan, job, outdated = _planned(job, catalog, before, discovery, snapshot, most)
    if most and len(plan.todo) > most:
        return StructureResult(before, plan, discovery, declined=True, outdated=outdated)
    is_behind = not before.complete or edges_are_stale(catalog.connection)
    quiet = not (plan.added or plan.changed or plan.removed or is_behind)
    seen = _seen(job.repository.root, before)
    seen = replace(seen, settings=job.settings) if quiet and not outdated else seen
    if quiet and not have_statistics_drifted(before, job.table_of):
        _note_stats(catalog, plan, discovery)
        update_history(catalog, job.repository.root, seen.head)
        _remember(job, snapshot, plan, ())
        if seen != before:
            with catalog.writing():
                seen = catalog.publish(seen)
        return replace(_result(catalog, seen, plan, discovery), outdated=outdated)
    start = replace(
        seen,
        version=before.version + bool(not quiet or before.number == 0),
        complete=False,
        # Not before all files are done: a kill must not leave some as the old settings had them.
        settings=_until_done(before, job.settings),
        discovered=len(discovery.files),
    )
    return replace(_run(job, catalog, start, plan, discovery), outdated=outdated)


def _planned(
    job: StructureJob,
    catalog: Catalog,
    before: Generation,
    discovery: Discovery,
    snapshot: Snapshot,
    most: int,
) -> tuple[SyncPlan, StructureJob, bool]:
    """Plan to read what changed, and under new settings all, unless that is more than `most`.

    The job has the settings that the index is made with then. In the end, whether unchanged files
    are left as former settings had them.
    """
    planned = partial(
        make_plan,
        job.repository.root,
        discovery.files,
        snapshot=snapshot,
        known=known_files(catalog.connection),
    )
    plan = planned(again=_doubtful(catalog, before.settings, job.settings))
    if not most or before.settings == job.settings:
        return plan, job, False
    is_distrusted = not before.settings  # the next sync reads all, and no question does
    if len(plan.todo) <= most and not is_distrusted:
        return plan, job, False
    partly = replace(job, settings=mixed_digest(before.settings))
    return planned(again=()), partly, not is_distrusted


def _until_done(before: Generation, now: str) -> str:
    """Return the digest of an index some of whose files are made with new settings already."""
    return now if before.settings == now or not before.number else mixed_digest(before.settings)


def _doubtful(catalog: Catalog, before: str, now: str) -> Container[str] | None:
    """Return the files to read anew, whatever they say, under other settings; None is all.

    Where more is called no secret than before, those that secrets were taken out of.
    """
    if before == now:
        return ()
    if not only_adds_exemptions(before, now):
        return None
    return frozenset(files_with_secrets(catalog.connection))


def _seen(root: Path, before: Generation) -> Generation:
    """Note what is checked out, as far as git tells: discovery has noted why it does not."""
    try:
        head = git.head(root) if git.top(root) else git.Head(None, None)
    except GitError:
        head = git.Head(None, None)
    return replace(before, branch=safe_path(head.branch or ""), head=head.commit or "")


def _run(
    job: StructureJob, catalog: Catalog, start: Generation, plan: SyncPlan, discovery: Discovery
) -> StructureResult:
    writer = CatalogWriter(job, catalog, start, (file.path for file in discovery.files))
    writer.remove(plan)
    done: list[PreparedFile] = []
    pool = job.pool()
    killed = pool.killed
    for batch in batch_files(prepare_files(job, pool, plan.todo)):
        writer.write(batch)
        done += (replace(file, symbols=(), chunks=(), identifiers=()) for file in batch)
    _note_stats(catalog, plan, discovery)
    moved = bool(plan.added or plan.removed) or edges_are_stale(catalog.connection)
    link_files(job, catalog, moved=moved)
    update_history(catalog, job.repository.root, start.head)
    snapshot = _remember(job, Snapshot(), plan, done)
    generation = update_statistics(
        job.repository,
        catalog,
        replace(writer.generation, tree=snapshot.root(), settings=job.settings, complete=True),
        table=job.table,
        table_of=job.table_of,
    )
    return replace(
        _result(catalog, generation, plan, discovery),
        unparsed=(*_of(done, "plain"), *_of(done, "indexed")),
        killed=pool.killed - killed,
    )


def _result(
    catalog: Catalog, generation: Generation, plan: SyncPlan, discovery: Discovery
) -> StructureResult:
    failed, skipped = (files_with_status(catalog.connection, one) for one in ("failed", "skipped"))
    return StructureResult(generation, plan, discovery, failed=failed, skipped=skipped)


def link_files(job: StructureJob, catalog: Catalog, *, moved: bool) -> None:
    """Bring what lies between files up to date with the files that are stored.

    Some have `moved` if any came or went: then modules may have other names.
    """
    if moved:
        _note_modules(catalog)
    with Resolvers(
        job.repository.catalog, size=cpu_count(), memory_mb=job.config.limits.memory_mb
    ) as resolvers:
        relate(catalog, resolvers, progress=job.progress)
    update_patterns_and_mentions(catalog, job.config)
    with catalog.writing():
        mark_edges_current(catalog.connection)


def _of(done: Iterable[PreparedFile], status: FileStatus) -> tuple[Skipped, ...]:
    found = (file for file in done if file.status == status and file.reason)
    return tuple(Skipped(one.path, one.reason) for one in sorted(found, key=lambda it: -it.lost))


def _note_stats(catalog: Catalog, plan: SyncPlan, discovery: Discovery) -> None:
    """Record new stats of unchanged content, what discovery left out, and what is to be watched.

    The last comes when all files are stored: what is watched says that nothing is new.
    """
    unlisted = {one.path: str(one.reason) for one in discovery.skipped}
    before = dict(catalog.connection.execute("SELECT path, reason FROM skipped"))
    moved = set(discovery.watched) ^ set(read_watched(catalog.connection))
    if plan.touched or unlisted != before or moved:
        with catalog.writing():
            update_file_stats(catalog.connection, plan.stats)
            if unlisted != before:
                replace_skipped(catalog.connection, discovery.skipped)
            if moved:
                replace_watched(catalog.connection, discovery.watched)


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
    job: StructureJob, before: Snapshot, plan: SyncPlan, done: Iterable[PreparedFile]
) -> Snapshot:
    """Keep the tree as it was read, for the next sync's stats to be compared with."""
    read = (file for file in done if file.digest)
    leaves = dict(plan.leaves) | {
        one.path: Leaf(one.size, one.mtime_ns, one.ctime_ns, one.digest) for one in read
    }
    snapshot = Snapshot(leaves)
    if leaves != before.leaves:
        job.merkle.put(job.repository.key, snapshot.dump())
    return snapshot
