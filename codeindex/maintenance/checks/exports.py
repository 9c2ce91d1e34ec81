"""Check the exported vector store and the exported graph against the catalog."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from codeindex.config import environment
from codeindex.errors import DamagedError, StoreError
from codeindex.maintenance.checks.context import REPAIR, CheckContext
from codeindex.store.exports.networkx_graph import build_graph, read_graph
from codeindex.store.exports.vector_store import OpenCollection, is_collection_intact
from codeindex.types.verdicts import Verdict, note, ok, problem

_PROBES = 20
_NEAR = 5
"""Number of results of a probe, because another chunk with the same vector may come first."""
_SAME = 0.99


def check_vector_store(context: CheckContext) -> Iterator[Verdict]:
    """Check the number of rows of the Chroma collection, and query it with about 20 own vectors.

    Each query must return the vector itself or an equal one. Takes 2 s.
    """
    state, repository = context.generation.chroma, context.repository
    if not state:
        yield note("chroma", "not exported; searches scan the vectors")
        return
    text = "the Chroma collection was changed by another program"
    if is_collection_intact(repository.folder, state):
        try:
            with contextlib.closing(
                OpenCollection(repository.folder, state, environment())
            ) as nearest:
                text = _misses(context, nearest)
        except StoreError as error:
            text = str(error).rstrip(".")
    if text:
        yield problem("chroma", text, remedy=REPAIR)
    else:
        yield ok("chroma", f"{state['rows']:,} rows; the vectors of a sample are found")


def _misses(context: CheckContext, nearest: OpenCollection) -> str:
    """Return a clause that names the fault of the Chroma collection, "" if it has none."""
    state = context.generation.chroma
    if state["model"] != context.generation.model:
        return ""  # the next embedding phase builds it again
    count = nearest.count()
    if count != state["rows"]:
        return f"the Chroma collection has {count:,} rows and not {state['rows']:,}"
    vectors = context.vectors("dense")
    known = [
        at for at in vectors.present.nonzero()[0].tolist() if context.live[at] <= state["last"]
    ]
    lost = 0
    for at in known[:: max(1, len(known) // _PROBES)]:
        ids, cosines = nearest.query(vectors.row(at), limit=_NEAR)
        lost += not (len(ids) and (context.live[at] in ids or cosines[0] > _SAME))
    return f"the Chroma collection does not find {lost} of its vectors" if lost else ""


def check_graph(context: CheckContext) -> Iterator[Verdict]:
    """Check that the exported graph has the SHA-256 that the catalog records.

    A deep check also builds the graph again and compares the numbers of nodes and edges, if the
    export is of the current index version.
    """
    state, repository = context.generation.graph, context.repository
    if not state:
        yield note("graph", "not exported; `Index.graph` exports it when needed")
        return
    try:
        graph = read_graph(repository.folder / state["file"], state["digest"])
    except DamagedError as error:
        yield problem("graph", str(error).rstrip("."), remedy=REPAIR)
        return
    if context.deep and state["version"] == context.generation.version:
        again = build_graph(context.catalog, repository=repository.name)
        if (len(again), again.size()) != (len(graph), graph.size()):
            yield problem("graph", "the graph differs from the catalog", remedy=REPAIR)
            return
    yield ok(
        "graph", f"{len(graph):,} nodes, {graph.size():,} edges, of version {state['version']}"
    )
