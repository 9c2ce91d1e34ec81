"""Hold the code in which unused symbols are searched: symbols, how they are nested, and texts."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from codeindex.analysis.relations.name_mentions import NameMentions
from codeindex.types import OWNER_KINDS, Node


class SearchedCode(NamedTuple):
    """The searched files.

    `declared` are all symbols of these files; `public` are the ids of candidates that other files
    may use; `mentions` reads the text of each file once.
    """

    connection: sqlite3.Connection
    declared: Sequence[Node]
    public: Collection[int]
    mentions: NameMentions

    def declared_beside(self, nodes: Iterable[Node]) -> list[Node]:
        """Return all symbols that the files of `nodes` declare."""
        paths = {node.path for node in nodes}
        return [node for node in self.declared if node.path in paths]


class NestedSymbols:
    """Declared symbols by path and qualified name: owners, members, enclosing symbols."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._every: dict[tuple[str, str], Node] = {}
        self._owners: dict[tuple[str, str], list[Node]] = {}
        self._members: dict[tuple[str, str], list[Node]] = {}
        for node in nodes:
            self._every.setdefault((node.path, node.qualified), node)
            if node.kind in OWNER_KINDS:
                self._owners.setdefault((node.path, node.qualified), []).append(node)
            self._members.setdefault(owner_key(node), []).append(node)

    def owner(self, node: Node) -> Node | None:
        """Return the type that owns a symbol, or the extension of it that contains the symbol."""
        owners = self._owners.get(owner_key(node), ())
        around = (each for each in owners if each.start_line <= node.line <= each.end_line)
        return next(around, owners[0] if owners else None)

    def members(self, node: Node) -> Sequence[Node]:
        """Return the members of a type; () for any other symbol."""
        key = (node.path, node.qualified)
        return self._members.get(key, ()) if node.kind in OWNER_KINDS else ()

    def enclosing(self, node: Node) -> Iterator[Node]:
        """Yield the symbols around a symbol, the outermost first."""
        parts = node.qualified.split(".")
        for end in range(1, len(parts)):
            if around := self._every.get((node.path, ".".join(parts[:end]))):
                yield around


def owner_key(node: Node) -> tuple[str, str]:
    """Return the path and qualified name of the symbol that contains `node`; '' at the top."""
    return node.path, node.qualified.rpartition(".")[0]


def owners_of(members: Iterable[Node], selects: Callable[[Node], bool]) -> set[tuple[str, str]]:
    """Return (path, qualified name) of the owner of each member for which `selects` is true."""
    return {owner_key(member) for member in members if selects(member)}
