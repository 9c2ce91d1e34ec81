"""Follow uses of uses from a symbol or file: the traversal behind impact and tests to run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from codeindex.graph.dispatch import possible_callees_above
from codeindex.store.graph.adjacency import IncomingLink, implicit_users, incoming_links
from codeindex.store.graph.links import links_to, possible_calls
from codeindex.store.graph.unresolved_references import possible_incoming_links
from codeindex.store.symbols.symbol_lists import read_unique_members
from codeindex.types import OWNER_KINDS, USE_KINDS, Certainty, Neighbor, Node

if TYPE_CHECKING:
    import sqlite3

    from codeindex.analysis.focus import Focus

MAX_DEPTH = 20
"""Steps; real chains of uses end before, and each step reads the edges of a whole level."""
_DEPENDING = frozenset({*USE_KINDS, "constructs", "assigns", "contains"})
"""Kinds of links that pass on a change; a mention in a document does not."""

NodeKey = tuple[int, int]
"""The id of a symbol, or of a file; the other is 0."""


class ReachedNode(NamedTuple):
    """A dependant with the use by which it was reached first; `origin` is the used node."""

    node: Node
    link: Neighbor
    origin: NodeKey
    distance: int
    certainty: Certainty

    def with_link(self, link: Neighbor) -> ReachedNode:
        """Return the node with the lines of another use of the same origin."""
        lines = tuple(sorted({*self.link.lines, *link.lines}))
        return self._replace(link=self.link._replace(lines=lines))


def find_dependants(
    connection: sqlite3.Connection, focus: Focus, *, depth: int = MAX_DEPTH
) -> dict[NodeKey, ReachedNode]:
    """Return the dependants of a focus, each by its shortest path; certain paths win over possible.

    Users of users are followed breadth first, first along certain uses only, then along possible
    ones. A file that only imports is listed but not followed: it may not use what it imports.
    Calls with a receiver of unknown type match by name: all of them for the focus, further away
    only if no other method has the name.
    """
    inside: set[NodeKey] = {(symbol, 0) for symbol in focus.inside} | {
        (0, file) for file in focus.files
    }
    reached: dict[NodeKey, ReachedNode] = {}
    _follow(connection, dict.fromkeys(inside, 0), inside, reached, depth, certain=True)
    for link in _possible_links(connection, focus):
        node = link.node
        if node is None or _node_key(node) in inside:
            continue
        earlier = reached.get(_node_key(node))
        if earlier is None:
            reached[_node_key(node)] = ReachedNode(node, link, (0, 0), 1, "ambiguous")
        elif earlier.distance == 1 and earlier.certainty == "ambiguous":
            reached[_node_key(node)] = earlier.with_link(link)
    starts = dict.fromkeys(inside, 0) | {
        key: reached_node.distance
        for key, reached_node in reached.items()
        if reached_node.link.kind != "imports"
    }
    _follow(connection, starts, inside, reached, depth, certain=False)
    using = {
        reached_node.node.file_id
        for reached_node in reached.values()
        if reached_node.link.kind != "imports"
    }
    return {
        key: reached_node
        for key, reached_node in reached.items()
        if reached_node.link.kind != "imports" or reached_node.node.file_id not in using
    }


def _follow(
    connection: sqlite3.Connection,
    starts: dict[NodeKey, int],
    inside: set[NodeKey],
    reached: dict[NodeKey, ReachedNode],
    depth: int,
    *,
    certain: bool,
) -> None:
    """Extend `reached` breadth first from `starts`, which maps nodes to distances."""
    waiting = dict(starts)
    for distance in range(depth):
        level = [key for key, at in waiting.items() if at == distance]
        arrows = _read_level(connection, level, certain=certain)
        for arrow in sorted(arrows, key=_imports_last):
            node = arrow.link.node
            if node is None or arrow.link.kind not in _DEPENDING:
                continue
            key = _node_key(node)
            sure: Certainty = "resolved" if certain else "ambiguous"
            if (earlier := reached.get(key)) and earlier[2:] == (arrow[:2], distance + 1, sure):
                reached[key] = earlier.with_link(arrow.link)
            if key in inside or earlier:
                continue
            reached[key] = ReachedNode(node, arrow.link, arrow[:2], distance + 1, sure)
            if arrow.link.kind != "imports":
                waiting[key] = distance + 1


def _read_level(
    connection: sqlite3.Connection, level: Iterable[NodeKey], *, certain: bool
) -> Iterator[IncomingLink]:
    """Yield the uses of a level, and the code that runs it without naming it."""
    keys = list(level)
    symbols = [symbol for symbol, _ in keys if symbol]
    for arrow in incoming_links(connection, symbols, [file for _, file in keys if file]):
        if arrow.link.certainty == "resolved" or not certain:
            yield arrow
    yield from implicit_users(connection, symbols)
    if not certain:
        yield from possible_incoming_links(connection, symbols, most=1)


def _imports_last(arrow: IncomingLink) -> bool:
    """Sort imports last, so that a node that imports and uses counts as a user."""
    return arrow.link.kind == "imports"


def _possible_links(connection: sqlite3.Connection, focus: Focus) -> list[Neighbor]:
    """Return calls of overridden supertype methods, and calls with an unknown receiver.

    The latter match the names of the focus, and names of its members that nothing else has.
    """
    names = {symbol.name for symbol in focus.nodes if symbol.id and symbol.kind not in OWNER_KINDS}
    for file_id in {symbol.file_id for symbol in focus.nodes}:
        rows = read_unique_members(connection, file_id)
        names.update(name for symbol, name in rows if symbol in focus.inside)
    before = possible_callees_above(connection, focus.nodes)
    through = [link for link in links_to(connection, before, "calls") if link.node]
    return [
        *(link._replace(certainty="ambiguous") for link in through),
        *possible_calls(connection, names, languages={node.language for node in focus.nodes}),
    ]


def _node_key(node: Node) -> NodeKey:
    return (node.id, 0) if node.id else (0, node.file_id)
