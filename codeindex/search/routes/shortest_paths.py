"""Shortest paths between two groups of nodes of the graph, looked for from both ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from codeindex.store.graph.flow_steps import EdgeStep, FlowStepQuery

if TYPE_CHECKING:
    import sqlite3

_MOST_NODES = 4_000
"""Nodes that are seen from one end: where more are within reach, whatever is found says little."""
_MOST_PATHS = 200
"""Paths that are compared: a few hubs can multiply them without end."""


class Traversal(NamedTuple):
    """How to step on and back, which nodes may be stepped on, and whether guesses count."""

    onwards: FlowStepQuery
    back: FlowStepQuery
    open_of: Callable[[Collection[int]], set[int]]
    certain: bool


def shortest_paths(
    connection: sqlite3.Connection,
    ways: Traversal,
    starts: Collection[int],
    goals: Collection[int],
    *,
    hops: int,
) -> list[tuple[EdgeStep, ...]]:
    """Return paths of the fewest steps from any start to any goal, at most `hops` long."""
    if both := set(starts) & set(goals):  # what is both is no way: one end gives it up
        starts = set(starts) - both
        goals = goals if starts else set(goals) - both
        starts = starts or both
    seen: tuple[dict[int, list[EdgeStep]], dict[int, list[EdgeStep]]] = (
        {one: [] for one in starts},
        {one: [] for one in goals},
    )
    layers = [set(starts), set(goals)]
    for _ in range(hops):
        side = 0 if len(layers[0]) <= len(layers[1]) else 1
        if not layers[side] or len(seen[side]) > _MOST_NODES:
            side = 1 - side
        if not layers[side] or len(seen[side]) > _MOST_NODES:
            break
        layers[side] = _grow(connection, ways, seen[side], layers[side], onwards=side == 0)
        if met := layers[side] & seen[1 - side].keys():
            return list(_joined(seen[0], seen[1], sorted(met)))
    return []


def _grow(
    connection: sqlite3.Connection,
    ways: Traversal,
    seen: dict[int, list[EdgeStep]],
    layer: Collection[int],
    *,
    onwards: bool,
) -> set[int]:
    """Take one step from a layer; return the nodes that nobody had been at."""
    found: dict[int, list[EdgeStep]] = defaultdict(list)
    for step in (ways.onwards if onwards else ways.back)(connection, layer):
        new = step.target if onwards else step.source
        if new not in seen and not (ways.certain and step.certainty != "resolved"):
            found[new].append(step)
    fresh = ways.open_of(found)
    seen.update((one, found[one]) for one in fresh)
    return fresh


def _joined(
    left: Mapping[int, list[EdgeStep]], right: Mapping[int, list[EdgeStep]], met: Collection[int]
) -> Iterator[tuple[EdgeStep, ...]]:
    count = 0
    for one in met:
        for head in _heads(left, one):
            for tail in _tails(right, one):
                yield (*head, *tail)
                count += 1
                if count >= _MOST_PATHS:
                    return


def _heads(seen: Mapping[int, list[EdgeStep]], node: int) -> Iterator[tuple[EdgeStep, ...]]:
    if not seen[node]:
        yield ()
    for step in _one_each(seen[node], by_source=True):
        yield from ((*head, step) for head in _heads(seen, step.source))


def _tails(seen: Mapping[int, list[EdgeStep]], node: int) -> Iterator[tuple[EdgeStep, ...]]:
    if not seen[node]:
        yield ()
    for step in _one_each(seen[node], by_source=False):
        yield from ((step, *tail) for tail in _tails(seen, step.target))


def _one_each(steps: list[EdgeStep], *, by_source: bool) -> list[EdgeStep]:
    """Of several steps between the same two nodes, the surest: a call before a reference."""
    best: dict[int, EdgeStep] = {}
    for one in sorted(steps, key=step_cost):
        best.setdefault(one.source if by_source else one.target, one)
    return list(best.values())


_DOUBT = {"calls": 0.0, "constructs": 0.0, "overridden": 0.2, "imports": 0.3, "extends": 0.4}


def step_cost(step: EdgeStep) -> float:
    """Tell how much speaks against a step being on the way that is meant: 0 for a certain call."""
    return _DOUBT.get(step.kind, 0.5) + (1.0 if step.certainty != "resolved" else 0.0)
