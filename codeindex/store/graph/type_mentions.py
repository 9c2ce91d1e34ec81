"""Find the functions and fields whose signatures name a type."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from typing import NamedTuple

from codeindex.store.catalog.sql_values import placeholders
from codeindex.types import SymbolKind

_ENDS = (
    *(SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.TEST),
    *(SymbolKind.PROPERTY, SymbolKind.FIELD),
)


class TypeMention(NamedTuple):
    """A function or field whose signature may contain a type: as parameter, result or value."""

    id: int
    path: str
    language: str
    name: str
    qualified: str
    kind: str
    signature: str
    line: int
    end_line: int
    cyclomatic: int


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
        " AND source_symbol IS NOT NULL AND (target_name = ? OR target_name LIKE ?)",
        (name, f"%.{name}"),
    )
    return TypeReferences(
        definitions=tuple(key for _, key in types),
        sources=frozenset(inside),
        elsewhere=frozenset(source for (source,) in outside),
    )


def type_mentions(
    connection: sqlite3.Connection, name: str, *, also: Collection[int]
) -> list[TypeMention]:
    """Return the functions and fields whose signature contains `name`, or whose id is in `also`.

    They are sorted by path, then in source order.
    """
    kinds = ", ".join(f"'{item}'" for item in _ENDS)
    columns = (
        f"f.{field}" if field in {"path", "language"} else f"s.{field}"
        for field in TypeMention._fields
    )
    rows = connection.execute(
        f"SELECT {', '.join(columns)}, instr(s.signature, ?) FROM symbols s"  # noqa: S608 (constants)
        f" JOIN files f ON f.id = s.file_id WHERE s.kind IN ({kinds}) ORDER BY f.path, s.number",
        (name,),
    )
    return [TypeMention(*row) for *row, named in rows if named or row[0] in also]
