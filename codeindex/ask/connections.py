"""How the pieces of an answer are linked: edges and short ways of the graph, each with its line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from codeindex.ask.extract import Citation, Sentence
from codeindex.ask.question import WeightedQuestion
from codeindex.search.routes.flow import outside_of_tests
from codeindex.search.routes.shortest_paths import Traversal, shortest_paths
from codeindex.store.graph.flow_steps import EdgeStep, steps_from, steps_to
from codeindex.store.graph.links import links_from, links_to
from codeindex.store.symbols.nodes import symbols_by_id
from codeindex.types import OWNER_KINDS, Neighbor, Node

if TYPE_CHECKING:
    import sqlite3

_USERS, _USED = 3, 3
_HOPS = 4
"""Steps: a longer way between two pieces tells little of either."""
_KINDS = ("calls", "extends")
_CALLED = "calls"


def connection_sentences(
    connection: sqlite3.Connection, nodes: Sequence[Node], question: WeightedQuestion
) -> list[Sentence]:
    """Say how the first piece is used and what it uses, and how the others are linked."""
    if not nodes:
        return []
    between = list(_between(connection, nodes))
    told = {(place.path, place.line) for one in between for place in one.citations}
    around = [
        *_users(connection, nodes[0], told),
        *_used(connection, nodes[0], question, told),
    ]
    return [*between[:3], *around]


def _between(connection: sqlite3.Connection, nodes: Sequence[Node]) -> Iterator[Sentence]:
    ids = {one.id: one for one in nodes if one.id}
    linked: set[frozenset[int]] = set()
    for node in ids.values():
        for link in links_from(connection, node, *_KINDS):
            other = link.node
            if other is None or other.id not in ids or other.id == node.id:
                continue
            pair = frozenset((node.id, other.id))
            if link.certainty == "resolved" and pair not in linked and not _within(node, other):
                linked.add(pair)
                verb = "calls" if link.kind == _CALLED else "extends"
                yield _linked(node, verb, other, link)
    yield from _ways(connection, list(ids.values())[:3], linked)


def _within(one: Node, other: Node) -> bool:
    """Tell whether one is defined inside the other, which its name says already."""
    return one.file_id == other.file_id and other.qualified.startswith(f"{one.qualified}.")


def _linked(node: Node, verb: str, other: Node, link: Neighbor) -> Sentence:
    place = Citation(node.path, link.lines[0], other.name)
    return Sentence(f"`{node.qualified}` {verb} `{other.qualified}`", (place,), "connection")


def _ways(
    connection: sqlite3.Connection, nodes: Sequence[Node], linked: set[frozenset[int]]
) -> Iterator[Sentence]:
    """Show a way from one piece to another that has no edge to it."""
    ways = Traversal(
        steps_from, steps_to, lambda ids: outside_of_tests(connection, ids), certain=True
    )
    for one, other in permutations(nodes, 2):
        if frozenset((one.id, other.id)) in linked:
            continue
        found = shortest_paths(connection, ways, [one.id], [other.id], hops=_HOPS)
        if found and len(found[0]) > 1:
            linked.add(frozenset((one.id, other.id)))
            yield _way(connection, found[0])


def _way(connection: sqlite3.Connection, path: Sequence[EdgeStep]) -> Sentence:
    ids = [path[0].source, *(one.target for one in path)]
    names = {one.id: one for one in symbols_by_id(connection, ids)}
    files = dict(connection.execute("SELECT id, path FROM files").fetchall())
    shown = " → ".join(f"`{names[one].qualified}`" for one in ids)
    places = tuple(Citation(files[one.file], one.line, _says(one, names)) for one in path)
    first, last = (names[one].qualified for one in (ids[0], ids[-1]))
    return Sentence(f"`{first}` leads to `{last}`: {shown}", places, "connection")


def _says(step: EdgeStep, names: dict[int, Node]) -> str:
    """Return what stands in the line of a step: the type, where its constructor is meant."""
    target = names[step.target]
    if step.kind == "constructs":
        return target.name
    return target.name if step.kind != "overridden" else names[step.target].name


def _users(
    connection: sqlite3.Connection, node: Node, told: set[tuple[str, int]]
) -> Iterator[Sentence]:
    found: dict[int, Neighbor] = {}
    for link in links_to(connection, [node.id] if node.id else [], *_KINDS):
        if link.node and link.certainty == "resolved" and not link.node.is_test:
            place = (link.node.path, link.lines[0])
            if place not in told and link.node.id != node.id:
                found.setdefault(link.node.id or -link.node.file_id, link)
    chosen = list(found.values())[:_USERS]
    if not chosen:
        return
    names = _joined([_named(one.node) for one in chosen if one.node])
    more = f" and {len(found) - len(chosen)} more" if len(found) > len(chosen) else ""
    verb = "used" if node.kind in OWNER_KINDS else "called"
    places = [Citation(one.node.path, one.lines[0], node.name) for one in chosen if one.node]
    yield Sentence(f"`{node.qualified}` is {verb} by {names}{more}", tuple(places), "connection")


def _used(
    connection: sqlite3.Connection,
    node: Node,
    question: WeightedQuestion,
    told: set[tuple[str, int]],
) -> Iterator[Sentence]:
    """Name what a definition calls here: first what has to do with the question."""
    found: dict[int, Neighbor] = {}
    for link in links_from(connection, node, _CALLED):
        other = link.node
        if other is None or not other.id or link.certainty != "resolved":
            continue
        if (node.path, link.lines[0]) not in told and other.id != node.id:
            found.setdefault(other.id, link)
    ordered = sorted(found.values(), key=lambda one: -_about(one, question))
    chosen = sorted(ordered[:_USED], key=lambda one: one.lines)
    if chosen:
        names = _joined([f"`{one.node.qualified}`" for one in chosen if one.node])
        places = [Citation(node.path, one.lines[0], one.node.name) for one in chosen if one.node]
        yield Sentence(f"`{node.qualified}` calls {names}", tuple(places), "connection")


def _about(link: Neighbor, question: WeightedQuestion) -> float:
    return question.said_in(f"{link.node.qualified} {link.node.doc}") if link.node else 0.0


def _named(node: Node) -> str:
    return f"`{node.qualified}`" if node.qualified else f"`{node.name.rpartition('/')[2]}`"


def _joined(names: Sequence[str]) -> str:
    """Join names as a sentence does, each once."""
    once = list(dict.fromkeys(names))
    return f"{', '.join(once[:-1])} and {once[-1]}" if len(once) > 1 else "".join(once)
