"""What a question has done before it is answered: a small sync that waits for hardly anybody."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from codeindex.ingest.sync.compact import compact_segments
from codeindex.ingest.sync.incremental import IncrementalResult, incremental_result, sync_paths
from codeindex.ingest.sync.run import SyncContext, delete_unreferenced, make_structure_job
from codeindex.ingest.sync.structure import link_files, sync_structure
from codeindex.store.catalog.connection import Catalog, translate_sqlite_errors
from codeindex.store.locks.owner import lock_owner
from codeindex.store.locks.yielding import is_lock_offered, take_lock
from codeindex.types import WatchedPath

_MANY_SEGMENTS = 24
"""Segments that refreshes leave before they merge any: a sync does so sooner."""
_TURN_SECONDS, _BRIEF_SECONDS = 5.0, 2.0
"""How long a question waits for a process that embeds, since a batch of its model takes under two;
and for one that reads the tree, which is mostly done so long after it began, or takes much longer.
"""


def refresh_index(
    site: SyncContext,
    paths: Sequence[str] | None,
    *,
    moved: Sequence[WatchedPath] = (),
    most: int,
    related: bool,
) -> IncrementalResult:
    """Index some files, or all changed ones, unless more than `most` have to be read.

    Without `related`, edges are left for `link_remaining`. LockedError if another process is
    writing and cannot be interrupted for a moment.
    """
    path, folder = site.repository.catalog, site.repository.folder
    with (
        take_lock(folder, partial(_worth_waiting, folder)),
        translate_sqlite_errors(path),
        Catalog.create(path) as catalog,
    ):
        job = make_structure_job(site)
        taken = sync_paths(job, catalog, paths, moved=moved, most=most, related=related)
        if taken is None:
            taken = incremental_result(sync_structure(job, catalog, most=most))
        if len(catalog.generation().segments) > _MANY_SEGMENTS:
            compact_segments(site.repository, catalog)
            delete_unreferenced(site.repository, catalog)
        return taken


def link_remaining(site: SyncContext) -> None:
    """Create the edges that refreshes have left out; LockedError as for `refresh_index`."""
    path, folder = site.repository.catalog, site.repository.folder
    with (
        take_lock(folder, partial(_worth_waiting, folder)),
        translate_sqlite_errors(path),
        Catalog.create(path) as catalog,
    ):
        before = catalog.generation()
        link_files(make_structure_job(site), catalog, moved=True)
        with catalog.writing():
            catalog.publish(replace(before, version=before.version + 1))


def _worth_waiting(folder: Path) -> float:
    if is_lock_offered(folder):
        return _TURN_SECONDS
    holder = lock_owner(folder)
    written_for = max(0.0, time.time() - holder.since) if holder else 0.0
    return max(0.0, _BRIEF_SECONDS - written_for)
