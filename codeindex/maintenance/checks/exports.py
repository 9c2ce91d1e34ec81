"""Whether the Chroma collection and the pickled graph are what was made of the catalog."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from codeindex.config import environment
from codeindex.errors import DamagedError, StoreError
from codeindex.maintenance.checks.context import REPAIR, CheckContext
from codeindex.store.exports import chroma
from codeindex.store.exports.networkx_graph import build_graph, read_graph
from codeindex.store.segments.vectors import Vectors
from codeindex.types.verdicts import Verdict, note, ok, problem

_PROBES = 20
_NEAR = 5
"""Answers to a probe: another text of the same vector may come first."""
_SAME = 0.99


def check_chroma(one: CheckContext) -> Iterator[Verdict]:
    """Count its rows and ask for some vectors by themselves, in a child of two seconds."""
    state, repository = one.generation.chroma, one.site.repository
    if not state:
        yield note("chroma", "not exported; searches do without")
        return
    text = "the Chroma collection is not as it was left"
    if chroma.is_whole(repository.folder, state):
        try:
            with contextlib.closing(
                chroma.Nearest(repository.folder, state, environment())
            ) as nearest:
                text = _misses(one, nearest)
        except StoreError as error:
            text = str(error).rstrip(".")
    if text:
        yield problem("chroma", text, remedy=REPAIR)
    else:
        yield ok("chroma", f"{state['rows']:,} rows, each probe finds itself")


def _misses(one: CheckContext, nearest: chroma.Nearest) -> str:
    """Say what the collection lacks; nothing if nothing is."""
    state = one.generation.chroma
    if state["model"] != one.generation.model:
        return ""  # made anew by the next embedding phase
    count = nearest.count()
    if count != state["rows"]:
        return f"the Chroma collection has {count:,} rows and not {state['rows']:,}"
    folder = one.site.repository.segments
    vectors = Vectors(folder, one.generation.of_kind("dense"), one.live)
    known = [at for at in vectors.present.nonzero()[0].tolist() if one.live[at] <= state["last"]]
    lost = 0
    for at in known[:: max(1, len(known) // _PROBES)]:
        ids, cosines = nearest.query(vectors.row(at), limit=_NEAR)
        lost += not (len(ids) and (one.live[at] in ids or cosines[0] > _SAME))
    return f"the Chroma collection does not find {lost} of its vectors" if lost else ""


def check_graph(one: CheckContext) -> Iterator[Verdict]:
    """Compare its digest; deep, and if it is of this state, its nodes and edges too."""
    state, repository = one.generation.graph, one.site.repository
    if not state:
        yield note("graph", "not exported; `Index.graph` does it when asked")
        return
    try:
        graph = read_graph(repository.folder / state["file"], state["digest"])
    except DamagedError as error:
        yield problem("graph", str(error).rstrip("."), remedy=REPAIR)
        return
    if one.deep and state["version"] == one.generation.version:
        again = build_graph(one.catalog, repository=repository.name)
        if (len(again), again.size()) != (len(graph), graph.size()):
            yield problem("graph", "the graph is not that of the catalog", remedy=REPAIR)
            return
    yield ok(
        "graph", f"{len(graph):,} nodes, {graph.size():,} edges, of version {state['version']}"
    )
