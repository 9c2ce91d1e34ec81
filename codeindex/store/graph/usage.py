"""Read uses from the whole index: all edges, used symbols, re-exports, base types."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from codeindex.languages import LANGUAGES
from codeindex.store.catalog.sql_values import placeholders, select_in


class EdgeRow(NamedTuple):
    """An edge with paths and qualified names instead of ids.

    `path` and `source` are where the use is; `source` is None outside any symbol. `target` is None
    if the target is a file or external; `target_path` is None if it is external.
    """

    path: str
    source: str | None
    kind: str
    certainty: str
    target_path: str | None
    target: str | None
    target_name: str
    lines: tuple[int, ...]


class SymbolUsage(NamedTuple):
    """A symbol and the number of non-test files that use it."""

    language: str
    name: str
    kind: str
    path: str
    line: int
    doc: str
    users: int


class BaseRow(NamedTuple):
    """A type (`name`) and one of the types that it extends (`base`), by qualified names.

    `base_path` and `base` are None for an external base, whose name is `target_name`.
    """

    path: str
    name: str
    base_path: str | None
    base: str | None
    target_name: str


def read_edges(connection: sqlite3.Connection) -> Iterator[EdgeRow]:
    """Yield every edge, sorted by the path and symbol of the use, its line, and what is used."""
    rows = connection.execute(
        "SELECT f.path, s.qualified, e.kind, e.certainty, g.path, t.qualified, e.target_name,"
        " e.lines FROM edges e JOIN files f ON f.id = e.source_file"
        " LEFT JOIN symbols s ON s.id = e.source_symbol LEFT JOIN files g ON g.id = e.target_file"
        " LEFT JOIN symbols t ON t.id = e.target_symbol ORDER BY f.path, s.number,"
        " CAST(e.lines AS INTEGER), e.kind, e.target_name, g.path, t.number"
    )
    for path, source, kind, certainty, target_path, target, name, lines in rows:
        numbers = tuple(map(int, lines.split()))
        yield EdgeRow(path, source, kind, certainty, target_path, target, name, numbers)


def read_bases(connection: sqlite3.Connection) -> list[BaseRow]:
    """Return every pair of a type and a base type that it extends directly."""
    rows = connection.execute(
        "SELECT sf.path, s.qualified, tf.path, t.qualified, e.target_name FROM edges e"
        " JOIN symbols s ON s.id = e.source_symbol JOIN files sf ON sf.id = s.file_id"
        " LEFT JOIN symbols t ON t.id = e.target_symbol LEFT JOIN files tf ON tf.id = t.file_id"
        " WHERE e.kind = 'extends'"
    )
    return [BaseRow(*row) for row in rows]


def read_used_symbols(connection: sqlite3.Connection) -> frozenset[int]:
    """Return the ids of the symbols that are used outside their own definition.

    A use is a call, a reference, an `extends` or an import.
    """
    rows = connection.execute(
        "SELECT t.id FROM symbols t WHERE EXISTS (SELECT 1 FROM edges e"  # the first use suffices
        " LEFT JOIN symbols s ON s.id = e.source_symbol WHERE e.target_symbol = t.id"
        " AND e.kind IN ('calls', 'references', 'extends', 'imports')"
        " AND (s.id IS NULL OR s.file_id != t.file_id OR s.id != t.id"
        " AND substr(s.qualified, 1, length(t.qualified) + 1) != t.qualified || '.'))"
    )
    return frozenset(symbol for (symbol,) in rows)


def read_reexports(connection: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """Return (path, qualified name) of the symbols that the file of a package imports.

    Such a file, `__init__.py` in Python, makes them available to users of its package.
    """
    names = {f"*/{language.package_file}" for language in LANGUAGES.values()} - {"*/"}
    is_package = " OR ".join("'/' || i.path GLOB ?" for _ in names)
    rows = connection.execute(
        "SELECT f.path, s.qualified FROM files i CROSS JOIN edges e ON e.source_file = i.id"  # noqa: S608 (marks)
        " JOIN symbols s ON s.id = e.target_symbol JOIN files f ON f.id = s.file_id"
        f" WHERE e.kind = 'imports' AND ({is_package})",
        tuple(names),
    )
    return frozenset(rows)


def count_possible_calls(connection: sqlite3.Connection, names: Iterable[str]) -> Mapping[str, int]:
    """Return {name: number of uses that may mean a member with this name}, for used names.

    The uses are calls and references whose receiver has an unknown type.
    """
    rows = select_in(
        connection,
        "SELECT n.name, count(*) FROM edge_names n JOIN edges e ON e.name_id = n.id"
        " AND e.target_file IS NULL AND e.certainty = 'ambiguous' WHERE n.name IN (...) GROUP BY 1",
        names,
    )
    return dict(rows)


def read_symbol_usage(connection: sqlite3.Connection, kinds: Sequence[str]) -> list[SymbolUsage]:
    """Return the symbols of these kinds that other files use, with the number of these files.

    Only resolved uses in non-test files count. Symbols in tests and generated files are left out.
    """
    rows = connection.execute(
        "SELECT f.language, s.qualified, s.kind, f.path, s.line, s.doc,"  # noqa: S608 (marks)
        " count(DISTINCT e.source_file) FROM edges e"
        " JOIN files u ON u.id = e.source_file AND NOT u.is_test"
        " JOIN symbols s ON s.id = e.target_symbol"
        " JOIN files f ON f.id = s.file_id AND NOT f.is_test AND NOT f.is_generated"
        " WHERE e.certainty = 'resolved' AND e.target_symbol IS NOT NULL"
        " AND e.source_file != e.target_file"
        " AND e.kind IN ('calls', 'extends', 'references', 'imports')"
        f" AND s.kind IN ({placeholders(kinds)}) GROUP BY s.id",
        kinds,
    )
    return [SymbolUsage(*row) for row in rows]
