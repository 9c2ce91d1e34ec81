"""Read edges by the ids of their targets, in SQL.

Edges have ids instead of nodes, because callers show only one page of what can be thousands of
uses.
"""

# ruff: noqa: S608 (constants and marks)
from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from codeindex.store.catalog.sql_values import placeholders, select_in, value_batches
from codeindex.store.graph.overloads import CallSite, count_overloads_by_line, split_by_certainty
from codeindex.store.symbols.written_names import last_part
from codeindex.text.words import fold_name
from codeindex.types import OVERLOAD_PREFIX, USE_KINDS, Certainty


class StoredEdge(NamedTuple):
    """A use of a symbol or file by code in the file with the id `file`.

    `symbol` is the id of the symbol that contains the code, 0 outside any symbol. `lines` has the
    line numbers, joined by blanks. `name` is the name of an external target, or of a member whose
    owner is unknown. For a use that may mean one of 3 overloads, it is `overloads:3`.
    """

    file: int
    symbol: int
    kind: str
    certainty: Certainty
    lines: str
    name: str
    receiver: str = ""
    """For a call of a member whose owner is unknown, the last name in its receiver; else ""."""
    arguments: int = -1
    """For a call of a member whose owner is unknown, its number of arguments; else, or if that is
    unknown, -1."""

    @property
    def at(self) -> tuple[int, ...]:
        """The line numbers of the use."""
        return tuple(map(int, self.lines.split()))


_COLUMNS = (
    "e.source_file, coalesce(e.source_symbol, 0), e.kind, e.certainty, e.lines, e.target_name,"
    " e.receiver, e.arguments"
)


def edges_to(
    connection: sqlite3.Connection, symbols: Iterable[int], *kinds: str
) -> list[StoredEdge]:
    """Return the edges to the symbols with these ids; with `kinds`, only edges of these kinds.

    A call that may mean one of several overloads counts as resolved if all of them are in
    `symbols`, since the call then means one of the requested symbols in any case.
    """
    return _settled(_among(connection, "e.target_symbol", symbols, kinds))


def edges_to_subtypes(connection: sqlite3.Connection, types: Iterable[int]) -> list[StoredEdge]:
    """Return the `extends` edges that lead to the types with these ids or to their subtypes.

    Edges from direct subtypes come first, then edges from the subtypes of these, and so on.
    """
    visited: set[int] = set()
    edges: list[StoredEdge] = []
    layer = set(types)
    while layer := layer - visited:
        visited |= layer
        below = edges_to(connection, sorted(layer), "extends")
        edges += below
        layer = {edge.symbol for edge in below} - {0}
    return edges


def _settled(edges: list[StoredEdge]) -> list[StoredEdge]:
    """Return the edges, with calls of overloads marked as resolved on lines where that is certain.

    A call that may mean several overloads is certain if `edges` lead to all of them. An edge with
    certain and uncertain lines is split into a resolved and an ambiguous edge.
    """
    counts = count_overloads_by_line(map(_call_site, edges))
    if not counts:
        return edges
    found = []
    for edge in edges:
        if edge.name.startswith(OVERLOAD_PREFIX):
            for lines, certainty in zip(
                split_by_certainty(_call_site(edge), counts), ("resolved", "ambiguous"), strict=True
            ):
                if lines:
                    at = " ".join(map(str, lines))
                    found.append(edge._replace(lines=at, certainty=certainty))  # type: ignore[arg-type]
        else:
            found.append(edge)
    return found


def _call_site(edge: StoredEdge) -> CallSite:
    return (edge.file, edge.symbol, edge.kind), edge.at, edge.name


def edges_to_files(
    connection: sqlite3.Connection, files: Iterable[int], *kinds: str
) -> list[StoredEdge]:
    """Return the distinct edges to the files with these ids, used as modules; most are imports.

    With `kinds`, only edges of these kinds. An import of a package counts as one import of each
    file of the package.
    """
    column = "e.target_symbol IS NULL AND e.target_file"
    return _among(connection, column, files, kinds, select="SELECT DISTINCT")


def edges_to_external(connection: sqlite3.Connection, package: str) -> list[StoredEdge]:
    """Return the edges to an external package, or to members of the package."""
    return _named(connection, "e.target_file IS NULL AND e.certainty = 'resolved'", package)


def edges_to_external_names(
    connection: sqlite3.Connection, names: Iterable[str]
) -> list[StoredEdge]:
    """Return the edges to symbols outside the repository whose names in the code are in `names`."""
    column = "e.target_file IS NULL AND e.certainty = 'resolved' AND e.name_id"
    return _among(connection, column, name_ids(connection, names))


def edges_through_root(connection: sqlite3.Connection, names: Iterable[str]) -> list[StoredEdge]:
    """Return uses of external names that equal a name in `names` behind one more leading part.

    The leading part may be the name of the root package, which is unknown: a use of `shop.cart.add`
    may mean the `cart.add` of this repository.
    """
    found = [
        name_id
        for name in names
        for written, name_id in _ending(connection, name).items()
        if written.count(".") == name.count(".") + 1
    ]
    return _among(connection, "e.target_file IS NULL AND e.name_id", found, ("calls", "references"))


def edges_to_module(connection: sqlite3.Connection, module: str) -> list[StoredEdge]:
    """Return the imports of a module or of its members.

    `module` is the name that the imports use, such as `shop.cart`.
    """
    return _named(connection, "e.kind = 'imports'", module)


def _named(connection: sqlite3.Connection, where: str, name: str) -> list[StoredEdge]:
    bounds = (name, f"{name}\U0010ffff")
    names = "SELECT id FROM edge_names WHERE name BETWEEN ? AND ?"
    found = _edges(connection, f"{where} AND e.name_id IN ({names})", bounds)
    return [edge for edge in found if edge.name == name or edge.name[len(name)] in "./:"]


def edges_to_external_base(connection: sqlite3.Connection, name: str) -> list[StoredEdge]:
    """Return the `extends` edges to types outside the repository whose name ends with `name`.

    Only whole parts of a name count, separated by dots, slashes or colons: `Base` finds `Base` and
    `lib.Base`, not `MyBase`.
    """
    outer = "e.target_file IS NULL AND e.kind = 'extends' AND e.name_id"
    return _among(connection, outer, _ending(connection, name, " AND kind = 'extends'").values())


def possible_edges(
    connection: sqlite3.Connection,
    names: Iterable[str],
    *,
    languages: Iterable[str],
    with_references: bool = False,
) -> list[StoredEdge]:
    """Return the calls on a receiver of unknown type that may call members with these names.

    `languages` are the languages of the members: only code in related languages can call them.
    `with_references` adds the references by which a base type uses a member that only its subtypes
    define.
    """
    from codeindex.languages import language_family  # hooks import this module and need no language

    family = frozenset[str]().union(*map(language_family, languages))
    column = "e.target_file IS NULL AND e.certainty = 'ambiguous' AND e.name_id"
    kinds = ("calls", *["references"] * with_references)
    ids = name_ids(connection, names)
    return _among(connection, column, ids, kinds, languages=sorted(family))


def external_names(
    connection: sqlite3.Connection, name: str, *, imported: bool = False
) -> list[str]:
    """Return the names of external symbols that equal `name` or end with it.

    Only whole parts count, separated by dots, slashes or colons: `get` finds `requests.get`, not
    `widget`. With `imported`, return only names that imports use.
    """
    kind = " AND kind = 'imports'" if imported else ""
    return [*_ending(connection, name, f" AND certainty = 'resolved'{kind}")]


def lines_of_other_symbols(
    connection: sqlite3.Connection, names: Sequence[str], symbols: Collection[int]
) -> set[tuple[int, int]]:
    """Return (file id, line) of the resolved uses of indexed symbols with these names.

    Uses of `symbols` (ids) are left out.
    """
    rows = connection.execute(
        f"SELECT id FROM symbols WHERE folded IN ({placeholders(names)})"
        f" AND name IN ({placeholders(names)})",
        (*map(fold_name, names), *names),
    )
    others = [value for (value,) in rows if value not in symbols]
    return resolved_lines(edges_to(connection, others, *USE_KINDS))


def lines_of_external_symbols(
    connection: sqlite3.Connection, names: Sequence[str]
) -> set[tuple[int, int]]:
    """Return (file id, line) of the uses of symbols outside of the index with these names."""
    ids = [name_id for name in names for name_id in _ending(connection, name).values()]
    return resolved_lines(_among(connection, "e.target_file IS NULL AND e.name_id", ids))


def resolved_lines(edges: Iterable[StoredEdge]) -> set[tuple[int, int]]:
    """Return (file id, line) of each line of the edges that are resolved."""
    return {(edge.file, line) for edge in edges if edge.certainty == "resolved" for line in edge.at}


def uses_in_tests(
    connection: sqlite3.Connection, symbols: Iterable[int]
) -> set[tuple[int, int, str, str]]:
    """Return (file id, symbol id, kind, certainty) of each edge from a test file to the symbols.

    The two ids are those of the file and symbol that contain the use; the symbol id is 0 outside
    any symbol. The kind and certainty are those of the edge.
    """
    in_tests = "(SELECT is_test FROM files f WHERE f.id = e.source_file) AND e.target_symbol"
    found = _settled(_among(connection, in_tests, symbols))
    return {(edge.file, edge.symbol, edge.kind, edge.certainty) for edge in found}


def name_ids(connection: sqlite3.Connection, names: Iterable[str]) -> list[int]:
    """Return the `name_id` of the edges with each of these names, in no order."""
    rows = select_in(connection, "SELECT id FROM edge_names WHERE name IN (...)", names)
    return [number for (number,) in rows]


def _ending(connection: sqlite3.Connection, name: str, condition: str = "") -> dict[str, int]:
    """Return the external names that equal `name` or end with it after a dot, slash or colon.

    They are sorted, and have the `name_id` of their edges as values. `condition` is SQL that is
    added to the WHERE clause for these edges.
    """
    rows = connection.execute(
        "SELECT name, id FROM edge_names n WHERE last = :last"
        " AND (name = :name OR instr('./:', substr(name, -length(:name) - 1, 1))"
        " AND substr(name, -length(:name)) = :name)"
        " AND EXISTS (SELECT 1 FROM edges WHERE target_file IS NULL"
        f" AND name_id = n.id{condition}) ORDER BY name",
        {"name": name, "last": last_part(name)},
    )
    return dict(rows.fetchall())


def _among(
    connection: sqlite3.Connection,
    column: str,
    values: Iterable[int],
    kinds: Sequence[str] = (),
    *,
    languages: Sequence[str] = (),
    select: str = "SELECT",
) -> list[StoredEdge]:
    where = f" AND e.kind IN ({placeholders(kinds)})" if kinds else ""
    if languages:
        where += (
            " AND EXISTS (SELECT 1 FROM files f WHERE f.id = e.source_file"
            f" AND f.language IN ({placeholders(languages)}))"
        )
    return [
        edge
        for part in value_batches(values)
        for edge in _edges(
            connection,
            f"{column} IN ({placeholders(part)}){where}",
            (*part, *kinds, *languages),
            select,
        )
    ]


def _edges(
    connection: sqlite3.Connection,
    where: str,
    parameters: Sequence[int | str],
    select: str = "SELECT",
) -> Iterator[StoredEdge]:
    rows = connection.execute(f"{select} {_COLUMNS} FROM edges e WHERE {where}", parameters)
    return map(StoredEdge._make, rows)
