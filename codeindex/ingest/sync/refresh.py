"""Refresh an index before a query is answered: a small sync with short waits."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from codeindex.ingest.sync.compact import merge_small_segments
from codeindex.ingest.sync.context import SyncContext
from codeindex.ingest.sync.incremental import IncrementalResult, incremental_result, sync_paths
from codeindex.ingest.sync.run import sync_structure
from codeindex.store.catalog.connection import Catalog, translate_sqlite_errors
from codeindex.store.locks.owner import lock_owner
from codeindex.store.locks.yielding import is_lock_offered, take_lock
from codeindex.store.orphans import delete_orphans
from codeindex.types import SourceFile, WatchedPath

_MAX_SEGMENTS = 24
"""Most segments before a refresh merges them: eight of each of three kinds, as many as a sync
leaves."""
_EMBEDDING_WAIT_SECONDS = 5.0
"""Seconds that a question waits for a process that embeds; the process yields after a batch, in
under two seconds."""
_READING_WAIT_SECONDS = 2.0
"""Seconds that a question waits for a process that reads the tree, from the start of that process:
most refreshes take less, and a full sync takes much longer."""


def refresh_index(
    context: SyncContext,
    paths: Sequence[str] | None,
    *,
    moved: Sequence[WatchedPath] = (),
    most: int,
    related: bool,
) -> IncrementalResult:
    """Index the files at and below `paths`, or all changed files if `paths` is None.

    Index nothing if more than `most` have to be read. `moved` are watched paths with new times.
    Without `related`, edges are left for `link_remaining`. Raise LockedError if another process is
    writing and does not yield the lock in time.
    """
    with _locked_catalog(context) as catalog:
        result = sync_paths(context, catalog, paths, moved=moved, most=most, related=related)
        if result is None:
            result = incremental_result(sync_structure(context, catalog, most=most))
        generation = catalog.generation()
        if len(generation.segments) > _MAX_SEGMENTS:
            merge_small_segments(context.repository, catalog, generation)
            delete_orphans(context.repository, catalog)
        return result


def warm_up(context: SyncContext, files: Iterable[SourceFile]) -> None:
    """Start a worker process and let it parse `files`, as a refresh would; store nothing."""
    for _ in context.worker_pool().prepare(files):
        pass


def link_remaining(context: SyncContext) -> None:
    """Create the edges that refreshes have left out.

    Raise LockedError if another process is writing and does not yield the lock in time.
    """
    from codeindex.ingest.sync.link import link_files  # most questions need no edges

    with _locked_catalog(context) as catalog:
        before = catalog.generation()
        link_files(context, catalog, renames_modules=True)
        with catalog.writing():
            catalog.publish(replace(before, version=before.version + 1))


@contextmanager
def _locked_catalog(context: SyncContext) -> Iterator[Catalog]:
    path, folder = context.repository.catalog, context.repository.folder
    with (
        take_lock(folder, partial(_wait_seconds, folder)),
        translate_sqlite_errors(path),
        Catalog.create(path) as catalog,
    ):
        yield catalog


def _wait_seconds(folder: Path) -> float:
    if is_lock_offered(folder):
        return _EMBEDDING_WAIT_SECONDS
    holder = lock_owner(folder)
    elapsed = max(0.0, time.time() - holder.since) if holder else 0.0
    return max(0.0, _READING_WAIT_SECONDS - elapsed)
