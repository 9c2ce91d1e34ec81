"""A sync, top to bottom: structure, then vectors, then what is derived from them."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codeindex.config import Config, environment
from codeindex.embed.encoder import Encoder
from codeindex.embed.lock import Model
from codeindex.errors import DamagedError, StoreError, SupersededError
from codeindex.ingest.sync import rebuild as replacement
from codeindex.ingest.sync.compact import compact_segments
from codeindex.ingest.sync.embedding import EmbeddingJob, embed_pending
from codeindex.ingest.sync.progress import log_sync, reporting_phases, unparsed_note
from codeindex.ingest.sync.repair import drop_damaged, move_catalog_aside
from codeindex.ingest.sync.salvage_embeddings import salvage_embeddings
from codeindex.ingest.sync.settings_digest import settings_digest
from codeindex.ingest.sync.structure import StructureResult, sync_structure
from codeindex.ingest.sync.writer import StructureJob, SyncProgress
from codeindex.ingest.workers.pool import WorkerPool, WorkerSettings
from codeindex.store.cache.caches import EmbeddingCache, MerkleCache
from codeindex.store.catalog.connection import Catalog, Generation, translate_sqlite_errors
from codeindex.store.datadir.home import Repository, fingerprint_key_file
from codeindex.store.exports.networkx_graph import GRAPH_EXPORT
from codeindex.store.exports.vector_store import VECTOR_STORE
from codeindex.store.locks.writer_lock import SetPhase, writer_lock
from codeindex.store.locks.yielding import (
    is_lock_requested,
    offer_lock,
    take_lock,
    wait_for_requests,
)
from codeindex.store.segments.vectors import delete_unlisted_segments, live_chunk_ids
from codeindex.store.shadow_index import published_state
from codeindex.types import SyncReport

if TYPE_CHECKING:
    from codeindex.store.exports.networkx_graph import Graph


_GRAPH_FILES = 0.02
"""Share of files that a sync must have touched to write the graph anew; `Index.graph` does it on
demand otherwise."""

_BACK_SECONDS = 600.0
"""How long a sync that made way waits until it can go on."""


@dataclass(frozen=True, slots=True)
class SyncContext:
    """A repository with everything that a sync of it needs; caches and pool stay open with it."""

    repository: Repository
    config: Config
    encoder: Encoder | None
    merkle: MerkleCache
    embeddings: EmbeddingCache
    pool: Callable[[WorkerSettings], WorkerPool]
    progress: SyncProgress
    chosen_for: str | None = None
    """The identity of the model of the published vectors when the encoder was chosen; None does not
    ask."""


def sync_repository(
    site: SyncContext,
    *,
    structure_only: bool = False,
    rebuild: bool = False,
    wait_seconds: float = 0.0,
) -> SyncReport:
    """Bring the index up to date; LockedError if another process is still doing it by then.

    SupersededError if it has been given another model since the site's was chosen.
    """
    started = time.monotonic()
    notes: list[str] = []
    folder = site.repository.folder
    with _turn(site, structure_only=structure_only, wait_seconds=wait_seconds) as tell:
        mine = replace(site, progress=reporting_phases(site.progress, tell))
        if rebuild and site.repository.catalog.exists():
            done = _rebuilt(mine, notes, structure_only=structure_only)
        else:
            done = sync_or_rebuild(mine, notes, structure_only=structure_only)
    while not done.whole:  # somebody wanted the lock for a moment
        wait_for_requests(folder)
        with writer_lock(folder, wait_seconds=_BACK_SECONDS) as tell:
            mine = replace(
                site,
                chosen_for=done.generation.model,
                progress=reporting_phases(site.progress, tell),
            )
            done = done.and_then(sync_or_rebuild(mine, notes, structure_only=structure_only))
    report = _report(site, done, notes, time.monotonic() - started)
    log_sync(report, notes)
    return report


def _turn(
    site: SyncContext, *, structure_only: bool, wait_seconds: float
) -> contextlib.AbstractContextManager[SetPhase]:
    """Take the writer lock; who embeds makes way for a structure that somebody waits for."""

    def waiting() -> None:
        site.progress("waiting", 0, 0)

    folder = site.repository.folder
    if structure_only and wait_seconds:
        return take_lock(folder, lambda: wait_seconds, waiting)
    return writer_lock(folder, wait_seconds=wait_seconds, waiting=waiting)


@dataclass(frozen=True, slots=True)
class SyncOutcome:
    """What the phases have come to."""

    result: StructureResult
    generation: Generation
    embedded: int
    whole: bool = True
    """False if it stopped for somebody else's sake."""

    def and_then(self, more: SyncOutcome) -> SyncOutcome:
        """Return what both syncs did together, as far as it is counted."""
        return replace(more, result=self.result, embedded=self.embedded + more.embedded)


def sync_or_rebuild(
    site: SyncContext, notes: list[str], *, structure_only: bool = False
) -> SyncOutcome:
    """Sync the index in place, or a new one if it is broken; the caller holds its lock."""
    _check_choice(site)
    replacement.discard_rebuild(site.repository)
    try:
        return _synced(site, notes, structure_only=structure_only)
    except DamagedError as error:
        salvage_embeddings(site.repository, site.embeddings)
        aside = move_catalog_aside(site.repository)
        notes.append(f"{error} It was moved to '{aside}' and rebuilt.")
        return _synced(site, notes, structure_only=structure_only)


def _check_choice(site: SyncContext) -> None:
    """Refuse to go on with the model of before an upgrade that somebody else has ended."""
    if site.chosen_for is not None and published_state(site.repository).model != site.chosen_for:
        raise SupersededError(
            f"{site.repository.name} has been given another model meanwhile: do it again."
        )


def _rebuilt(site: SyncContext, notes: list[str], *, structure_only: bool) -> SyncOutcome:
    """Make a new index beside the old one, which answers until the last moment."""
    salvage_embeddings(site.repository, site.embeddings)
    fresh = replacement.begin_rebuild(site.repository)
    apart = replace(site, repository=fresh)  # nobody can wish for anything there
    done = _synced(apart, notes, structure_only=structure_only)
    replacement.replace_index(site.repository, fresh)
    replacement.discard_rebuild(site.repository)
    with (
        translate_sqlite_errors(site.repository.catalog),
        Catalog.create(site.repository.catalog) as catalog,
    ):
        delete_unreferenced(site.repository, catalog)
    return done


def _synced(site: SyncContext, notes: list[str], *, structure_only: bool) -> SyncOutcome:
    """Run the phases; DamagedError, at any point, if the catalog turns out to be broken."""
    path = site.repository.catalog
    with translate_sqlite_errors(path), Catalog.create(path) as catalog:
        notes += drop_damaged(site.repository, catalog)
        result = sync_structure(make_structure_job(site), catalog)
        embedded, whole = (0, True) if structure_only else _embed(site, catalog)
        if result.plan.todo or result.plan.removed or embedded:
            compact_segments(site.repository, catalog)
        if whole and not structure_only:
            whole = _derive(site, catalog, result, notes)
        delete_unreferenced(site.repository, catalog)
        return SyncOutcome(result, catalog.generation(), embedded, whole)


def make_structure_job(site: SyncContext) -> StructureJob:
    """Return what the structure phase of a sync works on and with."""
    encoder = site.encoder
    tokenizer = encoder.tokenizer_file if encoder else None
    settings = WorkerSettings(
        root=site.repository.root,
        tokenizer=str(tokenizer or ""),
        limits=site.config.limits,
        secrets=site.config.secrets,
        secret_patterns=site.config.secret_patterns,
        fingerprint_key=fingerprint_key_file(site.repository.folder.parents[1]),
    )
    return StructureJob(
        repository=site.repository,
        config=site.config,
        settings=settings_digest(site.config, tokenizer),
        merkle=site.merkle,
        pool=lambda: site.pool(settings),
        table=encoder.table() if encoder else None,
        table_of=f"{encoder.model.id}@{encoder.model.fingerprint[:16]}" if encoder else "",
        progress=site.progress,
    )


def _embed(site: SyncContext, catalog: Catalog) -> tuple[int, bool]:
    """Run the embedding phase, if there is a model and anything to embed, until it is wished."""
    if site.encoder is None:
        return 0, True
    model = site.encoder.model
    job = EmbeddingJob(
        repository=site.repository,
        model=model_identity(model, site.config),
        dimension=model.dimension,
        embedder=site.encoder.embedder,
        cache=site.embeddings,
        max_tokens=site.config.embedding.max_tokens,
        progress=site.progress,
        is_wished=lambda: is_lock_requested(site.repository.folder),
    )
    with offer_lock(site.repository.folder):
        return embed_pending(job, catalog)


def model_identity(model: Model, config: Config) -> str:
    """Name all that decides a vector: `id@digest/max_tokens`."""
    return f"{model.id}@{model.fingerprint[:16]}/{config.embedding.max_tokens}"


class _WishedError(Exception):
    """Somebody waits for the writer lock: what is derived can be made later."""


def _derive(site: SyncContext, catalog: Catalog, result: StructureResult, notes: list[str]) -> bool:
    """Write what other programs and algorithms read; a failure here costs no search anything.

    False if it made way for somebody who waits for the lock.
    """
    repository, generation = site.repository, catalog.generation()
    touched = len(result.plan.todo) + len(result.plan.removed)
    if touched > _GRAPH_FILES * max(generation.discovered, 1) or not generation.graph:
        generation = publish_graph(repository, catalog)
    live = live_chunk_ids(catalog)
    newest = int(live[-1]) if len(live) else 0
    if generation.model and VECTOR_STORE.needs_update(
        generation.chroma, model=generation.model, live=len(live), newest=newest
    ):
        site.progress("export", 0, 1)
        try:
            with offer_lock(repository.folder):
                state = VECTOR_STORE.build(
                    repository.folder,
                    model=generation.model,
                    repository=repository.name,
                    environment=environment(),
                    waiting=lambda: _await_export(site),
                )
        except _WishedError:
            return False
        except StoreError as error:
            notes.append(str(error))
            return True
        with catalog.writing():
            catalog.publish(replace(catalog.generation(), chroma=state))
        site.progress("export", 1, 1)
    return True


def _await_export(site: SyncContext) -> None:
    site.progress("export", 0, 1)
    if is_lock_requested(site.repository.folder):
        raise _WishedError


def publish_graph(repository: Repository, catalog: Catalog) -> Generation:
    """Pickle the graph of the current state and publish its digest."""
    graph = GRAPH_EXPORT.build(catalog, repository=repository.name)
    generation = catalog.generation()
    name = f"graph-{generation.version}-{secrets.token_hex(4)}.pickle"
    digest = GRAPH_EXPORT.write(graph, repository.folder / name)
    state = {
        "file": name,
        "digest": digest,
        "version": generation.version,
        "repository": repository.name,
    }
    with catalog.writing():
        return catalog.publish(replace(generation, graph=state))


def current_graph(repository: Repository, generation: Generation) -> Graph:
    """Return the published graph if it is whole and of this version, else write it again."""
    state = generation.graph
    if state and state["version"] == generation.version:
        try:
            return GRAPH_EXPORT.read(repository.folder / state["file"], state["digest"])
        except DamagedError:
            pass  # rebuilt below
    with writer_lock(repository.folder), Catalog.create(repository.catalog) as catalog:
        state = publish_graph(repository, catalog).graph
    return GRAPH_EXPORT.read(repository.folder / state["file"], state["digest"])


def delete_unreferenced(repository: Repository, catalog: Catalog) -> None:
    """Delete files that no kept generation names."""
    kept = catalog.kept_generations()
    delete_unlisted_segments(repository.segments, [one for state in kept for one in state.segments])
    collections = [state.chroma["path"] for state in kept if state.chroma]
    VECTOR_STORE.delete_unlisted(repository.folder, collections)
    graphs = {state.graph["file"] for state in kept if state.graph}
    statistics = {state.statistics.get("file") for state in kept}
    for path in (*repository.folder.glob("graph-*"), *repository.segments.glob("statistics-*")):
        if path.name not in graphs | statistics:
            path.unlink(missing_ok=True)


def _report(site: SyncContext, done: SyncOutcome, notes: list[str], seconds: float) -> SyncReport:
    result, generation = done.result, done.generation
    plan, discovery = result.plan, result.discovery
    left = {one.path for one in (*result.failed, *result.skipped)}
    return SyncReport(
        repo=site.repository.name,
        added=sum(one.path not in left for one in plan.added),
        changed=sum(one.path not in left for one in plan.changed),
        removed=len(plan.removed),
        failed=result.failed,
        skipped=(*discovery.skipped, *result.skipped),
        embedded=done.embedded,
        seconds=seconds,
        version=generation.version,
        model=generation.model,
        notes=(*discovery.notes, *notes, *unparsed_note(result.unparsed)),
        killed=result.killed,
    )
