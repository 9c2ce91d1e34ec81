"""Read types, the types that they embed, and members, to find which types satisfy an interface."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from codeindex.store.catalog.sql_values import placeholders, value_batches
from codeindex.text.words import fold_name


class TypeRow(NamedTuple):
    """A struct, named type or interface; `path` is the path of its file."""

    id: int
    qualified: str
    kind: str
    path: str


class MethodRow(NamedTuple):
    """A method with its signature; `path` is the path of its file."""

    id: int
    name: str
    qualified: str
    signature: str
    path: str


def read_types(connection: sqlite3.Connection, language: str) -> list[TypeRow]:
    """Return the structs, named types and interfaces of a language."""
    rows = connection.execute(
        "SELECT s.id, s.qualified, s.kind, f.path"
        " FROM main.symbols s INDEXED BY symbols_of_types JOIN files f ON f.id = s.file_id"
        " WHERE s.kind IN ('struct', 'type', 'interface') AND f.language = ?",
        (language,),
    )
    return [TypeRow._make(row) for row in rows]


def read_embedded_types(connection: sqlite3.Connection) -> list[tuple[int, int]]:
    """Return all pairs (id of a type, id of a type that it embeds or extends).

    Files hidden by `hide_files` are included.
    """
    return connection.execute(
        "SELECT source_symbol, target_symbol FROM main.edge_rows INDEXED BY edges_to_base"
        " WHERE kind = 'extends' AND target_symbol IS NOT NULL"
    ).fetchall()


def types_with_external_base(connection: sqlite3.Connection) -> set[int]:
    """Return ids of the types that embed or extend a type from outside the repository."""
    rows = connection.execute(
        "SELECT source_symbol FROM main.edge_rows INDEXED BY edges_to_outer_base"
        " WHERE target_file IS NULL AND kind = 'extends'"
    )
    return {symbol for (symbol,) in rows}


def methods_named(
    connection: sqlite3.Connection, language: str, names: Iterable[str]
) -> Iterator[MethodRow]:
    """Yield the methods of a language with one of these names."""
    for batch in value_batches(names):
        rows = connection.execute(
            "SELECT s.id, s.name, s.qualified, s.signature, f.path FROM symbols s JOIN files f"  # noqa: S608 (marks)
            f" ON f.id = s.file_id WHERE s.folded IN ({placeholders(batch)})"
            " AND s.kind = 'method'"
            f" AND s.name IN ({placeholders(batch)}) AND f.language = ?",
            (*map(fold_name, batch), *batch, language),
        )
        yield from map(MethodRow._make, rows)


def methods_of_type(
    connection: sqlite3.Connection, type_id: int, qualified: str
) -> list[tuple[int, str, str]]:
    """Return (id, name, signature) of the methods that a type declares in its own file."""
    return connection.execute(
        "SELECT m.id, m.name, m.signature FROM symbols m JOIN symbols t"
        " ON t.file_id = m.file_id WHERE t.id = ? AND m.kind = 'method'"
        " AND m.qualified = ? || '.' || m.name",
        (type_id, qualified),
    ).fetchall()


def member_names(connection: sqlite3.Connection, type_id: int) -> frozenset[str]:
    """Return the names of the members of a type and its supertypes, without constructors."""
    rows = connection.execute(
        "WITH RECURSIVE bases (id) AS (SELECT ? UNION SELECT e.target_symbol FROM bases"
        " JOIN symbols s ON s.id = bases.id"
        " JOIN edges e ON e.source_file = s.file_id AND e.source_symbol = s.id"
        " WHERE e.kind = 'extends' AND e.target_symbol IS NOT NULL)"
        " SELECT m.name FROM bases JOIN symbols t ON t.id = bases.id"
        " JOIN symbols m ON m.file_id = t.file_id AND m.qualified = t.qualified || '.' || m.name"
        " WHERE m.kind != 'constructor' AND m.name NOT IN ('__slots__', '__module__')",
        (type_id,),
    )
    return frozenset(name for (name,) in rows)


def types_with_member(connection: sqlite3.Connection, language: str, name: str) -> set[int]:
    """Return the ids of the classes and enums of a language that declare a member of this name."""
    rows = connection.execute(
        "SELECT t.id FROM symbols m JOIN symbols t"
        " ON t.file_id = m.file_id AND m.qualified = t.qualified || '.' || m.name"
        " JOIN files f ON f.id = m.file_id"
        " WHERE m.folded = ? AND m.name = ? AND t.kind IN ('class', 'enum') AND f.language = ?",
        (fold_name(name), name, language),
    )
    return {type_id for (type_id,) in rows}
