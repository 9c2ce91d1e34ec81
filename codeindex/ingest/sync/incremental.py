"""Sync a few files before a query is answered, without scanning the rest of the tree.

The result equals that of a full sync, except for history, drifted statistics and
`limits.max_files`, which need the whole tree.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from codeindex import git
from codeindex.files.folders import has_entries
from codeindex.freshness.stat_cache import Snapshot
from codeindex.ingest.discover.file_filter import FileFilter, possible_outputs
from codeindex.ingest.discover.files import discover
from codeindex.ingest.discover.watched_paths import ancestor_folders
from codeindex.ingest.sync.context import SyncContext
from codeindex.ingest.sync.plan import SyncPlan, make_plan
from codeindex.ingest.sync.structure import StructureResult, store_files
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.catalog.files import known_files_at, list_paths
from codeindex.store.catalog.relations import edges_are_stale, mark_edges_stale
from codeindex.store.catalog.skipped_files import read_file_state, replace_skipped_at, skip_reasons
from codeindex.store.catalog.watched_places import add_watched, delete_watched
from codeindex.store.catalog.write_files import update_file_stats
from codeindex.types import Discovery, SkipReason, WatchedPath


@dataclass(frozen=True, slots=True)
class IncrementalResult:
    """The paths that were updated or removed (`read`), and paths left for a later sync (`left`)."""

    read: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    outdated: bool = False
    """Whether unchanged files are still indexed under former settings."""


def sync_paths(
    context: SyncContext,
    catalog: Catalog,
    paths: Iterable[str] | None,
    *,
    moved: Iterable[WatchedPath] = (),
    most: int,
    related: bool,
) -> IncrementalResult | None:
    """Index the files at and below `paths`, unless more than `most` files have to be read.

    `moved` are watched paths with new times, which are recorded. Without `related`, the edges are
    left for `link_remaining`. Return None if the whole tree has to be scanned: because `paths` is
    None, because the index was made with other settings, or because `paths` cannot be discovered
    without the rest of the tree, or because a folder became build output or ceased to be it.
    """
    before = catalog.generation()
    subpaths = tuple(dict.fromkeys(path.rstrip("/") for path in paths or ()))
    has_same_settings = before.settings in {
        context.settings,
        "",
    }  # '': the next sync reads all files
    if paths is None or not (has_same_settings and _is_separable(context, subpaths)):
        return None
    moved = tuple(moved)
    if _outputs_changed(context, catalog, subpaths, moved):
        return None
    discovery, plan = _plan_subpaths(context, catalog, subpaths)
    if len(plan.todo) > most:
        return IncrementalResult(left=plan.paths)
    if plan.todo or plan.removed:
        _store(context, catalog, before, plan, related=related)
    with catalog.writing():
        update_file_stats(catalog.connection, plan.stats)
        replace_skipped_at(catalog.connection, subpaths, discovery.skipped)
        delete_watched(catalog.connection, subpaths)
        add_watched(catalog.connection, (*moved, *discovery.watched))
    return IncrementalResult(read=plan.paths)


def incremental_result(result: StructureResult) -> IncrementalResult:
    """Convert the result of a structure phase over the whole tree to an IncrementalResult."""
    paths = result.plan.paths
    if result.declined:
        return IncrementalResult(left=paths, outdated=result.outdated)
    return IncrementalResult(read=paths, outdated=result.outdated)


def listing_changes(root: Path, connection: sqlite3.Connection) -> list[str]:
    """Return the paths that are in git's list of files but not in the index, or the reverse.

    Paths that discovery left out do not count as new.
    """
    indexed = set(list_paths(connection))
    skipped = skip_reasons(connection).keys()
    listed = {raw.decode() for raw in git.list_files(root) if _is_utf8(raw)}
    new = (
        path
        for path in listed - indexed - skipped
        if skipped.isdisjoint(f"{folder}/" for folder in ancestor_folders([path]))
    )
    return [*(indexed - listed), *new]


def _is_utf8(raw: bytes) -> bool:
    return raw.decode(errors="ignore").encode() == raw


def _is_separable(context: SyncContext, subpaths: tuple[str, ...]) -> bool:
    """Tell whether discovery of `subpaths` alone finds the files in them that a full one finds.

    The result is False if the number of files is limited, if one of `subpaths` is in a nested
    repository, or if it may be in a submodule.
    """
    if context.config.limits.max_files:
        return False
    root = context.repository.root
    above = ancestor_folders(subpaths)
    if (root / ".gitmodules").exists() and not all(has_entries(root / folder) for folder in above):
        return False  # a submodule that is not checked out is empty
    return not any(_is_repository(root / path) for path in (*above, *subpaths))


def _outputs_changed(
    context: SyncContext, catalog: Catalog, subpaths: Iterable[str], moved: Iterable[WatchedPath]
) -> bool:
    """Tell whether a folder near the changes became build output, or is none any more.

    The files beside a folder decide that: a new `Cargo.toml` makes `target` build output.
    """
    root, connection = context.repository.root, catalog.connection
    folders = {watched.path for watched in moved if watched.kind == "folder"}
    file_filter = FileFilter(root, context.config)
    for folder in possible_outputs(root, {"", *folders, *ancestor_folders(subpaths)}):
        if not file_filter.is_output(folder):
            if read_file_state(connection, f"{folder}/").reason == SkipReason.BUILT:
                return True
        elif not all(map(file_filter.may_index, known_files_at(connection, (folder,)))):
            return True
    return False


def _is_repository(folder: Path) -> bool:
    """Tell whether a folder is a nested repository; git does not list the files in it."""
    try:
        mode = os.lstat(folder / ".git").st_mode
    except OSError:
        return False
    return stat.S_ISDIR(mode) or stat.S_ISREG(mode)


def _plan_subpaths(
    context: SyncContext, catalog: Catalog, subpaths: tuple[str, ...]
) -> tuple[Discovery, SyncPlan]:
    root = context.repository.root
    discovery = Discovery((), ())
    if subpaths:
        discovery = discover(root, config=context.config, subpaths=subpaths)
    known = known_files_at(catalog.connection, subpaths)
    return discovery, make_plan(root, discovery.files, snapshot=Snapshot(), known=known)


def _store(
    context: SyncContext, catalog: Catalog, before: Generation, plan: SyncPlan, *, related: bool
) -> None:
    """Store a plan's files as the version after `before`, with edges if `related`."""
    renames_modules = bool(plan.added or plan.removed) or edges_are_stale(catalog.connection)
    with catalog.writing():
        mark_edges_stale(catalog.connection)
    start = replace(
        before,
        version=before.version + 1,
        complete=False,
        discovered=before.discovered + len(plan.added) - len(plan.removed),
    )
    paths = chain(list_paths(catalog.connection), (file.path for file in plan.added))
    stored = store_files(context, catalog, start, plan, paths)
    if before.complete and related:  # else the sync that reads the other files updates the edges
        from codeindex.ingest.sync.link import link_files  # a search after an edit needs no edges

        link_files(context, catalog, renames_modules=renames_modules)
    with catalog.writing():
        catalog.publish(replace(stored.generation, complete=before.complete))
