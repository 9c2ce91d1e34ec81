"""Describe by edges and short paths how the definitions of an answer are connected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import permutations
from typing import TYPE_CHECKING

from codeindex.ask.extract import Citation, Sentence
from codeindex.ask.question import WeightedQuestion
from codeindex.search.routes.shortest_paths import Traversal, shortest_paths
from codeindex.store.catalog.file_columns import file_paths
from codeindex.store.graph.flow_steps import EdgeStep, steps_from, steps_to
from codeindex.store.graph.links import links_from, links_to
from codeindex.store.symbols.lookups import non_test_symbols
from codeindex.store.symbols.nodes import symbols_by_id
from codeindex.types import OWNER_KINDS, Neighbor, Node

if TYPE_CHECKING:
    import sqlite3

_MOST_USERS, _MOST_USED, _MOST_BETWEEN = 3, 3, 3
"""Most users and most callees in a sentence; most sentences about edges between definitions."""
_MOST_STEPS = 4
"""Most steps of a path: a longer path says little about the definitions at its ends."""
_MOST_CONNECTED = 3
"""Most definitions between which paths are searched: every pair takes a search."""
_KINDS = ("calls", "extends")


def connection_sentences(
    connection: sqlite3.Connection, nodes: Sequence[Node], question: WeightedQuestion
) -> list[Sentence]:
    """Describe edges and paths between definitions, then users and calls of the first one."""
    if not nodes:
        return []
    between = list(_between(connection, nodes))
    cited = {(place.path, place.line) for sentence in between for place in sentence.citations}
    return [
        *between[:_MOST_BETWEEN],
        *_users(connection, nodes[0], cited),
        *_used(connection, nodes[0], question, cited),
    ]


def _between(connection: sqlite3.Connection, nodes: Sequence[Node]) -> Iterator[Sentence]:
    """Yield the direct edges between definitions, then paths between the unconnected ones."""
    by_id = {node.id: node for node in nodes if node.id}
    connected: set[frozenset[int]] = set()
    for node in by_id.values():
        for link in links_from(connection, node, *_KINDS):
            other = link.node
            if other is None or other.id not in by_id or other.id == node.id:
                continue
            pair = frozenset((node.id, other.id))
            if (
                link.certainty == "resolved"
                and pair not in connected
                and not _contains(node, other)
            ):
                connected.add(pair)
                yield _edge_sentence(node, other, link)
    yield from _paths(connection, list(by_id.values())[:_MOST_CONNECTED], connected)


def _contains(outer: Node, inner: Node) -> bool:
    """Return whether `inner` is defined inside `outer`; its qualified name says so already."""
    return outer.file_id == inner.file_id and inner.qualified.startswith(f"{outer.qualified}.")


def _edge_sentence(node: Node, other: Node, link: Neighbor) -> Sentence:
    place = Citation(node.path, link.lines[0], other.name)
    return Sentence(f"`{node.qualified}` {link.kind} `{other.qualified}`", (place,), "connection")


def _paths(
    connection: sqlite3.Connection, nodes: Sequence[Node], connected: set[frozenset[int]]
) -> Iterator[Sentence]:
    """Yield a sentence for the shortest path between two definitions that no edge connects."""
    allow = partial(non_test_symbols, connection)
    graph = Traversal(steps_from, steps_to, allow, resolved_only=True)
    for start, goal in permutations(nodes, 2):
        if frozenset((start.id, goal.id)) in connected:
            continue
        paths = shortest_paths(connection, graph, [start.id], [goal.id], most=_MOST_STEPS)
        if paths and len(paths[0]) > 1:
            connected.add(frozenset((start.id, goal.id)))
            yield _path_sentence(connection, paths[0])


def _path_sentence(connection: sqlite3.Connection, path: Sequence[EdgeStep]) -> Sentence:
    ids = [path[0].source, *(step.target for step in path)]
    nodes = {node.id: node for node in symbols_by_id(connection, ids)}
    files = file_paths(connection)
    shown = " → ".join(f"`{nodes[node].qualified}`" for node in ids)
    places = tuple(Citation(files[step.file], step.line, nodes[step.target].name) for step in path)
    first, last = (nodes[node].qualified for node in (ids[0], ids[-1]))
    return Sentence(f"`{first}` leads to `{last}`: {shown}", places, "connection")


def _users(
    connection: sqlite3.Connection, node: Node, cited: set[tuple[str, int]]
) -> Iterator[Sentence]:
    links: dict[int, Neighbor] = {}
    for link in links_to(connection, [node.id] if node.id else [], *_KINDS):
        user = link.node
        if user is None or user.is_test or user.id == node.id or link.certainty != "resolved":
            continue
        if (user.path, link.lines[0]) not in cited:
            links.setdefault(user.id or -user.file_id, link)
    chosen = list(links.values())[:_MOST_USERS]
    if not chosen:
        return
    names = _join_names([_short_name(link.node) for link in chosen if link.node])
    more = f" and {len(links) - len(chosen)} more" if len(links) > len(chosen) else ""
    verb = "used" if node.kind in OWNER_KINDS else "called"
    places = [Citation(link.node.path, link.lines[0], node.name) for link in chosen if link.node]
    yield Sentence(f"`{node.qualified}` is {verb} by {names}{more}", tuple(places), "connection")


def _used(
    connection: sqlite3.Connection,
    node: Node,
    question: WeightedQuestion,
    cited: set[tuple[str, int]],
) -> Iterator[Sentence]:
    """Yield a sentence with the calls of a definition that share most words with the question."""
    links: dict[int, Neighbor] = {}
    for link in links_from(connection, node, "calls"):
        other = link.node
        if other is None or not other.id or link.certainty != "resolved":
            continue
        if (node.path, link.lines[0]) not in cited and other.id != node.id:
            links.setdefault(other.id, link)
    ordered = sorted(links.values(), key=lambda link: -_relevance(link, question))
    chosen = sorted(ordered[:_MOST_USED], key=lambda link: link.lines)
    if chosen:
        names = _join_names([f"`{link.node.qualified}`" for link in chosen if link.node])
        places = [
            Citation(node.path, link.lines[0], link.node.name) for link in chosen if link.node
        ]
        yield Sentence(f"`{node.qualified}` calls {names}", tuple(places), "connection")


def _relevance(link: Neighbor, question: WeightedQuestion) -> float:
    return question.share_in(f"{link.node.qualified} {link.node.doc}") if link.node else 0.0


def _short_name(node: Node) -> str:
    return f"`{node.qualified}`" if node.qualified else f"`{node.name.rpartition('/')[2]}`"


def _join_names(names: Sequence[str]) -> str:
    """Return the distinct names joined as in a sentence: `a, b and c`."""
    once = list(dict.fromkeys(names))
    return f"{', '.join(once[:-1])} and {once[-1]}" if len(once) > 1 else "".join(once)
