"""Read the users of symbols as ids only, for traversals that show few of the visited nodes."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from codeindex.store.catalog.sql_values import select_in
from codeindex.text.words import fold_name

_MAX_REGISTERING = 8
"""Maximum number of references to one symbol whose lines are searched for texts."""


class IncomingUse(NamedTuple):
    """A use of the symbol `target` by the symbol `source` in the file `file`; all three are ids.

    `source` is 0 for code outside any symbol. `name` is `overloads:3` for a use that may mean
    one of 3 overloads, else "".
    """

    target: int
    source: int
    file: int
    kind: str
    certainty: str
    name: str


class OwnedSymbol(NamedTuple):
    """A symbol of a file; the qualified name (`Cart.add`) tells which type it belongs to."""

    id: int
    qualified: str


def incoming_uses(connection: sqlite3.Connection, symbols: Iterable[int]) -> Iterator[IncomingUse]:
    """Yield the uses of these symbols: calls, references and `extends`."""
    rows = select_in(
        connection,
        "SELECT target_symbol, coalesce(source_symbol, 0), source_file, kind, certainty,"
        " CASE WHEN certainty = 'resolved' THEN '' ELSE target_name END FROM edges"
        " WHERE kind IN ('calls', 'references', 'extends') AND target_symbol IN (...)",
        symbols,
    )
    return map(IncomingUse._make, rows)


def definition_counts(connection: sqlite3.Connection, names: Iterable[str]) -> dict[str, int]:
    """Return {name: number of symbols outside of tests that have the name}.

    Names without a symbol are left out. For `add`, the result also has `Add`, if symbols have it.
    """
    folded = {fold_name(name) for name in names}
    rows = select_in(
        connection,
        "SELECT s.name, count(*) FROM symbols s JOIN files f ON f.id = s.file_id"
        " WHERE s.folded IN (...) AND NOT f.is_test GROUP BY s.name",
        folded,
    )
    return dict(rows)


def registering_lines(connection: sqlite3.Connection, symbol: int) -> list[tuple[str, int]]:
    """Return (path, first line) of at most `_MAX_REGISTERING` references to a symbol.

    Calls, and references in tests, are left out.
    """
    rows = connection.execute(
        "SELECT f.path, e.lines FROM edges e JOIN files f ON f.id = e.source_file"
        " WHERE e.target_symbol = ? AND e.kind = 'references' AND NOT f.is_test LIMIT ?",
        (symbol, _MAX_REGISTERING),
    )
    return [(path, int(lines.split()[0])) for path, lines in rows if lines]


def functions_at(connection: sqlite3.Connection, places: Collection[tuple[int, int]]) -> set[int]:
    """Return the ids of the innermost functions, methods and tests around places.

    A place is (file id, line number).
    """
    shortest_first = (
        "SELECT file_id, id, start_line, end_line FROM symbols WHERE file_id IN (...)"
        " AND kind IN ('function', 'method', 'test') ORDER BY end_line - start_line, id"
    )
    functions: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
    files = (file for file, _ in places)
    for file, id_, first, last in select_in(connection, shortest_first, files):
        functions[file].append((id_, first, last))
    around = (
        next((id_ for id_, first, last in functions[file] if first <= line <= last), None)
        for file, line in places
    )
    return {function for function in around if function is not None}


def symbols_of_files(
    connection: sqlite3.Connection, files: Iterable[int]
) -> dict[int, list[OwnedSymbol]]:
    """Return {file id: its symbols, in source order}."""
    found: dict[int, list[OwnedSymbol]] = {}
    sql = (
        "SELECT file_id, id, qualified FROM symbols WHERE file_id IN (...) ORDER BY file_id, number"
    )
    for file, *symbol in select_in(connection, sql, files):
        found.setdefault(file, []).append(OwnedSymbol(*symbol))
    return found


def test_functions_taking(
    connection: sqlite3.Connection, parameter: str, folder: str
) -> list[tuple[int, str]]:
    """Return (id, signature) of the test functions that may take the parameter `parameter`.

    These are functions in test files whose signature contains the text. Only files whose path
    begins with `folder` are searched: a folder with a final slash, the path of one file, or '' for
    all files.
    """
    rows = connection.execute(
        "SELECT s.id, s.signature FROM files f JOIN symbols s ON s.file_id = f.id WHERE f.is_test"
        " AND f.path >= :folder AND f.path < :folder || char(1114111)"
        " AND s.kind IN ('function', 'method') AND instr(s.signature, :parameter)",
        {"folder": folder, "parameter": parameter},
    )
    return rows.fetchall()
