"""Read callees, callers, users and methods of symbols, with a cache for one answer."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from codeindex.graph.possible_calls import possible_calls_of
from codeindex.graph.test_paths import TestGraph
from codeindex.store.graph.adjacency import count_callers, incoming_links
from codeindex.store.graph.links import links_from
from codeindex.store.symbols.nodes import (
    methods_of,
    symbol_of_hit,
    symbols_by_id,
    symbols_by_name,
)
from codeindex.types import Hit, Node, SymbolKind

_USES = frozenset({"calls", "references"})
"""Kinds of links to a constant, field or macro that use its value."""


class NeighborCaller(NamedTuple):
    """A caller of a function, or a user of another symbol, with the lines of its calls or uses."""

    node: Node
    lines: tuple[int, ...]


class NeighborReader:
    """Reads the links of symbols and the methods of types; links are certain unless said otherwise.

    Callees, callers and methods are cached by the id of the symbol.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.tests = TestGraph()
        """What searches for the tests of symbols have read."""
        self._symbols: dict[tuple[str, int, str], Node | None] = {}
        self._callees: dict[int, tuple[Node, ...]] = {}
        self._callers: dict[int, tuple[NeighborCaller, ...]] = {}
        self._methods: dict[int, Sequence[Node]] = {}

    def defined_symbol(self, hit: Hit) -> Node | None:
        """Return the symbol that a hit defines; for a prototype, the function with the body.

        Return None if the hit defines no symbol.
        """
        key = (hit.path, hit.line or hit.start_line, hit.symbol)
        if key not in self._symbols:
            self._symbols[key] = _defined_symbol(self.connection, hit)
        return self._symbols[key]

    def named(self, name: str) -> Sequence[Node]:
        """Return the symbols that a name may mean, the likeliest first."""
        return symbols_by_name(self.connection, name)

    def callees(self, node: Node) -> Sequence[Node]:
        """Return the functions that a function certainly calls, each once, without itself."""
        if node.id not in self._callees:
            called = {
                link.node.id: link.node
                for link in links_from(self.connection, node, "calls")
                if link.node and link.certainty == "resolved" and link.node.id != node.id
            }
            self._callees[node.id] = tuple(called.values())
        return self._callees[node.id]

    def callers(self, node: Node) -> Sequence[NeighborCaller]:
        """Return the certain callers of a function, each once, without the function itself.

        Calls that are resolved to a prototype of the function count too.
        """
        if node.id not in self._callers:
            targets = [node.id, *_prototypes(self.connection, node)]
            self._callers[node.id] = tuple(
                NeighborCaller(link.node, link.lines)
                for link in (use.link for use in incoming_links(self.connection, targets))
                if link.kind == "calls" and link.certainty == "resolved"
                if link.node and link.node.id != node.id
            )
        return self._callers[node.id]

    def has_more_callers(self, node: Node, most: int) -> bool:
        """Tell whether a function has more than `most` certain callers, without reading them."""
        return count_callers(self.connection, node.id, most=most + 1) > most

    def likely_callers(self, node: Node) -> Sequence[NeighborCaller]:
        """Return the functions that likely call a method, on a receiver of unknown type."""
        if node.kind != SymbolKind.METHOD:
            return ()
        lines = defaultdict[int, set[int]](set)
        for edge in possible_calls_of(self.connection, [node], with_references=False).likely:
            if edge.kind == "calls" and edge.symbol != node.id:
                lines[edge.symbol].update(edge.at)
        callers = symbols_by_id(self.connection, lines)
        return [NeighborCaller(caller, tuple(sorted(lines[caller.id]))) for caller in callers]

    def users(self, node: Node) -> Sequence[NeighborCaller]:
        """Return the code that certainly uses a constant, field or macro.

        Uses of other declarations with the same name and kind count too.
        """
        same = [found for found in self.named(node.qualified) if found.kind == node.kind]
        users: dict[int, tuple[Node, list[int]]] = {}
        for use in incoming_links(self.connection, [found.id for found in same]):
            link = use.link
            if link.kind in _USES and link.certainty == "resolved" and link.node:
                users.setdefault(link.node.id, (link.node, []))[1].extend(link.lines)
        return [NeighborCaller(user, tuple(sorted(set(lines)))) for user, lines in users.values()]

    def methods(self, node: Node) -> Sequence[Node]:
        """Return the methods of a type that have a body."""
        if node.id not in self._methods:
            self._methods[node.id] = methods_of(self.connection, node)
        return self._methods[node.id]


def _defined_symbol(connection: sqlite3.Connection, hit: Hit) -> Node | None:
    own = symbol_of_hit(connection, hit)
    if own is None or not own.is_bodiless:
        return own
    bodies = symbols_by_name(connection, own.qualified)
    return next((body for body in bodies if body.has_body), own)


def _prototypes(connection: sqlite3.Connection, node: Node) -> list[int]:
    """Return the ids of a function's prototypes, to which calls may be resolved instead."""
    return [
        declaration.id
        for declaration in symbols_by_name(connection, node.qualified)
        if node.has_body and not declaration.has_body and declaration.kind == node.kind
    ]
