"""Find types that may implement a structural interface, like `Protocol` of Python.

Such an interface is a class whose bases include the language's `structural_base`. A type may
implement it if it has a member of each of its names, declared by itself or by a base type in the
repository. Types of members are not compared, so that every result is possible, not certain.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeindex.languages import LANGUAGES
from codeindex.store.graph.edges import edges_to
from codeindex.store.symbols.types_and_methods import member_names, types_with_member

if TYPE_CHECKING:
    import sqlite3

    from codeindex.types import Node


def structural_implementers(connection: sqlite3.Connection, interface: Node) -> frozenset[int]:
    """Return the ids of types that have all members of a structural interface, but not its own."""
    if not _is_structural(interface):
        return frozenset()
    required = member_names(connection, interface.id)
    if not required:
        return frozenset()
    below = _with_subtypes(connection, {interface.id})
    owners = {
        name: types_with_member(connection, interface.language, name) - below for name in required
    }
    found: set[int] | None = None
    for name in sorted(required, key=lambda name: len(owners[name])):
        having = _with_subtypes(connection, owners[name])
        found = having if found is None else found & having
        if not found:
            return frozenset()
    return frozenset(found or ()) - below


def _is_structural(node: Node) -> bool:
    base = LANGUAGES[node.language].structural_base if node.language in LANGUAGES else ""
    bases = node.signature.partition("(")[2]
    return bool(base) and re.search(rf"\b{re.escape(base)}\b", bases) is not None


def _with_subtypes(connection: sqlite3.Connection, types: set[int]) -> set[int]:
    """Return types with all types that are known to extend them, directly or not."""
    known, layer = set(types), set(types)
    while layer:
        edges = edges_to(connection, sorted(layer), "extends")
        layer = {edge.symbol for edge in edges if edge.symbol} - known
        known |= layer
    return known
