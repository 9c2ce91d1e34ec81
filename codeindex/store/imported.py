"""What imports lead to, by the module as they write it: from within as from outside."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeindex.store.nodes import symbols_of
from codeindex.types import Node

if TYPE_CHECKING:
    import sqlite3

_SEPARATORS = re.compile(r"::|[./:]")


def symbols_imported_from(connection: sqlite3.Connection, module: str, name: str) -> list[Node]:
    """Return the symbols of this name that imports take from a module, whoever defines them."""
    rows = connection.execute(
        "SELECT DISTINCT target_symbol FROM edges WHERE kind = 'imports' AND target_name = ?"
        " AND target_symbol IS NOT NULL",
        (module,),
    )
    return [one for one in symbols_of(connection, (it for (it,) in rows)) if one.name == name]


def files_imported_as(connection: sqlite3.Connection, module: str) -> set[int]:
    """Return the files here that imports of a module, written just so, lead to."""
    rows = connection.execute(
        "SELECT DISTINCT target_file FROM edges WHERE kind = 'imports' AND target_name = ?"
        " AND target_file IS NOT NULL AND target_symbol IS NULL",
        (module,),
    )
    return {one for (one,) in rows}


def modules_ending(connection: sqlite3.Connection, name: str) -> list[str]:
    """Return the modules, as imports write them, whose last parts are those of a name."""
    said = _SEPARATORS.split(name)
    rows = connection.execute("SELECT DISTINCT target_name FROM edges WHERE kind = 'imports'")
    return [one for (one,) in rows if _SEPARATORS.split(one)[-len(said) :] == said]
