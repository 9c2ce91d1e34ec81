"""Uses by what is used, for following them: a whole level of symbols and files at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from codeindex.store.catalog.sql_values import in_parts, marks
from codeindex.store.graph.links import EDGE, link_of
from codeindex.store.symbols.nodes import EITHER, SYMBOL
from codeindex.types import Neighbor, Node

if TYPE_CHECKING:
    import sqlite3


class Arrow(NamedTuple):
    """A use by what is used: the id of a symbol, or of a file as a module; the other is 0."""

    symbol: int
    file: int
    link: Neighbor


_ENDS = {  # how to find the uses of symbols, then of files as modules, and what to call the ends
    "e.target_symbol": "e.target_symbol, 0",
    "e.target_symbol IS NULL AND e.target_file": "0, e.target_file",
}


def arrows_to(
    connection: sqlite3.Connection, symbols: Iterable[int], files: Iterable[int] = ()
) -> Iterator[Arrow]:
    """Yield every use of these symbols, and of these files as modules, by what is used."""
    for (column, end), values in zip(_ENDS.items(), (symbols, files), strict=True):
        for part in in_parts(values):
            rows = connection.execute(
                f"SELECT {end}, {EDGE}, {EITHER} FROM edges e"  # noqa: S608 (marks)
                " JOIN files f ON f.id = e.source_file"
                " LEFT JOIN symbols s ON s.id = e.source_symbol"
                f" WHERE {column} IN ({marks(part)}) ORDER BY f.path, e.id",
                part,
            )
            for symbol, file, *rest in rows:
                yield Arrow(symbol, file, link_of(rest))


def users_of(
    connection: sqlite3.Connection, symbols: Iterable[int], files: Iterable[int]
) -> set[tuple[int, int, str]]:
    """Return the ends of `arrows_to` with the paths of the files that use them, once each."""
    return {
        row
        for (column, end), values in zip(_ENDS.items(), (symbols, files), strict=True)
        for part in in_parts(values)
        for row in connection.execute(
            f"SELECT DISTINCT {end}, f.path FROM edges e"  # noqa: S608 (marks)
            f" JOIN files f ON f.id = e.source_file WHERE {column} IN ({marks(part)})",
            part,
        )
    }


def carried_by(connection: sqlite3.Connection, symbols: Iterable[int]) -> Iterator[Arrow]:
    """Yield what runs these symbols without naming them.

    Of a constructor that is its type, of a field the function that its value is given in, of what
    a function defines that function.
    """
    for part, (kind, carries) in product(in_parts(symbols), _CARRIES.items()):
        rows = connection.execute(
            f"SELECT made.id, made.line, {SYMBOL} FROM symbols made"  # noqa: S608 (marks)
            " JOIN symbols s ON s.file_id = made.file_id JOIN files f ON f.id = s.file_id"
            f" WHERE made.id IN ({marks(part)}) AND {carries}",
            part,
        )
        for symbol, line, *node in rows:
            yield Arrow(symbol, 0, Neighbor(kind, "resolved", (line,), "", Node(*node)))


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
"""Links that no line of code spells out, as conditions on `made` and its carrier `s`."""
