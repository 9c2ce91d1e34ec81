"""Read the incoming links of many symbols and files at once, for breadth-first traversal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from codeindex.store.catalog.sql_values import placeholders, value_batches
from codeindex.store.graph.links import EDGE_COLUMNS, link_from_row
from codeindex.store.symbols.nodes import NODE_COLUMNS, SYMBOL_COLUMNS
from codeindex.types import Neighbor, Node

if TYPE_CHECKING:
    import sqlite3


class IncomingLink(NamedTuple):
    """A use with the id of its target; `symbol` is 0 if the target is a file, else `file` is 0."""

    symbol: int
    file: int
    link: Neighbor


_ENDS = {  # condition on the target, and the columns (symbol, file) of it
    "e.target_symbol": "e.target_symbol, 0",
    "e.target_symbol IS NULL AND e.target_file": "0, e.target_file",
}


def incoming_links(
    connection: sqlite3.Connection, symbols: Iterable[int], files: Iterable[int] = ()
) -> Iterator[IncomingLink]:
    """Yield every use of these symbols, then every use of these files as modules."""
    for (column, end), values in zip(_ENDS.items(), (symbols, files), strict=True):
        for part in value_batches(values):
            rows = connection.execute(
                f"SELECT {end}, {EDGE_COLUMNS}, {NODE_COLUMNS} FROM edges e"  # noqa: S608 (marks)
                " JOIN files f ON f.id = e.source_file"
                " LEFT JOIN symbols s ON s.id = e.source_symbol"
                f" WHERE {column} IN ({placeholders(part)}) ORDER BY f.path, e.id",
                part,
            )
            for symbol, file, *rest in rows:
                yield IncomingLink(symbol, file, link_from_row(rest))


def using_paths(
    connection: sqlite3.Connection, symbols: Iterable[int], files: Iterable[int]
) -> set[tuple[int, int, str]]:
    """Return the distinct (symbol id, file id, path of the using file) of `incoming_links`."""
    return {
        row
        for (column, end), values in zip(_ENDS.items(), (symbols, files), strict=True)
        for part in value_batches(values)
        for row in connection.execute(
            f"SELECT DISTINCT {end}, f.path FROM edges e"  # noqa: S608 (marks)
            f" JOIN files f ON f.id = e.source_file WHERE {column} IN ({placeholders(part)})",
            part,
        )
    }


def implicit_users(
    connection: sqlite3.Connection, symbols: Iterable[int]
) -> Iterator[IncomingLink]:
    """Yield the incoming links of these symbols that are not written in the code.

    A type links to its constructor, a function to the fields that it assigns, and a function to the
    symbols that are defined inside it.
    """
    for part, (kind, carries) in product(value_batches(symbols), _CARRIES.items()):
        rows = connection.execute(
            f"SELECT made.id, made.line, {SYMBOL_COLUMNS} FROM symbols made"  # noqa: S608 (marks)
            " JOIN symbols s ON s.file_id = made.file_id JOIN files f ON f.id = s.file_id"
            f" WHERE made.id IN ({placeholders(part)}) AND {carries}",
            part,
        )
        for symbol, line, *node in rows:
            yield IncomingLink(symbol, 0, Neighbor(kind, "resolved", (line,), "", Node(*node)))


_CARRIES = {
    "constructs": "made.qualified = s.qualified || '.' || made.name"
    " AND (made.kind = 'constructor' OR made.name IN"
    " ('__init__', '__new__', '__post_init__', '__construct', 'initialize', 'init'))",
    "assigns": "made.kind = 'field' AND s.kind IN ('method', 'constructor', 'function')"
    " AND made.line BETWEEN s.start_line AND s.end_line",
    "contains": "s.kind IN ('function', 'method', 'constructor', 'property', 'test')"
    " AND substr(made.qualified, 1, length(s.qualified) + 1) = s.qualified || '.'"
    " AND made.kind != 'test' AND made.line BETWEEN s.start_line AND s.end_line",
}
"""SQL conditions for `implicit_users`, by kind of link; `s` is the source and `made` the target."""
