"""Collect the graph's edges that answer a relationship question, both resolved and possible."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from codeindex.graph.dispatch import possible_callees_above
from codeindex.graph.method_sets import implementing_types
from codeindex.query.relation_phrases import Relation
from codeindex.search.routes.subject import Subject
from codeindex.store.graph.edges import (
    StoredEdge,
    edges_to,
    edges_to_external,
    edges_to_external_base,
    edges_to_files,
    edges_to_module,
    edges_to_subtypes,
    resolved_lines,
)
from codeindex.store.graph.flow_steps import overriding_methods
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.nodes import symbols_by_id
from codeindex.types import USE_KINDS, Node, SymbolKind

_KINDS: dict[Relation, Sequence[str]] = {
    Relation.CALLERS: ("calls",),
    Relation.IMPORTERS: ("imports",),
    Relation.SUBTYPES: ("extends",),
    Relation.CALLEES: ("calls",),
    Relation.IMPORTED: ("imports",),
}


def edge_kinds(relation: Relation) -> Sequence[str]:
    """Return the kinds of edges that answer a relation, such as `calls` for "who calls X"."""
    return _KINDS.get(relation, USE_KINDS)


def resolved_edges(
    connection: sqlite3.Connection,
    relation: Relation,
    subject: Subject,
    direct: Iterable[StoredEdge],
) -> list[StoredEdge]:
    """Return the resolved edges to a subject that answer a relation, such as who calls it.

    `direct` are all edges to the symbols of the subject; edges to its files, packages and overrides
    are added.
    """
    kinds = edge_kinds(relation)
    edges = [edge for edge in direct if edge.kind in kinds]
    edges += edges_to_files(connection, subject.files, *kinds)
    if relation is Relation.USERS:
        edges += _edges_into_files(connection, subject.files)
    if relation is Relation.CALLERS:
        edges += _constructor_calls(connection, subject)
    for package in subject.packages:
        if "imports" in kinds:
            edges += edges_to_module(connection, package)
        if "calls" in kinds:
            outside = edges_to_external(connection, package)
            edges += [edge for edge in outside if edge.kind in kinds]
    if relation is Relation.SUBTYPES:
        for package in subject.packages:
            edges += edges_to_external_base(connection, package)
        direct_subtypes = {edge.symbol for edge in edges} - {0}
        edges += edges_to_subtypes(connection, direct_subtypes)
        edges += _overriding(connection, subject)
        edges += _implementing(connection, subject, edges)
    return edges


def _edges_into_files(connection: sqlite3.Connection, files: Sequence[int]) -> Iterator[StoredEdge]:
    """Yield the edges from other files to declarations in these files."""
    inside = [node.id for node in declarations_in(connection, files)]
    for edge in edges_to(connection, inside, *USE_KINDS):
        if edge.file not in files:
            yield edge


def _constructor_calls(connection: sqlite3.Connection, subject: Subject) -> list[StoredEdge]:
    """Return calls of a type if its constructor is the subject: `Cart()` calls `Cart.__init__`."""
    owners = {
        (node.file_id, node.qualified.rpartition(".")[0])
        for node in subject.symbols
        if node.kind == SymbolKind.CONSTRUCTOR
    }
    types = declarations_in(connection, {file for file, _ in owners})
    ids = [node.id for node in types if (node.file_id, node.qualified) in owners]
    return edges_to(connection, ids, "calls")


def importing_edges(
    connection: sqlite3.Connection, relation: Relation, subject: Subject
) -> Iterator[StoredEdge]:
    """Yield imports of the files that define the subject, for questions about its importers.

    In some languages an import names only a file or package, so that it may be for the subject;
    the edges are ambiguous. Lines that import a declaration by name are left out.
    """
    if relation is Relation.IMPORTERS:
        files = {node.file_id for node in subject.symbols}
        inside = [node.id for node in declarations_in(connection, files)]
        named = resolved_lines(edges_to(connection, inside, "imports"))
        for edge in edges_to_files(connection, files, "imports"):
            lines = " ".join(str(line) for line in edge.at if (edge.file, line) not in named)
            yield edge._replace(lines=lines, certainty="ambiguous")


def _implementing(
    connection: sqlite3.Connection, subject: Subject, known: Iterable[StoredEdge]
) -> Iterator[StoredEdge]:
    """Yield an edge for each type that implements an interface without naming it, as in Go.

    Types in `known` edges are left out.
    """
    explicit = {edge.symbol for edge in known}
    certainty = implementing_types(connection, subject.symbols)
    for node in symbols_by_id(connection, certainty.keys() - explicit):
        yield StoredEdge(node.file_id, node.id, "extends", certainty[node.id], str(node.line), "")


def _overriding(connection: sqlite3.Connection, subject: Subject) -> Iterator[StoredEdge]:
    """Yield an edge for each method in a subtype that overrides a method of the subject."""
    methods = [node.id for node in subject.symbols if node.kind == SymbolKind.METHOD]
    certainty = overriding_methods(connection, methods)
    for node in symbols_by_id(connection, certainty):
        yield StoredEdge(node.file_id, node.id, "overrides", certainty[node.id], str(node.line), "")


def supertype_call_edges(
    connection: sqlite3.Connection, members: Sequence[Node]
) -> Iterator[StoredEdge]:
    """Yield the calls of supertype methods that `members` override.

    Such a call may reach the member; the edges are ambiguous.
    """
    for edge in edges_to(connection, possible_callees_above(connection, members), "calls"):
        yield edge._replace(certainty="ambiguous")
