"""Read symbols and files as nodes of the graph: by written name, path or id."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath

from codeindex.store.catalog.skipped_files import read_file_state
from codeindex.store.catalog.sql_values import escape_like, placeholders, select_in
from codeindex.store.symbols.written_names import WrittenName, accepts_arguments, parse_written_name
from codeindex.text.words import fold_name
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Hit, Node, SymbolKind

SYMBOL_COLUMNS = (
    "s.id, f.id, f.path, s.name, s.qualified, s.kind, s.line, s.start_line, s.end_line,"
    " s.signature, s.doc, f.language, f.module, f.is_test, s.cyclomatic > 0"
)
NODE_COLUMNS = (  # of a symbol, or of the file if there is none
    "coalesce(s.id, 0), f.id, f.path, coalesce(s.name, f.path), coalesce(s.qualified, ''),"
    " coalesce(s.kind, 'file'), coalesce(s.line, 1), coalesce(s.start_line, 1),"
    " coalesce(s.end_line, f.lines), coalesce(s.signature, ''), coalesce(s.doc, ''),"
    " f.language, f.module, f.is_test, coalesce(s.cyclomatic, 0) > 0"
)
"""SQL columns of a `Node`; `s` is the table `symbols`, `f` the table `files`."""
WITHOUT_BODY = "(s.kind IN ('function', 'method', 'constructor') AND s.cyclomatic = 0)"
"""SQL condition for prototypes, abstract methods and functions without measures."""
_SYMBOLS = f"SELECT {SYMBOL_COLUMNS} FROM symbols s JOIN files f ON f.id = s.file_id"  # noqa: S608 (constant)
_FILES = f"SELECT {NODE_COLUMNS} FROM files f LEFT JOIN symbols s ON s.id = 0"  # noqa: S608 (constant)
_ENCLOSING = tuple(sorted(CALLABLE_KINDS | OWNER_KINDS | {SymbolKind.SECTION}))
"""Kinds of symbols that contain other code."""
_HIGHEST = 20
"""Maximum inheritance depth, which ends the search if types extend each other in a cycle."""
_DEEPEST = 64
"""Maximum number of parts of a name, because each part costs a look-up. The longest names in Java
have a dozen."""


def symbols_by_name(connection: sqlite3.Connection, text: str) -> list[Node]:
    """Return the symbols that a name may mean: `name`, `Owner.name`, `path::Owner.name`.

    A path may omit leading folders. `Owner` may inherit the member from a supertype. A member of a
    package may be defined below the package: `tokio::spawn` matches `tokio.task.spawn`. Case and
    underscores are ignored only if no symbol has exactly this spelling, and if `text` is not the
    path of a file that discovery left out, such as `.env`. Order: symbols outside of tests first,
    then symbols with a body, then symbols in central files.
    """
    written = parse_written_name(text)
    if written.dotted.count(".") >= _DEEPEST:
        return []
    text = text.strip()
    found = _matching_symbols(connection, text.removesuffix("()"), written)
    is_exact = any(text in {node.name, node.qualified} for node in found)
    if found and not is_exact and read_file_state(connection, text).reason:
        return []
    if written.types is None and written.arity is None:
        return found
    accepting = [node for node in found if accepts_arguments(node.signature, written)]
    functions = [node for node in accepting if node.kind in CALLABLE_KINDS] or accepting
    exact = [node for node in functions if accepts_arguments(node.signature, written, exactly=True)]
    return exact or functions or found


def symbols_with_names(connection: sqlite3.Connection, names: Iterable[str]) -> list[Node]:
    """Return the symbols that have one of these own names, if case and underscores are ignored.

    They are sorted by path, then in source order.
    """
    return _nodes(connection, f"{_SYMBOLS} WHERE s.folded", {fold_name(name) for name in names})


def symbol_of_hit(connection: sqlite3.Connection, hit: Hit) -> Node | None:
    """Return the symbol that a hit names; None if it names none.

    If several symbols in the file have this name, such as overloads, the line of the hit decides.
    """
    name = hit.symbol.partition(", ")[0]
    named = symbols_by_name(connection, f"{hit.path}::{name}") if name else []
    line = hit.line or hit.start_line

    def order(node: Node) -> tuple[bool, bool, bool]:
        is_inside = node.start_line <= line <= node.end_line
        return node.path != hit.path, node.line != line, not is_inside

    return min(named, key=order, default=None)


def _matching_symbols(
    connection: sqlite3.Connection, text: str, written: WrittenName
) -> list[Node]:
    """Return the symbols that a name may mean, whatever parameter types it states.

    `written` is the parsed form of `text`.
    """
    path, _, inner = text.partition("::")
    nodes = _named(connection, written.dotted)
    here = [node for node in nodes if inner and f"/{node.path}".endswith(f"/{path}")]
    dotted = parse_written_name(inner).dotted if here else written.dotted
    nodes = here or nodes
    below = [node for node in nodes if _is_below(node, dotted)]
    packaged = _of_package(connection, dotted, nodes)
    if packaged:
        return packaged
    nodes = _placed(nodes, dotted, _is_called)
    spelt = _placed(nodes, dotted, _is_spelt)
    spelt = spelt or [node for node in below if dotted.endswith(f".{node.name}")]
    named = spelt or nodes
    if written.types is None and written.arity is None:
        named = _most_exact(named, dotted)  # `Box(int)` is a constructor, `Box` is the class
    return named or _inherited(connection, text) or below


def _most_exact(nodes: Sequence[Node], dotted: str) -> list[Node]:
    """Drop symbols that match a name only by their module if others in the file match without it.

    `Cart.Cart` means the constructor in the class `Cart`, not the class `Cart` in the module
    `Cart`.
    """
    own = [node for node in nodes if f".{node.qualified}".endswith(f".{dotted}")]
    files = {node.file_id for node in own}
    return [node for node in nodes if node in own or node.file_id not in files]


def _named(connection: sqlite3.Connection, dotted: str) -> list[Node]:
    """Return the symbols whose own name is the last part, or the last parts, of `dotted`.

    For `A.B.c` these are `c`, `B.c` and `A.B.c`: names of Elixir modules contain dots. If nothing
    matches, return symbols whose name ends with `dotted` after a dot.
    """
    parts = fold_name(dotted).split(".")
    names = [".".join(parts[at:]) for at in range(len(parts))]
    found = _nodes_where(connection, f"s.folded IN ({placeholders(names)})", names)
    if found or len(parts) > _DEEPEST:
        return found
    longer = "s.id IN (SELECT id FROM symbols WHERE folded LIKE ? ESCAPE '\\')"
    return _nodes_where(connection, longer, [f"%.{escape_like(names[0])}"])


def methods_of(connection: sqlite3.Connection, type_: Node) -> list[Node]:
    """Return the methods of a type that have a body.

    They are in the file of the type, or in one of the same name with another ending (`x.h`, `x.c`):
    those in its folder, or else in any. Files that define an equally named type are left out.
    """
    name, home = type_.qualified, PurePosixPath(type_.path)
    stem = escape_like(home.stem)
    found = _nodes_where(
        connection,
        "s.file_id IN (SELECT id FROM files WHERE path LIKE ? ESCAPE '\\'"
        " OR path LIKE ? ESCAPE '\\')"
        " AND (s.qualified = ? OR s.qualified >= ? AND s.qualified < ?)",
        [f"%/{stem}.%", f"{stem}.%", name, f"{name}.", f"{name}.\U0010ffff"],
    )
    others = {node.path for node in found if node.kind in OWNER_KINDS and node.qualified == name}
    others.discard(type_.path)
    methods = [
        node
        for node in found
        if node.kind in {"function", "method"} and node.has_body and node.path not in others
        if PurePosixPath(node.path).stem == home.stem
    ]
    near = [node for node in methods if PurePosixPath(node.path).parent == home.parent]
    is_split = any(node.path != type_.path for node in near)
    return near if is_split else methods


def select_symbols(
    connection: sqlite3.Connection, condition: str, values: Iterable[object]
) -> list[Node]:
    """Return the symbols that meet an SQL condition, which may go on with ORDER BY and LIMIT.

    In the condition, `s` is the table `symbols`, and `f` the table `files`.
    """
    rows = connection.execute(f"{_SYMBOLS} WHERE {condition}", tuple(values))
    return [Node(*row) for row in rows]


def _nodes_where(
    connection: sqlite3.Connection, condition: str, values: Sequence[str]
) -> list[Node]:
    order = f"f.is_test, {WITHOUT_BODY}, f.centrality DESC, f.path, s.number"
    return select_symbols(connection, f"{condition} ORDER BY {order}", values)


def _placed(
    nodes: Sequence[Node], dotted: str, fits: Callable[[Node, str, str], bool]
) -> list[Node]:
    """Return the nodes whose full name fits `dotted`; the module comes before the qualified name.

    `fits(node, dotted, prefix)` decides, with the node's module as prefix. If no node fits, the
    parent package of the module is the prefix. In languages whose packages are folders, nodes that
    fit with either prefix are returned.
    """
    housed = [node for node in nodes if fits(node, dotted, node.module.rpartition(".")[0])]
    own = [node for node in nodes if fits(node, dotted, node.module)]
    if not own:
        return housed
    beside = _of_folder_packages(housed)
    return [node for node in nodes if node in own or node.id in beside]


def _of_folder_packages(nodes: Iterable[Node]) -> set[int]:
    from codeindex.languages import LANGUAGES  # hooks import this module, but need no languages

    return {node.id for node in nodes if LANGUAGES[node.language].folder_packages}


def _of_package(connection: sqlite3.Connection, dotted: str, nodes: Sequence[Node]) -> list[Node]:
    """Return those of `nodes` that the package named at the beginning of `dotted` exports.

    For `shop.Cart.add`, the package `shop` must export the `Cart` of the node's file.
    """
    parts = dotted.split(".")
    found: list[Node] = []
    for at in range(1, len(parts)) if nodes else ():
        rows = connection.execute(
            "SELECT file_id FROM shown_names WHERE package = ? AND name = ?",
            (".".join(parts[:at]), parts[at]),
        )
        files = {value for (value,) in rows}
        name = f".{'.'.join(parts[at:])}"
        found += [
            node for node in nodes if node.file_id in files and f".{node.qualified}".endswith(name)
        ]
    return found


def _inherited(connection: sqlite3.Connection, text: str) -> list[Node]:
    """Return the inherited members that `text` names: for `Cart.add`, each `add` of a supertype.

    `Cart` is the owner. Only the members of the nearest supertypes that have one are returned.
    """
    path, _, inner = text.partition("::")
    owner, _, member = parse_written_name(inner).dotted.rpartition(".")
    if owner:
        owner = f"{path}::{owner}"
    else:
        owner, _, member = parse_written_name(text).dotted.rpartition(".")
    if not owner:
        return []
    types = [
        symbol.id for symbol in symbols_by_name(connection, owner) if symbol.kind in OWNER_KINDS
    ]
    rows = connection.execute(
        f"WITH RECURSIVE above (type, steps) AS (SELECT id, 0 FROM symbols"  # noqa: S608 (marks)
        f" WHERE id IN ({placeholders(types)}) UNION SELECT e.target_symbol, steps + 1 FROM above"
        " JOIN symbols t ON t.id = type JOIN edges e ON e.source_file = t.file_id"
        " AND e.source_symbol = t.id AND e.kind = 'extends'"
        f" WHERE e.target_symbol IS NOT NULL AND steps < {_HIGHEST})"
        f" SELECT DISTINCT steps, {SYMBOL_COLUMNS} FROM above JOIN symbols t ON t.id = type"
        " JOIN symbols s ON s.file_id = t.file_id AND s.qualified = t.qualified || '.' || s.name"
        " JOIN files f ON f.id = s.file_id WHERE s.folded = ? ORDER BY steps, f.path, s.number",
        (*types, fold_name(member)),
    ).fetchall()
    return [Node(*row) for steps, *row in rows if steps == rows[0][0]]


def _is_below(node: Node, dotted: str) -> bool:
    """Tell whether `dotted` may name a top-level node by a package above the node's module.

    `tokio.spawn` may name the function `spawn` of the module `tokio.task`.
    """
    *owners, _ = dotted.split(".")
    folders = iter(node.module.split("."))
    return bool(owners) and "." not in node.qualified and all(owner in folders for owner in owners)


def _is_called(node: Node, dotted: str, place: str) -> bool:
    """Tell whether the node's full name ends with `dotted`, ignoring case and underscores.

    The full name is `place.qualified`, where `place` is the node's module or package:
    `shop.cart.Cart` ends with `cart.Cart`.
    """
    parts = [fold_name(part) for part in dotted.split(".")]
    own = [fold_name(part) for part in f"{place}.{node.qualified}".split(".")]
    return own[-len(parts) :] == parts


def _is_spelt(node: Node, dotted: str, place: str) -> bool:
    """Tell whether the node's full name ends with `dotted` in the same spelling.

    `_is_called` explains the full name and `place`.
    """
    return f".{place}.{node.qualified}".endswith(f".{dotted}")


def enclosing_symbols(connection: sqlite3.Connection, file_id: int) -> list[Node]:
    """Return the functions, types, tests and sections of a file, outer before inner symbols."""
    condition = f"s.file_id = ? AND s.kind IN ({placeholders(_ENCLOSING)})"
    order = "ORDER BY s.start_line, -s.end_line"
    return select_symbols(connection, f"{condition} {order}", (file_id, *_ENCLOSING))


def definition_lines(
    connection: sqlite3.Connection, paths: Iterable[str]
) -> dict[str, frozenset[int]]:
    """Return {path: lines on which symbols are defined} for these files."""
    statement = (
        "SELECT f.path, s.line FROM files f JOIN symbols s ON s.file_id = f.id"
        " WHERE f.path IN (...)"
    )
    found = defaultdict[str, set[int]](set)
    for path, line in select_in(connection, statement, paths):
        found[path].add(line)
    return {path: frozenset(lines) for path, lines in found.items()}


def innermost_symbol(symbols: Iterable[Node], line: int) -> str:
    """Return the qualified name of the innermost symbol that contains a line, '' for none.

    `symbols` is the result of `enclosing_symbols`.
    """
    found = ""
    for symbol in symbols:
        if symbol.start_line > line:
            break
        if line <= symbol.end_line:
            found = symbol.qualified
    return found


def file_nodes(connection: sqlite3.Connection, paths: Iterable[str]) -> list[Node]:
    """Return the nodes of the files with these paths; unknown paths are left out."""
    return _nodes(connection, f"{_FILES} WHERE f.path", paths)


def file_nodes_by_id(connection: sqlite3.Connection, ids: Iterable[int]) -> list[Node]:
    """Return the nodes of the files with these ids."""
    return _nodes(connection, f"{_FILES} WHERE f.id", ids)


def symbols_by_id(connection: sqlite3.Connection, ids: Iterable[int]) -> list[Node]:
    """Return the nodes of the symbols with these ids, sorted by path, then in source order."""
    return _nodes(connection, f"{_SYMBOLS} WHERE s.id", ids)


def _nodes(connection: sqlite3.Connection, select: str, values: Iterable[int | str]) -> list[Node]:
    """Return the nodes that the statement `select` finds for these values.

    `select` ends with the name of the column that must have one of the values. The nodes are sorted
    by path, then in source order.
    """
    statement = f"{select} IN (SELECT value FROM json_each(?)) ORDER BY f.path, s.number"  # noqa: S608 (constants)
    return [Node(*row) for row in connection.execute(statement, (json.dumps([*values]),))]


def nodes_by_id(
    connection: sqlite3.Connection, ends: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], Node]:
    """Return {(file id, symbol id): node} for these pairs; symbol id 0 means the file itself.

    If a symbol was deleted, as can happen during a sync, its node is the file.
    """
    wanted = set(ends)
    symbols = {
        symbol.id: symbol
        for symbol in symbols_by_id(connection, sorted({it for _, it in wanted} - {0}))
    }
    others = {file for file, symbol in wanted if symbol not in symbols}
    files = {node.file_id: node for node in file_nodes_by_id(connection, sorted(others))}
    found = {end: symbols.get(end[1]) or files.get(end[0]) for end in wanted}
    return {end: node for end, node in found.items() if node}


def symbol_kinds(connection: sqlite3.Connection, ids: Iterable[int]) -> dict[int, str]:
    """Return {symbol id: kind}; the kind of id 0 is `file`."""
    kinds = {0: "file"}
    kinds.update(select_in(connection, "SELECT id, kind FROM symbols WHERE id IN (...)", ids))
    return kinds


def test_files_among(connection: sqlite3.Connection, files: Iterable[int]) -> set[int]:
    """Return the ids of the test files among these files."""
    sql = "SELECT id FROM files WHERE is_test AND id IN (...)"
    return {value for (value,) in select_in(connection, sql, files)}
