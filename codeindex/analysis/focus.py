"""Resolve a path or name to its symbols or files and everything that is defined in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from posixpath import splitext

from codeindex.analysis.subject import find_file_path, find_symbols, with_definitions
from codeindex.store.catalog.files import has_suffix
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.nodes import file_nodes, symbols_by_id
from codeindex.types import CALLABLE_KINDS, Node


@dataclass(frozen=True, slots=True)
class Focus:
    """The symbols and files that a question is about: `nodes`.

    `inside` holds the ids of these symbols and of all symbols defined in the nodes. `paths` are the
    paths to look up in the git history, so they may also name files that are not indexed, such as
    deleted ones. `definitions` are symbols outside of the focus that it declares; they are empty
    unless `find_definitions` has looked for them.
    """

    nodes: tuple[Node, ...]
    inside: frozenset[int]
    paths: frozenset[str]
    definitions: tuple[Node, ...] = ()

    @property
    def files(self) -> tuple[int, ...]:
        """The file ids of those nodes that are whole files."""
        return tuple(node.file_id for node in self.nodes if not node.id)


def resolve_focus(connection: sqlite3.Connection, path_or_symbol: str) -> Focus:
    """Resolve a path or symbol name; for an unknown one, raise QueryError with similar names."""
    name = str(path_or_symbol).strip().removeprefix("./")
    exact = file_nodes(connection, [name])
    if not exact and _looks_like_path(connection, name):
        exact = file_nodes(connection, [find_file_path(connection, name)])
    return make_focus(connection, exact or find_symbols(connection, name))


def make_focus(
    connection: sqlite3.Connection, nodes: Iterable[Node], *, also: Iterable[str] = ()
) -> Focus:
    """Combine nodes into one focus; `also` are further paths to look up in the git history."""
    all_ = tuple(nodes)
    inside: set[int] = set()
    for file_id in {node.file_id for node in all_}:
        own = [node for node in all_ if node.file_id == file_id]
        inside |= _defined_inside(own, declarations_in(connection, [file_id]))
    return Focus(all_, frozenset(inside), frozenset({node.path for node in all_} | set(also)))


def find_definitions(connection: sqlite3.Connection, focus: Focus) -> Focus:
    """Return the focus with the definitions of what it only declares, as a C header does.

    The users of a declaration are those of its definition.
    """
    own = symbols_by_id(connection, focus.inside)
    found = with_definitions(connection, own)
    return replace(focus, definitions=tuple(node for node in found if node.id not in focus.inside))


def _defined_inside(nodes: Sequence[Node], declared: Sequence[Node]) -> set[int]:
    """Return the ids of the symbols of a file that are in `nodes` or inside one of them.

    `declared` are all symbols of the file. Other overloads of the nodes, and symbols inside those,
    are left out.
    """
    names, ids = {node.qualified for node in nodes}, {node.id for node in nodes}
    others = [
        (node.start_line, node.end_line)
        for node in declared
        if node.kind in CALLABLE_KINDS and node.qualified in names and node.id not in ids
    ]
    return {
        node.id
        for node in declared
        if node.id in ids
        or "" in names
        or (
            any(f"{node.qualified}.".startswith(f"{name}.") for name in names)
            and not any(start <= node.line <= end for start, end in others)
        )
    }


def _looks_like_path(connection: sqlite3.Connection, name: str) -> bool:
    if "::" in name:
        return False
    suffix = splitext(name)[1]
    return "/" in name or bool(suffix and has_suffix(connection, suffix))
