"""What context is wanted for: files or symbols, each with all that is defined in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from posixpath import splitext
from typing import TYPE_CHECKING

from codeindex.analysis.subject import find_file_path, find_symbols
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.nodes import file_nodes

if TYPE_CHECKING:
    import sqlite3

    from codeindex.types import Node


@dataclass(frozen=True, slots=True)
class Focus:
    """`nodes` are what was named, `inside` the ids of these and all symbols within them.

    `paths` may be of files that are not indexed, such as deleted ones: history knows them.
    """

    nodes: tuple[Node, ...]
    inside: frozenset[int]
    paths: frozenset[str]

    @property
    def files(self) -> tuple[int, ...]:
        """The files that are meant as a whole."""
        return tuple(one.file_id for one in self.nodes if not one.id)


def resolve_focus(connection: sqlite3.Connection, path_or_symbol: str) -> Focus:
    """Return what a path or a name means; QueryError with the nearest known ones if nothing."""
    said = str(path_or_symbol).strip().removeprefix("./")
    exact = file_nodes(connection, [said])
    if not exact and _looks_like_path(connection, said):
        exact = file_nodes(connection, [find_file_path(connection, said)])
    return make_focus(connection, exact or find_symbols(connection, said))


def make_focus(
    connection: sqlite3.Connection, nodes: Iterable[Node], *, also: Iterable[str] = ()
) -> Focus:
    """Take these symbols and files together, and the history of paths besides."""
    all_ = tuple(nodes)
    inside: set[int] = set()
    for file_id in {one.file_id for one in all_}:
        names = {one.qualified for one in all_ if one.file_id == file_id}
        inside.update(
            one.id
            for one in declarations_in(connection, [file_id])
            if "" in names or any(f"{one.qualified}.".startswith(f"{name}.") for name in names)
        )
    return Focus(all_, frozenset(inside), frozenset({one.path for one in all_} | set(also)))


def _looks_like_path(connection: sqlite3.Connection, said: str) -> bool:
    if "::" in said:
        return False
    suffix = splitext(said)[1]
    known = "SELECT 1 FROM files WHERE path LIKE ? ESCAPE '!' LIMIT 1"
    escaped = suffix.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return "/" in said or bool(suffix and connection.execute(known, (f"%{escaped}",)).fetchone())
