"""Find the subtypes of a type, and the methods that a call may run by dynamic dispatch."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from codeindex.graph.method_sets import implementing_methods, implementing_types, interface_methods
from codeindex.store.graph.edges import edges_to
from codeindex.store.graph.flow_steps import overridden_methods, overriding_methods
from codeindex.types import Certainty, Node, SymbolKind


def possible_callees_above(
    connection: sqlite3.Connection, nodes: Sequence[Node]
) -> dict[int, Certainty]:
    """Return {method id: certainty} of the methods that `nodes` override or implement.

    A call of such a method may run one of `nodes`. The result contains none of `nodes`.
    """
    methods = _methods(nodes)
    overridden = overridden_methods(connection, [method.id for method in methods])
    return _without(interface_methods(connection, methods) | overridden, nodes)


def possible_callees_below(
    connection: sqlite3.Connection, nodes: Sequence[Node]
) -> dict[int, Certainty]:
    """Return {method id: certainty} of the methods that override or implement one of `nodes`.

    A call of one of `nodes` may run such a method. The result contains none of `nodes`.
    """
    methods = _methods(nodes)
    overriding = overriding_methods(connection, [method.id for method in methods])
    return _without(implementing_methods(connection, methods) | overriding, nodes)


def subtypes(connection: sqlite3.Connection, node: Node) -> dict[int, Certainty]:
    """Return {type id: certainty} of the direct and indirect subtypes of a type."""
    certainties: dict[int, Certainty] = {}
    layer = {node.id}
    while layer:
        below: dict[int, Certainty] = {}
        for edge in edges_to(connection, sorted(layer), "extends"):
            if edge.symbol and below.get(edge.symbol) != "resolved":
                below[edge.symbol] = edge.certainty
        layer = below.keys() - certainties.keys() - {node.id}
        certainties |= {item: below[item] for item in layer}
    return implementing_types(connection, [node]) | certainties


def _methods(nodes: Sequence[Node]) -> list[Node]:
    return [node for node in nodes if node.kind == SymbolKind.METHOD]


def _without(certainties: dict[int, Certainty], nodes: Sequence[Node]) -> dict[int, Certainty]:
    own = {node.id for node in nodes}
    return {key: sure for key, sure in certainties.items() if key not in own}
