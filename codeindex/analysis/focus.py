"""Resolve a path or name to its symbols or files and everything that is defined in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from posixpath import splitext

from codeindex.analysis.subject import find_file_path, find_symbols
from codeindex.store.catalog.files import has_suffix
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.nodes import file_nodes
from codeindex.types import CALLABLE_KINDS, Node


@dataclass(frozen=True, slots=True)
class Focus:
    """The symbols and files that a question is about: `nodes`.

    `inside` holds the ids of these symbols and of all symbols defined in the nodes. `paths` are the
    paths to look up in the git history, so they may also name files that are not indexed, such as
    deleted ones.
    """

    nodes: tuple[Node, ...]
    inside: frozenset[int]
    paths: frozenset[str]

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
