"""Exclude methods that are called without being named: overrides."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from codeindex.analysis.visibility import is_private_to_file
from codeindex.languages import LANGUAGES
from codeindex.store.graph.usage import read_bases
from codeindex.store.symbols.by_name import symbols_by_folded_names
from codeindex.store.symbols.symbol_lists import qualified_names_ending_with
from codeindex.text.words import fold_name
from codeindex.types import Node


def exclude_implicitly_called(connection: sqlite3.Connection, nodes: Iterable[Node]) -> list[Node]:
    """Return those of `nodes` that no code calls without naming them.

    Left out are overrides of methods of a base type. A method of a type with an external base
    counts as an override.
    """
    nodes = tuple(nodes)
    standing_in = _find_overrides(connection, {node.name for node in nodes})
    return [
        node
        for node in nodes
        if is_private_to_file(node) or (node.path, node.qualified) not in standing_in
    ]


def _find_overrides(connection: sqlite3.Connection, names: Collection[str]) -> _Overrides:
    """Return the overrides among the methods with these names."""
    bases: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in read_bases(connection):
        target = (row.base_path or "", row.base) if row.base else ("", row.target_name)
        bases.setdefault((row.path, row.name), []).append(target)
    return _Overrides(bases, qualified_names_ending_with(connection, names))


def types_of_frameworks(connection: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """Return (path, qualified name) of the types that other code may find by a base type.

    A base type, also an indirect one, is external, and a framework may look for its subtypes; or
    it has a method that runs when a subtype is defined, and may register it. Exception types are
    left out, because nothing looks for their subtypes.
    """
    hook_names = {name for known in LANGUAGES.values() for name in known.subtype_hooks}
    hooks = symbols_by_folded_names(connection, map(fold_name, hook_names))
    registering = {
        (hook.path, hook.qualified.rpartition(".")[0])
        for hook in hooks
        if hook.name in LANGUAGES[hook.language].subtype_hooks
    }
    found: set[tuple[str, str]] = set()
    subtypes: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in read_bases(connection):
        if row.base:
            base = (row.base_path or "", row.base)
            subtypes.setdefault(base, []).append((row.path, row.name))
            if base in registering:
                found.add((row.path, row.name))
        elif row.target_name not in _INERT_BASES and not row.target_name.endswith(_EXCEPTIONS):
            found.add((row.path, row.name))
    todo = list(found)
    while todo:
        more = set(subtypes.get(todo.pop(), ())) - found
        found |= more
        todo += more
    return frozenset(found)


_INERT_BASES = frozenset(
    {"object", "Exception", "ABC", "abc.ABC", "typing.Protocol", "typing.Generic"}
)
"""External base types that do not call methods of a subclass by name."""
_EXCEPTIONS = ("Exception", "Error")
"""Ends of the names of external exception types."""


@dataclass(frozen=True, slots=True)
class _Overrides:
    """The methods that override a base method, as a set of (path, qualified name).

    A method counts if a base type of its type, also an indirect one, is external or has a method of
    the same name.
    """

    bases: Mapping[tuple[str, str], list[tuple[str, str]]]
    symbols: frozenset[tuple[str, str]]

    def __contains__(self, method: tuple[str, str]) -> bool:
        path, qualified = method
        owner, _, name = qualified.rpartition(".")
        visited, todo = set(), list(self.bases.get((path, owner), ()))
        while todo:
            base = todo.pop()
            if base in visited:
                continue
            visited.add(base)
            outside = not base[0] and base[1] not in _INERT_BASES
            if outside or (base[0], f"{base[1]}.{name}") in self.symbols:
                return True
            todo += self.bases.get(base, ())
        return False
