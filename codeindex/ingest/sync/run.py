"""Run the stages of a sync in order.

discover > plan > [workers: read > redact > parse > chunk] > store > learn > link > embed > export.

The workers run `ingest.workers.prepare.prepare_file`; all other stages run in this process.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from codeindex.freshness.stat_cache import Snapshot
from codeindex.ingest.derive.history import update_history
from codeindex.ingest.derive.statistics import (
    have_statistics_drifted,
    update_centrality,
    update_token_statistics,
    without_provisional,
)
from codeindex.ingest.discover.files import discover
from codeindex.ingest.sync.compact import (
    compact_segments,
    has_many_dead_rows,
    merge_small_segments,
)
from codeindex.ingest.sync.compiler_indexes import has_new_compiler_index, read_compiler_indexes
from codeindex.ingest.sync.context import SyncContext
from codeindex.ingest.sync.embedding import embed_chunks
from codeindex.ingest.sync.export import export
from codeindex.ingest.sync.plan import SettingsPlan, SyncPlan, plan_whole_tree
from codeindex.ingest.sync.repair import drop_damaged
from codeindex.ingest.sync.settings_digest import mixed_digest
from codeindex.ingest.sync.structure import (
    StructureResult,
    list_parse_losses,
    record_tree,
    save_snapshot,
    store_files,
    structure_result,
    with_checkout,
)
from codeindex.ingest.sync.unchanged import discovery_inputs, record_discovery, recorded_discovery
from codeindex.store.catalog.connection import Catalog, Generation, translate_sqlite_errors
from codeindex.store.catalog.relations import edges_are_stale
from codeindex.store.orphans import delete_orphans
from codeindex.types import Discovery


@dataclass(frozen=True, slots=True)
class SyncOutcome:
    """What a sync did: its structure phase, the last generation, and the embedded chunks."""

    structure: StructureResult
    generation: Generation
    embedded: int
    finished: bool = True
    """False if the sync stopped because another process waits for the lock."""

    def and_then(self, later: SyncOutcome) -> SyncOutcome:
        """Return the outcome of this sync and a `later` one together, as if they were one.

        It is `later` with the structure of this sync and the sum of embedded chunks.
        """
        return replace(later, structure=self.structure, embedded=self.embedded + later.embedded)


@dataclass(frozen=True, slots=True)
class _TreeState:
    """The state of the tree for a sync: its files now, and the snapshot of the last sync."""

    discovery: Discovery
    snapshot: Snapshot


def run_stages(
    context: SyncContext, notes: list[str], *, structure_only: bool = False
) -> SyncOutcome:
    """Run all stages of a sync on the index of the context.

    The caller holds the writer lock. Sentences for the user are added to `notes`. Raise
    DamagedError if the catalog is damaged.
    """
    path = context.repository.catalog
    with translate_sqlite_errors(path), Catalog.create(path) as catalog:
        notes += drop_damaged(context.repository, catalog)
        structure = sync_structure(context, catalog)
        notes += structure.notes
        embedded, finished = (0, True) if structure_only else embed_chunks(context, catalog)
        if context.shared_vectors:
            context.shared_vectors.flush()
        if embedded or has_many_dead_rows(catalog, catalog.generation()):
            compact_segments(context.repository, catalog, catalog.generation())
        if finished and not structure_only:
            finished = export(context, catalog, structure.plan, notes)
        delete_orphans(context.repository, catalog)
        return SyncOutcome(structure, catalog.generation(), embedded, finished)


def sync_structure(context: SyncContext, catalog: Catalog, *, most: int = 0) -> StructureResult:
    """Run the stages before embedding: files, chunks, symbols, words, edges, token vectors.

    If more than `most` files have to be read, nothing is done; 0 means no limit. If the number
    exceeds `most` only because of new settings, changed files are read under the new settings, and
    the next sync reads all files. With `most`, SCIP indexes and rows of deleted chunks are left for
    the next sync.
    """
    before = catalog.generation()
    inputs = discovery_inputs(context.repository.root)
    if recorded := _unchanged_tree(context, catalog, before, inputs):
        return structure_result(catalog, before, SyncPlan(), recorded)
    result = _sync_discovered(context, catalog, before, most=most)
    if not (result.declined or result.outdated):
        record_discovery(catalog, inputs, result.discovery)
    return result


def _unchanged_tree(
    context: SyncContext, catalog: Catalog, before: Generation, inputs: str
) -> Discovery | None:
    """Return the last discovery if nothing has changed since; None if the tree must be scanned.

    `inputs` is the digest from `discovery_inputs`.
    """
    if (
        not before.complete
        or before.settings != context.settings
        or edges_are_stale(catalog.connection)
        or have_statistics_drifted(before, context.static)
        or with_checkout(context.repository.root, before) != before
        or has_new_compiler_index(context, catalog)
    ):
        return None
    recorded = recorded_discovery(catalog, context.repository.root, inputs)
    if recorded:
        update_history(catalog, context.repository.root, before.head)
    return recorded


def _sync_discovered(
    context: SyncContext, catalog: Catalog, before: Generation, *, most: int
) -> StructureResult:
    """Discover all files, compare them with the catalog, and index what differs.

    `before` is the published generation. Nothing is done if more than `most` files have to be read;
    0 means no limit.
    """
    tree = _TreeState(
        discover(context.repository.root, config=context.config),
        Snapshot.load(context.stat_cache.get(context.repository.key)),
    )
    planned = plan_whole_tree(
        context, catalog, before, tree.discovery.files, snapshot=tree.snapshot, most=most
    )
    plan = planned.plan
    if most and len(plan.todo) > most:
        return StructureResult(
            before, plan, tree.discovery, declined=True, outdated=planned.outdated
        )
    has_news = bool(plan.added or plan.changed or plan.removed)
    has_news = has_news or not before.complete or edges_are_stale(catalog.connection)
    has_news = has_news or (not most and has_new_compiler_index(context, catalog))
    now = with_checkout(context.repository.root, before)
    if not has_news and not planned.outdated:
        now = replace(now, settings=planned.settings)
    if has_news or have_statistics_drifted(before, context.static):
        start = _first_generation(planned, before, now, tree.discovery, has_news=has_news)
        result = _update(context, catalog, start, planned, tree.discovery, most=most)
    else:
        result = _record_unchanged(context, catalog, before, now, planned, tree)
    return replace(result, outdated=planned.outdated)


def _first_generation(
    planned: SettingsPlan,
    before: Generation,
    now: Generation,
    discovery: Discovery,
    *,
    has_news: bool,
) -> Generation:
    """Return the generation to publish with the first batch of a sync; it is not complete.

    `before` is the published generation, `now` the same with the current checkout. `has_news` is
    true if anything will be stored, which needs a new version number.
    """
    is_new = before.number == 0
    # Until all files are done, the digest says that some are stored under other settings.
    settled = before.settings == planned.settings or is_new
    return replace(
        without_provisional(now),
        version=before.version + bool(has_news or is_new),
        complete=False,
        settings=planned.settings if settled else mixed_digest(before.settings),
        discovered=len(discovery.files),
    )


def _update(
    context: SyncContext,
    catalog: Catalog,
    start: Generation,
    planned: SettingsPlan,
    discovery: Discovery,
    *,
    most: int,
) -> StructureResult:
    """Store the files of a plan, then update everything that is derived from stored files.

    `start` is the generation to publish first. What a ranked search needs comes first and the edges
    last, since searches run in the meantime; child processes resolve uses while this one computes
    the token statistics. Segments are merged before later generations are published: the last three
    are kept, and a segment that one of them names cannot be deleted. `most` is that of
    `sync_structure`: if it is not 0, a question waits for the result.
    """
    plan = planned.plan
    stored = store_files(context, catalog, start, plan, (file.path for file in discovery.files))
    record_tree(catalog, plan, discovery)
    renames_modules = bool(plan.added or plan.removed) or edges_are_stale(catalog.connection)
    merge = merge_small_segments if most else compact_segments
    merged = merge(context.repository, catalog, stored.generation)
    is_compiled = not most and has_new_compiler_index(context, catalog)
    notes = read_compiler_indexes(context, catalog) if is_compiled else ()
    from codeindex.ingest.sync.link import linking  # workers read files before it is imported

    with linking(context, catalog, renames_modules=renames_modules) as store_links:
        learned = update_token_statistics(
            context.repository, catalog, merged, static=context.static
        )
        store_links()
    update_history(catalog, context.repository.root, start.head)
    save_snapshot(context, Snapshot(), plan, stored.files)
    generation = update_centrality(
        catalog,
        replace(learned, settings=planned.settings, complete=True),
        many_edges=renames_modules and not most,
    )
    return replace(
        structure_result(catalog, generation, plan, discovery),
        unparsed=list_parse_losses(stored.files),
        killed=stored.killed,
        recorded=sum(file.is_recorded for file in stored.files),
        notes=notes,
    )


def _record_unchanged(
    context: SyncContext,
    catalog: Catalog,
    before: Generation,
    now: Generation,
    planned: SettingsPlan,
    tree: _TreeState,
) -> StructureResult:
    """Store what a scan has found if no file has to be read or removed.

    This is new stats, the git history, and the checkout. `before` is the published generation,
    `now` the one with the current checkout.
    """
    plan, discovery = planned.plan, tree.discovery
    record_tree(catalog, plan, discovery)
    update_history(catalog, context.repository.root, now.head)
    save_snapshot(context, tree.snapshot, plan, ())
    if now != before:
        with catalog.writing():
            now = catalog.publish(now)
    return structure_result(catalog, now, plan, discovery)
