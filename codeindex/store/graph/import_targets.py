"""Find the targets of imports by the module name that is written in the import."""

from __future__ import annotations

import re
import sqlite3

from codeindex.store.catalog.sql_values import placeholders
from codeindex.store.graph.edges import external_names, name_ids
from codeindex.store.symbols.nodes import symbols_by_id
from codeindex.store.symbols.written_names import dotted_name
from codeindex.types import Node

_SEPARATORS = re.compile(r"::|[./:]")


def symbols_imported_from(connection: sqlite3.Connection, module: str, name: str) -> list[Node]:
    """Return the symbols called `name` to which imports from `module` resolve.

    Symbols that the module only re-exports are included.
    """
    rows = connection.execute(
        "SELECT DISTINCT target_symbol FROM edges WHERE kind = 'imports'"
        " AND name_id = (SELECT id FROM edge_names WHERE name = ?) AND target_symbol IS NOT NULL",
        (module,),
    )
    return [
        symbol
        for symbol in symbols_by_id(connection, (it for (it,) in rows))
        if symbol.name == name
    ]


def files_imported_as(connection: sqlite3.Connection, module: str) -> set[int]:
    """Return the ids of the files to which imports of exactly this module name resolve."""
    rows = connection.execute(
        "SELECT DISTINCT target_file FROM edges WHERE kind = 'imports'"
        " AND name_id = (SELECT id FROM edge_names WHERE name = ?)"
        " AND target_file IS NOT NULL AND target_symbol IS NULL",
        (module,),
    )
    return {value for (value,) in rows}


def external_imports(connection: sqlite3.Connection, name: str) -> list[tuple[int, str, int]]:
    """Return (file id, path, first line) of the imports of an external name outside of tests."""
    dotted = dotted_name(name)
    ending = external_names(connection, dotted.rpartition(".")[2], imported=True)
    names = [item for item in ending if f".{dotted_name(item)}".endswith(f".{dotted}")]
    ids = name_ids(connection, names)
    rows = connection.execute(
        "SELECT f.id, f.path, e.lines FROM edges e JOIN files f ON f.id = e.source_file"  # noqa: S608 (marks)
        f" WHERE e.kind = 'imports' AND e.name_id IN ({placeholders(ids)})"
        " AND e.target_file IS NULL AND NOT f.is_test ORDER BY f.path",
        ids,
    )
    return [(file_id, path, int(lines.partition(" ")[0])) for file_id, path, lines in rows]


def modules_ending(connection: sqlite3.Connection, name: str) -> list[str]:
    """Return the module names in imports whose last parts equal the parts of `name`.

    Dots, slashes and colons separate parts: `shop.cart` matches `lib/shop/cart`.
    """
    parts = _SEPARATORS.split(name)
    rows = connection.execute(
        "SELECT name FROM edge_names WHERE id IN (SELECT name_id FROM edges WHERE kind = 'imports')"
        " ORDER BY name"
    )
    return [value for (value,) in rows if _SEPARATORS.split(value)[-len(parts) :] == parts]


def used_external_names(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return (language, name) of every name outside the repository that its code uses, sorted."""
    return connection.execute(
        "SELECT DISTINCT f.language, e.target_name FROM edges e"
        " JOIN files f ON f.id = e.source_file"
        " WHERE e.target_file IS NULL AND e.certainty = 'resolved' ORDER BY 1, 2"
    ).fetchall()


def files_importing(connection: sqlite3.Connection, node: Node) -> dict[str, bool]:
    """Return {path: flag} of the files that import `node` or, as a module, the file of `node`.

    The flag is true if the file imports `node` by its name.
    """
    rows = connection.execute(
        "SELECT f.path, max(e.target_symbol IS ?) FROM edges e JOIN files f ON f.id = e.source_file"
        " WHERE e.kind = 'imports' AND e.target_file = ?"
        " AND (e.target_symbol IS NULL OR e.target_symbol = ?) GROUP BY f.path",
        (node.id, node.file_id, node.id),
    )
    return {path: bool(is_symbol) for path, is_symbol in rows}
