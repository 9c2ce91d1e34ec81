"""Edges that answer relationship questions: the certain ones, and those that may be meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from codeindex.graph.dispatch import possible_callees_above
from codeindex.graph.method_sets import GO, implementing_types
from codeindex.query.relation_phrases import Relation
from codeindex.search.routes.subject import Subject
from codeindex.store.graph.edges import (
    Edge,
    edges_to,
    edges_to_external,
    edges_to_external_base,
    edges_to_files,
    edges_to_module,
    possible_edges,
    resolved_lines,
)
from codeindex.store.graph.flow_steps import overriding_methods
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.nodes import symbols_by_id
from codeindex.types import USE_KINDS, Node, SymbolKind

if TYPE_CHECKING:
    import sqlite3

_KINDS: dict[Relation, Sequence[str]] = {
    Relation.CALLERS: ("calls",),
    Relation.IMPORTERS: ("imports",),
    Relation.SUBTYPES: ("extends",),
    Relation.CALLEES: ("calls",),
    Relation.IMPORTED: ("imports",),
}


def edge_kinds(relation: Relation) -> Sequence[str]:
    """Return the kinds of edges that a relation is about."""
    return _KINDS.get(relation, USE_KINDS)


def resolved_edges(
    connection: sqlite3.Connection, relation: Relation, meant: Subject, direct: Iterable[Edge]
) -> list[Edge]:
    """Return the uses that are known to be of what is meant; `direct` are those of symbols."""
    kinds = edge_kinds(relation)
    found = [one for one in direct if one.kind in kinds]
    found += edges_to_files(connection, meant.files, *kinds)
    if relation is Relation.USERS:
        found += _of_what_is_in(connection, meant.files)
    if relation is Relation.CALLERS:
        found += _making(connection, meant)
    for package in meant.packages:
        if "imports" in kinds:
            found += edges_to_module(connection, package)
        if "calls" in kinds:
            outside = edges_to_external(connection, package)
            found += [one for one in outside if one.kind in kinds]
    if relation is Relation.SUBTYPES:
        for package in meant.packages:
            found += edges_to_external_base(connection, package)
        found += (*_further(connection, found), *_overriding(connection, meant))
        found += _implementing(connection, meant, found)
    return found


def _of_what_is_in(connection: sqlite3.Connection, files: Sequence[int]) -> Iterator[Edge]:
    """Yield the uses, elsewhere, of what files define."""
    inside = [one.id for one in declarations_in(connection, files)]
    for edge in edges_to(connection, inside, *USE_KINDS):
        if edge.file not in files:
            yield edge


def _making(connection: sqlite3.Connection, meant: Subject) -> list[Edge]:
    """Return where objects are made of the types whose constructors are meant."""
    owners = {
        (one.file_id, one.qualified.rpartition(".")[0])
        for one in meant.symbols
        if one.kind == SymbolKind.CONSTRUCTOR
    }
    types = declarations_in(connection, {file for file, _ in owners})
    made = [one.id for one in types if (one.file_id, one.qualified) in owners]
    return edges_to(connection, made, "calls")


def importing_edges(
    connection: sqlite3.Connection, relation: Relation, meant: Subject
) -> Iterator[Edge]:
    """Yield the imports of the files of symbols that no import names, as in some languages none."""
    if relation is Relation.IMPORTERS:
        files = {one.file_id for one in meant.symbols}
        inside = [one.id for one in declarations_in(connection, files)]
        named = resolved_lines(edges_to(connection, inside, "imports"))
        for edge in edges_to_files(connection, files, "imports"):
            lines = " ".join(str(one) for one in edge.at if (edge.file, one) not in named)
            yield edge._replace(lines=lines, certainty="ambiguous")


def _further(connection: sqlite3.Connection, edges: Iterable[Edge]) -> list[Edge]:
    """Return the subtypes of subtypes, down to the last."""
    seen: set[int] = set()
    found: list[Edge] = []
    layer = {one.symbol for one in edges} - {0}
    while layer := layer - seen:
        seen |= layer
        below = edges_to(connection, sorted(layer), "extends")
        found += below
        layer = {one.symbol for one in below} - {0}
    return found


def _implementing(
    connection: sqlite3.Connection, meant: Subject, known: Iterable[Edge]
) -> Iterator[Edge]:
    """Yield the types that implement interfaces without saying so."""
    interfaces = [
        one.id for one in meant.symbols if one.kind == SymbolKind.INTERFACE and one.language == GO
    ]
    if not interfaces:
        return
    saying = {one.symbol for one in known}
    found = implementing_types(connection, interfaces)
    for it in symbols_by_id(connection, found.keys() - saying):
        yield Edge(it.file_id, it.id, "extends", found[it.id], str(it.line), "")


def _overriding(connection: sqlite3.Connection, meant: Subject) -> Iterator[Edge]:
    """Yield the methods that stand in for these ones in subtypes."""
    methods = [one.id for one in meant.symbols if one.kind == SymbolKind.METHOD]
    found = overriding_methods(connection, methods)
    for it in symbols_by_id(connection, found):
        yield Edge(it.file_id, it.id, "overrides", found[it.id], str(it.line), "")


def supertype_call_edges(connection: sqlite3.Connection, members: Sequence[Node]) -> Iterator[Edge]:
    """Yield calls of what methods stand in for: which of its subtypes runs is not known."""
    for edge in edges_to(connection, possible_callees_above(connection, members), "calls"):
        yield edge._replace(certainty="ambiguous")


def possible_member_edges(connection: sqlite3.Connection, members: Sequence[Node]) -> list[Edge]:
    """Return uses of something unknown that may be of these: only methods are handed on."""
    methods = [one for one in members if one.kind == SymbolKind.METHOD]
    others = [one for one in members if one.kind != SymbolKind.METHOD]
    return [
        edge
        for part in (methods, others)
        for edge in possible_edges(
            connection,
            {one.name for one in part},
            languages={one.language for one in part},
            handed=part is methods,
        )
    ]
