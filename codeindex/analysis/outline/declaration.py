"""Describe symbols by their declaration, without the body."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from codeindex.analysis.visibility import public_ids
from codeindex.types import Node

DECLARATION_COLUMNS = ("file", "line", "kind", "name", "signature")


@dataclass(frozen=True, slots=True)
class ShortDeclaration:
    """A symbol in short form: without its file, documentation and body.

    `name` is the qualified name.
    """

    name: str
    kind: str
    line: int
    signature: str

    def in_short(self) -> str:
        """Return the symbol as one line of printed text, without the file."""
        return f"{self.line}: {self.kind} {self.name}  {self.signature}".rstrip()


@dataclass(frozen=True, slots=True)
class Declaration:
    """A symbol without its body; `name` is the qualified name."""

    file: str
    name: str
    kind: str
    line: int
    end_line: int
    signature: str
    doc: str
    public: bool
    is_test: bool

    def brief(self) -> ShortDeclaration:
        return ShortDeclaration(self.name, self.kind, self.line, self.signature)

    def in_short(self) -> str:
        """Return the symbol as one line of printed text, without the file."""
        return self.brief().in_short()


def describe_nodes(
    connection: sqlite3.Connection, nodes: Iterable[Node]
) -> tuple[Declaration, ...]:
    """Return the declarations of graph nodes, in the same order."""
    ordered = list(nodes)
    public = public_ids(connection, ordered)
    return tuple(describe_node(node, public=node.id in public) for node in ordered)


def describe_node(node: Node, *, public: bool) -> Declaration:
    """Return the declaration of a graph node."""
    return Declaration(
        file=node.path,
        name=node.qualified,
        kind=node.kind,
        line=node.line,
        end_line=node.end_line,
        signature=node.signature,
        doc=node.doc,
        public=public,
        is_test=bool(node.is_test),
    )
