"""Write the exports, the Chroma collection and the networkx graph, and delete stale files."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from codeindex.config import environment
from codeindex.errors import DamagedError, StoreError
from codeindex.ingest.sync.context import SyncContext
from codeindex.ingest.sync.plan import SyncPlan
from codeindex.store.catalog.connection import Catalog, Generation
from codeindex.store.datadir.home import Repository
from codeindex.store.exports.networkx_graph import build_graph, read_graph, write_graph
from codeindex.store.exports.vector_store import (
    build_collection,
    needs_collection,
)
from codeindex.store.locks.writer_lock import writer_lock
from codeindex.store.locks.yielding import is_lock_requested, offer_lock
from codeindex.store.segments.vectors import live_chunk_ids

if TYPE_CHECKING:
    from codeindex.store.exports.networkx_graph import Graph

_MIN_GRAPH_CHANGE = 0.02
"""Share of changed files above which a sync writes the graph. Pickling takes seconds for large
trees, and `Index.graph` writes a missing graph on demand."""


class _YieldError(Exception):
    """Raised to stop an export because another process waits for the writer lock.

    A later sync continues the export.
    """


def export(context: SyncContext, catalog: Catalog, plan: SyncPlan, notes: list[str]) -> bool:
    """Write the exports of the index; return False if they are not finished.

    They are not finished if another process waits for the writer lock. A failure only adds a
    sentence to `notes`, since search can scan the segments instead.
    """
    repository, generation = context.repository, catalog.generation()
    changed = len(plan.todo) + len(plan.removed)
    if changed > _MIN_GRAPH_CHANGE * max(generation.discovered, 1) or not generation.graph:
        generation = publish_graph(repository, catalog)
    if generation.model and needs_collection(
        generation.chroma, model=generation.model, live=live_chunk_ids(catalog)
    ):
        context.progress("export", 0, 1)
        try:
            with offer_lock(repository.folder):
                state = build_collection(
                    repository.folder,
                    model=generation.model,
                    repository=repository.name,
                    environment=environment(),
                    waiting=lambda: _check_waiting(context),
                )
        except _YieldError:
            return False
        except StoreError as error:
            notes.append(str(error))
            return True
        with catalog.writing():
            catalog.publish(replace(catalog.generation(), chroma=state))
        context.progress("export", 1, 1)
    return True


def _check_waiting(context: SyncContext) -> None:
    context.progress("export", 0, 1)
    if is_lock_requested(context.repository.folder):
        raise _YieldError


def publish_graph(repository: Repository, catalog: Catalog) -> Generation:
    """Pickle the graph of the current generation, and publish its file name and digest."""
    graph = build_graph(catalog, repository=repository.name)
    generation = catalog.generation()
    name = f"graph-{generation.version}-{secrets.token_hex(4)}.pickle"
    digest = write_graph(graph, repository.folder / name)
    state = {
        "file": name,
        "digest": digest,
        "version": generation.version,
        "repository": repository.name,
    }
    with catalog.writing():
        return catalog.publish(replace(generation, graph=state))


def current_graph(repository: Repository, generation: Generation) -> Graph:
    """Return the published graph; first write it anew if it is damaged or out of date."""
    state = generation.graph
    if state and state["version"] == generation.version:
        try:
            return read_graph(repository.folder / state["file"], state["digest"])
        except DamagedError:
            pass  # written again below
    with writer_lock(repository.folder), Catalog.create(repository.catalog) as catalog:
        state = publish_graph(repository, catalog).graph
    return read_graph(repository.folder / state["file"], state["digest"])
