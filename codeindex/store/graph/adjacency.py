"""Read the incoming links of many symbols and files at once, for breadth-first traversal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from codeindex.store.catalog.sql_values import placeholders, value_batches
from codeindex.store.graph.links import EDGE_COLUMNS, link_from_row
from codeindex.store.symbols.nodes import NODE_COLUMNS
from codeindex.types import Neighbor


class IncomingLink(NamedTuple):
    """An edge to a symbol or file; `link.node` is the symbol or file that uses it.

    If the target is a symbol, `symbol` is its id and `file` is 0. If the target is a file that is
    used as a module, `file` is its id and `symbol` is 0.
    """

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
    """Yield every edge to these symbols, then every edge to these files used as modules.

    `symbols` and `files` are ids.
    """
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


def count_callers(connection: sqlite3.Connection, symbol: int, *, most: int) -> int:
    """Return how many symbols call a symbol for certain; `most` if there are more.

    Code outside of any symbol counts as one caller for each file.
    """
    (count,) = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM edges WHERE target_symbol = ? AND kind = 'calls'"
        " AND certainty = 'resolved' LIMIT ?)",
        (symbol, most),
    ).fetchone()
    return int(count)


def using_paths(
    connection: sqlite3.Connection, symbols: Iterable[int], files: Iterable[int]
) -> set[tuple[int, int, str]]:
    """Return the files that use these symbols, or that use these files as modules.

    The result has tuples (used symbol's id or 0, used file's id or 0, path of the using file).
    """
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
