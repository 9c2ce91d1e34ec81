"""Find the shortest paths between two groups of nodes by a search from both ends."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from codeindex.store.graph.flow_steps import EdgeStep, FlowStepQuery

_MOST_NODES = 4_000
"""Most nodes that are visited from one end; a path says little if more are within reach."""
_MOST_PATHS = 200
"""Most paths that are compared, because a few hubs multiply the number of paths."""
_COST = {"calls": 0.0, "constructs": 0.0, "overridden": 0.2, "imports": 0.3, "extends": 0.4}
_COST_OF_OTHERS = 0.5
_COST_OF_GUESS = 1.0
"""Added to the cost of a possible step. It exceeds the cost of every kind, so that resolved steps
are preferred."""

_Visited = Mapping[int, list[EdgeStep]]
"""Maps each visited node to the steps that reached it; for starts and goals there are none."""


class Traversal(NamedTuple):
    """The functions with which a search for paths walks the graph.

    `onwards` and `back` return the steps from and to nodes; `allow` returns those nodes that a path
    may visit. If `resolved_only` is true, possible steps are ignored.
    """

    onwards: FlowStepQuery
    back: FlowStepQuery
    allow: Callable[[Collection[int]], set[int]]
    resolved_only: bool


def shortest_paths(
    connection: sqlite3.Connection,
    graph: Traversal,
    starts: Collection[int],
    goals: Collection[int],
    *,
    most: int,
) -> list[tuple[EdgeStep, ...]]:
    """Return all shortest paths from any start to any goal.

    Return [] if they have more than `most` steps.
    """
    if both := set(starts) & set(goals):  # keep a common node at one end only
        starts = set(starts) - both
        goals = goals if starts else set(goals) - both
        starts = starts or both
    visited: tuple[dict[int, list[EdgeStep]], dict[int, list[EdgeStep]]] = (
        {node: [] for node in starts},
        {node: [] for node in goals},
    )
    layers = [set(starts), set(goals)]
    for _ in range(most):
        side = 0 if len(layers[0]) <= len(layers[1]) else 1
        if not layers[side] or len(visited[side]) > _MOST_NODES:
            side = 1 - side
        if not layers[side] or len(visited[side]) > _MOST_NODES:
            break
        layers[side] = _expand(connection, graph, visited[side], layers[side], onwards=side == 0)
        if met := layers[side] & visited[1 - side].keys():
            return list(_join(visited[0], visited[1], sorted(met)))
    return []


def _expand(
    connection: sqlite3.Connection,
    graph: Traversal,
    visited: dict[int, list[EdgeStep]],
    layer: Collection[int],
    *,
    onwards: bool,
) -> set[int]:
    """Take one step from each node of `layer`; return the nodes visited for the first time.

    `visited` maps each visited node to the steps that lead there. With `onwards` false, steps are
    taken backwards.
    """
    reached: dict[int, list[EdgeStep]] = defaultdict(list)
    for step in (graph.onwards if onwards else graph.back)(connection, layer):
        node = step.target if onwards else step.source
        if node not in visited and not (graph.resolved_only and step.certainty != "resolved"):
            reached[node].append(step)
    fresh = graph.allow(reached)
    visited.update((node, reached[node]) for node in fresh)
    return fresh


def _join(left: _Visited, right: _Visited, met: Collection[int]) -> Iterator[tuple[EdgeStep, ...]]:
    """Yield the paths through the nodes `met`, which the searches from both ends have reached."""
    count = 0
    for node in met:
        for head in _heads(left, node):
            for tail in _tails(right, node):
                yield (*head, *tail)
                count += 1
                if count >= _MOST_PATHS:
                    return


def _heads(visited: _Visited, node: int) -> Iterator[tuple[EdgeStep, ...]]:
    if not visited[node]:
        yield ()
    for step in _best_steps(visited[node], by_source=True):
        yield from ((*head, step) for head in _heads(visited, step.source))


def _tails(visited: _Visited, node: int) -> Iterator[tuple[EdgeStep, ...]]:
    if not visited[node]:
        yield ()
    for step in _best_steps(visited[node], by_source=False):
        yield from ((step, *tail) for tail in _tails(visited, step.target))


def _best_steps(steps: list[EdgeStep], *, by_source: bool) -> list[EdgeStep]:
    """Return the cheapest step for each node at one end of the steps.

    With `by_source`, the end is the source, otherwise the target.
    """
    best: dict[int, EdgeStep] = {}
    for step in sorted(steps, key=step_cost):
        best.setdefault(step.source if by_source else step.target, step)
    return list(best.values())


def step_cost(step: EdgeStep) -> float:
    """Return the cost of a step: 0 for a resolved call, more for less likely kinds of steps."""
    guess = _COST_OF_GUESS if step.certainty != "resolved" else 0.0
    return _COST.get(step.kind, _COST_OF_OTHERS) + guess
