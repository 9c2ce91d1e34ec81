"""Find the types that have all members of an interface such as a `Protocol` of Python.

Types implement such an interface without naming it. The interface is a class whose bases include
the language's `structural_base`. A type may implement it if the type or its base types in the
repository declare a member of each name. The types of members are not compared, so that a result is
never certain.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection

from codeindex.languages import LANGUAGES
from codeindex.store.graph.edges import edges_to_subtypes
from codeindex.store.symbols.types_and_methods import member_names, types_with_member
from codeindex.types import Node


def structural_implementers(connection: sqlite3.Connection, interface: Node) -> frozenset[int]:
    """Return the ids of types that have all members of an interface and do not extend it.

    Return an empty set if `interface` is not structural or declares no members.
    """
    if not _is_structural(interface):
        return frozenset()
    required = member_names(connection, interface.id)
    if not required:
        return frozenset()
    below = _with_subtypes(connection, {interface.id})
    owners = {
        name: types_with_member(connection, interface.language, name) - below for name in required
    }
    rarest, *others = sorted(required, key=lambda name: len(owners[name]))
    found = _with_subtypes(connection, owners[rarest])
    for name in others:
        if found:
            found &= _with_subtypes(connection, owners[name])
    return found - below


def _is_structural(node: Node) -> bool:
    base = LANGUAGES[node.language].structural_base
    bases = node.signature.partition("(")[2]
    return bool(base) and re.search(rf"\b{re.escape(base)}\b", bases) is not None


def _with_subtypes(connection: sqlite3.Connection, types: Collection[int]) -> frozenset[int]:
    """Return the ids of the types and of all their known subtypes, also indirect ones."""
    edges = edges_to_subtypes(connection, types)
    return frozenset(types) | {edge.symbol for edge in edges if edge.symbol}
