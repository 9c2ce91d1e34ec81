"""A few files brought up to date without a look at the others: what a question waits for.

The outcome is that of a sync, but for what needs the whole: history, drifted statistics, and files
that count for less where there are too many.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from codeindex import git
from codeindex.freshness.merkle import Snapshot
from codeindex.ingest.discover.files import discover
from codeindex.ingest.discover.watched_paths import ancestor_folders
from codeindex.ingest.sync.plan import SyncPlan, make_plan
from codeindex.ingest.sync.structure import StructureResult, link_files
from codeindex.ingest.sync.writer import CatalogWriter, StructureJob, batch_files, prepare_files
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.catalog.files import known_files_at, replace_skipped_at, update_file_stats
from codeindex.store.catalog.relations import edges_are_stale, mark_edges_stale
from codeindex.store.catalog.watched_places import add_watched, delete_watched
from codeindex.types import Discovery, WatchedPath


@dataclass(frozen=True, slots=True)
class IncrementalResult:
    """What became of files that were not as indexed: read, added or dropped, or left for later."""

    read: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    outdated: bool = False
    """Whether unchanged files are as former settings had them."""


def sync_paths(
    job: StructureJob,
    catalog: Catalog,
    paths: Iterable[str] | None,
    *,
    moved: Iterable[WatchedPath] = (),
    most: int,
    related: bool,
) -> IncrementalResult | None:
    """Index what is at and below `paths` now, none of it if that is more than `most` files.

    What is `moved` was seen before and is recorded with it. None if the whole tree must be looked
    at, as for None in place of paths, and for other settings than the index was made with.
    """
    before = catalog.generation()
    part = tuple(dict.fromkeys(path.rstrip("/") for path in paths or ()))
    is_ours = before.settings in {job.settings, ""}  # of one to be read anew, by the next sync
    if paths is None or not (is_ours and _can_be_parted(job, part)):
        return None
    discovery, plan = _planned(job, catalog, part)
    named = (*(one.path for one in plan.todo), *(one.path for one in plan.removed))
    if len(plan.todo) > most:
        return IncrementalResult(left=named)
    if plan.todo or plan.removed:
        _store(job, catalog, before, plan, related=related)
    with catalog.writing():
        update_file_stats(catalog.connection, plan.stats)
        replace_skipped_at(catalog.connection, part, discovery.skipped)
        delete_watched(catalog.connection, part)
        add_watched(catalog.connection, (*moved, *discovery.watched))
    return IncrementalResult(read=named)


def incremental_result(result: StructureResult) -> IncrementalResult:
    """Say of a look at the whole tree what became of the files that had changed."""
    plan = result.plan
    named = (*(one.path for one in plan.todo), *(one.path for one in plan.removed))
    if result.declined:
        return IncrementalResult(left=named, outdated=result.outdated)
    return IncrementalResult(read=named, outdated=result.outdated)


def listing_changes(root: Path, connection: sqlite3.Connection) -> list[str]:
    """Return the files that are indexed and git lists no more, and those that it lists newly."""
    indexed = {path for (path,) in connection.execute("SELECT path FROM files")}
    left_out = {path for (path,) in connection.execute("SELECT path FROM skipped")}
    listed = {raw.decode() for raw in git.files(root) if _is_utf8(raw)}
    new = (
        one
        for one in listed - indexed - left_out
        if left_out.isdisjoint(f"{folder}/" for folder in ancestor_folders([one]))
    )
    return [*(indexed - listed), *new]


def _is_utf8(raw: bytes) -> bool:
    return raw.decode(errors="ignore").encode() == raw


def _can_be_parted(job: StructureJob, part: tuple[str, ...]) -> bool:
    """Tell whether what holds for the part alone holds for it in the whole."""
    if job.config.limits.max_files:
        return False
    root = job.repository.root
    return not any(_is_repository(root / one) for one in (*ancestor_folders(part), *part))


def _is_repository(folder: Path) -> bool:
    """Tell whether a folder is a repository of its own: git knows nothing of what is in it."""
    try:
        mode = os.lstat(folder / ".git").st_mode
    except OSError:
        return False
    return stat.S_ISDIR(mode) or stat.S_ISREG(mode)


def _planned(
    job: StructureJob, catalog: Catalog, part: tuple[str, ...]
) -> tuple[Discovery, SyncPlan]:
    root = job.repository.root
    found = discover(root, config=job.config, subpaths=part) if part else Discovery((), ())
    known = known_files_at(catalog.connection, part)
    return found, make_plan(root, found.files, snapshot=Snapshot(), known=known)


def _store(
    job: StructureJob, catalog: Catalog, before: Generation, plan: SyncPlan, *, related: bool
) -> None:
    moved = bool(plan.added or plan.removed) or edges_are_stale(catalog.connection)
    with catalog.writing():
        mark_edges_stale(catalog.connection)
    start = replace(
        before,
        version=before.version + 1,
        complete=False,
        tree="",
        discovered=before.discovered + len(plan.added) - len(plan.removed),
    )
    known = (path for (path,) in catalog.connection.execute("SELECT path FROM files"))
    writer = CatalogWriter(job, catalog, start, (*known, *(one.path for one in plan.added)))
    writer.remove(plan)
    for batch in batch_files(prepare_files(job, job.pool(), plan.todo)):
        writer.write(batch)
    if before.complete and related:  # else the sync that goes on with the rest does it for all
        link_files(job, catalog, moved=moved)
    with catalog.writing():
        catalog.publish(replace(writer.generation, complete=before.complete))
