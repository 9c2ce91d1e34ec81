"""Find the functions and fields whose signatures name a type."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection
from typing import NamedTuple

from codeindex.store.catalog.sql_values import placeholders
from codeindex.store.symbols.nodes import select_symbols
from codeindex.types import Node, SymbolKind

_ENDS = (
    *(SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.TEST),
    *(SymbolKind.PROPERTY, SymbolKind.FIELD),
)


class TypeReferences(NamedTuple):
    """The symbols that refer to types with a given name.

    `definitions` are the keys (`path::qualified`) of these types in the repository. `sources` has
    the ids of the symbols that refer to one of them. `elsewhere` has the ids of the symbols that
    refer to something with the same name outside of the repository.
    """

    definitions: tuple[str, ...]
    sources: frozenset[int]
    elsewhere: frozenset[int]

    def is_sure(self, symbol: int) -> bool:
        return symbol in self.sources and symbol not in self.elsewhere

    def means_another(self, symbol: int) -> bool:
        found = symbol in self.elsewhere and symbol not in self.sources
        return bool(self.definitions) and found


def type_references(
    connection: sqlite3.Connection, name: str, *, kinds: Collection[SymbolKind]
) -> TypeReferences:
    """Return which symbols refer to the types of these kinds with exactly this name."""
    types = connection.execute(
        "SELECT s.id, f.path || '::' || s.qualified FROM symbols s JOIN files f"  # noqa: S608 (marks)
        f" ON f.id = s.file_id WHERE s.name = ? AND s.kind IN ({placeholders(kinds)})"
        " AND s.kind != 'impl'"
        " ORDER BY f.is_test, f.path, s.number",
        (name, *kinds),
    ).fetchall()
    inside: set[int] = set()
    for symbol_id, _ in types:
        rows = connection.execute(
            "SELECT source_symbol FROM edges WHERE target_symbol = ?"
            " AND source_symbol IS NOT NULL AND certainty = 'resolved'",
            (symbol_id,),
        )
        inside.update(source for (source,) in rows)
    outside = connection.execute(
        "SELECT source_symbol FROM edges WHERE target_file IS NULL AND certainty = 'resolved'"
        " AND source_symbol IS NOT NULL"
        " AND name_id IN (SELECT id FROM edge_names WHERE name = ? OR name LIKE ?)",
        (name, f"%.{name}"),
    )
    return TypeReferences(
        definitions=tuple(key for _, key in types),
        sources=frozenset(inside),
        elsewhere=frozenset(source for (source,) in outside),
    )


def type_mentions(
    connection: sqlite3.Connection, name: str, *, also: Collection[int]
) -> list[Node]:
    """Return the functions and fields whose signature contains `name`, or whose id is in `also`.

    The type may be that of a parameter, a result or a value. They are sorted by path, then in
    source order.
    """
    condition = (
        f"s.kind IN ({placeholders(_ENDS)}) AND (instr(s.signature, ?)"  # noqa: S608 (marks)
        " OR s.id IN (SELECT value FROM json_each(?))) ORDER BY f.path, s.number"
    )
    return select_symbols(connection, condition, (*_ENDS, name, json.dumps([*also])))
