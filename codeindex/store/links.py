"""Questions to the graph: symbols by what people call them, and what is linked with what.

Neighbour questions are SQL over two indexes; nothing here loads a graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from codeindex.store.parts import in_parts, marks
from codeindex.types import USE_KINDS, Link, Node
from codeindex.words import fold

if TYPE_CHECKING:
    import sqlite3

_SYMBOL = (
    "s.id, f.id, f.path, s.name, s.qualified, s.kind, s.line, s.start_line, s.end_line,"
    " s.signature, s.doc, f.language, f.module, f.is_test"
)
_EITHER = (  # a symbol, or the file where there is none
    "coalesce(s.id, 0), f.id, f.path, coalesce(s.name, f.path), coalesce(s.qualified, ''),"
    " coalesce(s.kind, 'file'), coalesce(s.line, 1), coalesce(s.start_line, 1),"
    " coalesce(s.end_line, f.lines), coalesce(s.signature, ''), coalesce(s.doc, ''),"
    " f.language, f.module, f.is_test"
)
_EDGE = "e.kind, e.certainty, e.lines, e.target_name"


class Arrow(NamedTuple):
    """A use by what is used: the id of a symbol, or of a file as a module; the other is 0."""

    symbol: int
    file: int
    link: Link


def nodes_called(connection: sqlite3.Connection, text: str) -> list[Node]:
    """Return the symbols that a name may mean: `name`, `Owner.name`, `path::Owner.name`.

    A path may leave out its first folders. Case and underscores count only where some symbol is
    spelt exactly so. Definitions outside of tests come first, in central files before others.
    """
    said = text.strip().removesuffix("()")
    path, _, inner = said.partition("::")
    rows = connection.execute(
        f"SELECT {_SYMBOL} FROM symbols s JOIN files f ON f.id = s.file_id"  # noqa: S608 (constant)
        " WHERE s.folded = ? ORDER BY f.is_test, f.centrality DESC, f.path, s.number",
        (fold(_dotted(said).rpartition(".")[2]),),
    )
    nodes = [Node(*row) for row in rows]
    here = [one for one in nodes if inner and f"/{one.path}".endswith(f"/{path}")]
    dotted = _dotted(inner if here else said)
    nodes = here or nodes
    nodes = [one for one in nodes if _is_called(one, dotted, one.module)] or [
        one for one in nodes if _is_called(one, dotted, one.module.rpartition(".")[0])
    ]
    return [one for one in nodes if f".{one.qualified}".endswith(f".{dotted}")] or nodes


def _dotted(name: str) -> str:
    return name.replace("::", ".").replace("#", ".").replace("->", ".")


def _is_called(node: Node, dotted: str, place: str) -> bool:
    """Tell whether the owners, and before them a module or package, are those that were said."""
    said = [fold(part) for part in dotted.split(".")]
    own = [fold(part) for part in f"{place}.{node.qualified}".split(".")]
    return own[-len(said) :] == said


def links_to(connection: sqlite3.Connection, symbols: Iterable[int], *kinds: str) -> list[Link]:
    """Return every use of any of these symbols, with who uses it, by path and line."""
    return _sources(connection, "e.target_symbol", symbols, kinds)


def links_from_tests(connection: sqlite3.Connection, symbols: Iterable[int]) -> list[Link]:
    """Return the uses of any of these symbols in tests."""
    return _sources(connection, "f.is_test AND e.target_symbol", symbols, ())


def links_to_files(connection: sqlite3.Connection, files: Iterable[int], *kinds: str) -> list[Link]:
    """Return every use of these files as modules, above all who imports them."""
    return _sources(connection, "e.target_symbol IS NULL AND e.target_file", files, kinds)


def links_to_outside(connection: sqlite3.Connection, package: str) -> list[Link]:
    """Return every use of a package that is not in the repository, or of anything in it."""
    return _named(connection, "e.target_file IS NULL AND e.certainty = 'resolved'", package)


def links_to_module(connection: sqlite3.Connection, module: str) -> list[Link]:
    """Return the imports that name a module, or anything in it, as they are written."""
    return _named(connection, "e.kind = 'imports'", module)


def _named(connection: sqlite3.Connection, where: str, name: str) -> list[Link]:
    bounds = (name, f"{name}\U0010ffff")
    found = _used(connection, f"{where} AND e.target_name BETWEEN ? AND ?", bounds)
    return _in_order(one for one in found if one.name == name or one.name[len(name)] in "./:")


def links_to_outer_base(connection: sqlite3.Connection, name: str) -> list[Link]:
    """Return the types that extend one of this name which is not in the repository."""
    where = f"e.target_file IS NULL AND e.kind = 'extends' AND {_ENDING}"
    return _in_order(_used(connection, where, [name] * 4))


_ENDING = (
    "(e.target_name = ? OR substr(e.target_name, -length(?)) = ?"
    " AND instr('./:', substr(e.target_name, -length(?) - 1, 1)))"
)
"""That a name, given four times, is the last part of what an edge leads to outside."""


def lines_using(connection: sqlite3.Connection, names: Sequence[str]) -> set[tuple[str, int]]:
    """Return the lines where one of these names is known to be something, whatever that is."""
    given = marks(names)
    folded = [fold(one) for one in names]
    rows = connection.execute(
        "SELECT f.path, e.lines FROM symbols s JOIN edges e ON e.target_symbol = s.id"  # noqa: S608 (marks)
        f" JOIN files f ON f.id = e.source_file WHERE s.folded IN ({given}) AND s.name IN ({given})"
        f" AND e.certainty = 'resolved'{_of_kind(USE_KINDS)}",
        (*folded, *names, *USE_KINDS),
    ).fetchall()
    for one in names:
        rows += connection.execute(
            "SELECT f.path, e.lines FROM edges e JOIN files f ON f.id = e.source_file"  # noqa: S608 (constant)
            f" WHERE e.target_file IS NULL AND e.certainty = 'resolved' AND {_ENDING}",
            [one] * 4,
        )
    return {(path, int(line)) for path, lines in rows for line in lines.split()}


def possible_calls(
    connection: sqlite3.Connection,
    names: Iterable[str],
    *,
    languages: Iterable[str],
    handed: bool = False,
) -> list[Link]:
    """Return calls of members with these names on something of which nothing is known.

    `languages` are those of the members, as others cannot call them; `handed` adds where an object
    hands on a member of its own that only its subtypes have.
    """
    from codeindex.languages.families import kin  # brings all languages, 20 ms

    family = frozenset[str]().union(*map(kin, languages))
    column = "e.target_file IS NULL AND e.certainty = 'ambiguous' AND e.target_name"
    found = _sources(connection, column, names, ("calls", *["references"] * handed))
    return [one for one in found if one.node and one.node.language in family]


def links_from(connection: sqlite3.Connection, node: Node, *kinds: str) -> list[Link]:
    """Return what a symbol, with all that is defined in it, or a whole file uses."""
    inside = (
        ""
        if not node.id
        else (
            " AND e.source_symbol IN (SELECT id FROM symbols WHERE file_id = e.source_file"
            " AND (id = ? OR qualified >= ? AND qualified < ?))"
        )
    )
    prefix = f"{node.qualified}."
    parameters: list[Any] = [node.file_id]
    parameters += [node.id, prefix, f"{prefix}\U0010ffff"] if node.id else []
    rows = connection.execute(
        f"SELECT {_EDGE}, {_EITHER} FROM edges e LEFT JOIN files f ON f.id = e.target_file"  # noqa: S608 (marks)
        " LEFT JOIN symbols s ON s.id = e.target_symbol"
        f" WHERE e.source_file = ?{inside}{_of_kind(kinds)}",
        (*parameters, *kinds),
    )
    return sorted((_link(row) for row in rows), key=lambda one: (one.lines, one.name))


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
                f"SELECT {end}, {_EDGE}, {_EITHER} FROM edges e"  # noqa: S608 (marks)
                " JOIN files f ON f.id = e.source_file"
                " LEFT JOIN symbols s ON s.id = e.source_symbol"
                f" WHERE {column} IN ({marks(part)}) ORDER BY f.path, e.id",
                part,
            )
            for symbol, file, *rest in rows:
                yield Arrow(symbol, file, _link(rest))


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
            f"SELECT made.id, made.line, {_SYMBOL} FROM symbols made"  # noqa: S608 (marks)
            " JOIN symbols s ON s.file_id = made.file_id JOIN files f ON f.id = s.file_id"
            f" WHERE made.id IN ({marks(part)}) AND {carries}",
            part,
        )
        for symbol, line, *node in rows:
            yield Arrow(symbol, 0, Link(kind, "resolved", (line,), "", Node(*node)))


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


def file_nodes(connection: sqlite3.Connection, paths: Iterable[str]) -> list[Node]:
    """Return the nodes of files, of those that are indexed."""
    return _files(connection, "f.path", paths)


def files_of(connection: sqlite3.Connection, ids: Iterable[int]) -> list[Node]:
    """Return the nodes of files by their ids."""
    return _files(connection, "f.id", ids)


def _files(connection: sqlite3.Connection, column: str, values: Iterable[int | str]) -> list[Node]:
    found = []
    for part in in_parts(values):
        rows = connection.execute(
            f"SELECT {_EITHER} FROM files f LEFT JOIN symbols s ON s.id = 0"  # noqa: S608 (marks)
            f" WHERE {column} IN ({marks(part)}) ORDER BY f.path",
            part,
        )
        found += [Node(*row) for row in rows]
    return found


def symbols_of(connection: sqlite3.Connection, ids: Iterable[int]) -> list[Node]:
    """Return the nodes of symbols by their ids, in the order of the source."""
    found = []
    for part in in_parts(ids):
        rows = connection.execute(
            f"SELECT {_SYMBOL} FROM symbols s JOIN files f ON f.id = s.file_id"  # noqa: S608 (marks)
            f" WHERE s.id IN ({marks(part)}) ORDER BY f.path, s.number",
            part,
        )
        found += [Node(*row) for row in rows]
    return found


def _of_kind(kinds: Sequence[str]) -> str:
    return f" AND e.kind IN ({marks(kinds)})" if kinds else ""


def _sources(
    connection: sqlite3.Connection, column: str, values: Iterable[int | str], kinds: Sequence[str]
) -> list[Link]:
    return _in_order(
        link
        for part in in_parts(values)
        for link in _used(
            connection, f"{column} IN ({marks(part)}){_of_kind(kinds)}", (*part, *kinds)
        )
    )


def _used(
    connection: sqlite3.Connection, where: str, parameters: Sequence[int | str]
) -> Iterator[Link]:
    """Yield the edges that a condition on `e` holds for, as links to what uses."""
    rows = connection.execute(
        f"SELECT {_EDGE}, {_EITHER} FROM edges e JOIN files f ON f.id = e.source_file"  # noqa: S608 (marks)
        f" LEFT JOIN symbols s ON s.id = e.source_symbol WHERE {where}",
        parameters,
    )
    return map(_link, rows)


def _link(row: Sequence[Any]) -> Link:
    kind, certainty, lines, name, *rest = row
    return Link(
        kind=kind,
        certainty=certainty,
        lines=tuple(map(int, lines.split())),
        name=name,
        node=Node(*rest) if rest[1] is not None else None,
    )


def _in_order(links: Iterable[Link]) -> list[Link]:
    return sorted(links, key=lambda one: (one.node.path if one.node else "", one.lines))
