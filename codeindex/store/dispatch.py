"""Which methods a call may run beside the one that it names: those of subtypes and interfaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeindex.store.method_sets import methods_before, methods_behind
from codeindex.store.steps import overridden, overriding
from codeindex.types import SymbolKind

if TYPE_CHECKING:
    import sqlite3

    from codeindex.types import Certainty, Node


def called_by(connection: sqlite3.Connection, nodes: Sequence[Node]) -> dict[int, Certainty]:
    """Return the methods of supertypes and interfaces: a call of one may run one of these."""
    methods = _methods(nodes)
    found = methods_before(connection, methods) | overridden(connection, [o.id for o in methods])
    return {one: sure for one, sure in found.items() if one not in {it.id for it in nodes}}


def running(connection: sqlite3.Connection, nodes: Sequence[Node]) -> dict[int, Certainty]:
    """Return the methods of subtypes and implementers: a call of one of these may run them."""
    methods = _methods(nodes)
    found = methods_behind(connection, methods) | overriding(connection, [o.id for o in methods])
    return {one: sure for one, sure in found.items() if one not in {it.id for it in nodes}}


def _methods(nodes: Sequence[Node]) -> list[Node]:
    return [one for one in nodes if one.kind == SymbolKind.METHOD]
