"""What a file shows of itself: what its names hold, what its functions give, what types extend."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from codeindex.graph.expressions import ExpressionBuilder
from codeindex.graph.scopes import BindingKind, BindingSource, Scope, ScopeTree
from codeindex.ingest.parse.bindings import bound_fields
from codeindex.ingest.parse.captures import Captures
from codeindex.types import SymbolKind

NamedExpressions = tuple[tuple[str, int], ...]
"""Qualified names and numbers of expressions."""
ExpressionLists = defaultdict[str, list[int]]


class FileReading(NamedTuple):
    """A file while it is read."""

    captures: Captures
    scopes: ScopeTree
    expressions: ExpressionBuilder


def declared_values(reading: FileReading) -> NamedExpressions:
    """Return what names of modules and types hold, and attributes that are set anywhere."""
    said: ExpressionLists = defaultdict(list)
    found: ExpressionLists = defaultdict(list)
    for name, number in (*_bound(reading), *_set(reading), *_declarations(reading)):
        found[name].append(number)
    captures = reading.captures
    for name, one, scope in bound_fields(captures.bound("field"), reading.scopes, captures.text):
        into = said if one.kind == "type" else found
        into[name].append(reading.expressions.bound_value(one, scope))
    return _joined(reading, found | said)


def _bound(reading: FileReading) -> Iterator[tuple[str, int]]:
    for scope in reading.scopes.ordered:
        for name, bindings in scope.bindings.items() if scope.kind in {"module", "type"} else ():
            for one in bindings:
                yield _qualified(scope, name), reading.expressions.bound_value(one.source, scope)


def _set(reading: FileReading) -> Iterator[tuple[str, int]]:
    """Yield what attributes of instances are set to within the code of their types."""
    for match in reading.captures.having("owner"):
        owner = reading.expressions.receiver_type(match["owner"][0]) if "owner" in match else ""
        if owner and "attribute" in match:
            scope = reading.scopes.at(match["owner"][0].start_byte)
            number = reading.expressions.bound_value(reading.captures.held(match), scope)
            yield f"{owner}.{reading.captures.text(match['attribute'][0])}", number


def _declarations(reading: FileReading) -> Iterator[tuple[str, int]]:
    """Yield names that are defined elsewhere, and members as they are seen around a type."""
    for node in reading.captures.caught("declares"):
        symbol = reading.scopes.at(node.start_byte).enclosing_symbol()
        if symbol:
            yield symbol.qualified, reading.expressions.table.add("elsewhere")
    for node in reading.captures.caught("shared"):
        symbol = reading.scopes.at(node.start_byte).enclosing_symbol()
        owner = symbol.qualified.rpartition(".")[0] if symbol else ""
        if symbol and owner and symbol.name == reading.captures.text(node):
            around, dot, _ = owner.rpartition(".")
            number = reading.expressions.table.add("define", symbol.qualified)
            yield f"{around}{dot}{symbol.name}", number


def declared_results(reading: FileReading) -> NamedExpressions:
    """Return what functions give: what they say, else what they return."""
    said: ExpressionLists = defaultdict(list)
    found: ExpressionLists = defaultdict(list)
    sources: tuple[tuple[str, BindingKind, ExpressionLists], ...] = (
        ("result", "type", said),
        ("returned", "value", found),
        ("yielded", "many", found),
    )
    for capture, how, into in sources:
        for node in reading.captures.caught(capture):
            scope = reading.scopes.at(node.start_byte)
            symbol = _function_around(scope)
            if symbol:
                held = reading.expressions.bound_value(BindingSource(how, node), scope)
                into[symbol].append(held)
    return _joined(reading, found | said)


def declared_bases(reading: FileReading) -> NamedExpressions:
    bases = []
    for match in reading.captures.having("base"):
        for node in match.get("base", ()):
            if "for" in match:
                owner = reading.captures.text(match["for"][0])
            else:
                owner = _type_around(reading.scopes.at(node.start_byte))
            if owner:
                bases.append((owner, reading.expressions.build(node)))
    return tuple(dict.fromkeys(bases))


def _joined(reading: FileReading, found: ExpressionLists) -> NamedExpressions:
    joined = ((name, reading.expressions.table.union(all_)) for name, all_ in sorted(found.items()))
    return tuple((name, one) for name, one in joined if one)


def _qualified(scope: Scope, name: str) -> str:
    """Return the full name of what a scope binds; an alias of a type binds itself."""
    if scope.symbol is None:
        return name
    itself = scope.symbol.kind is SymbolKind.TYPE and scope.symbol.name == name
    return scope.symbol.qualified if itself else f"{scope.symbol.qualified}.{name}"


def _function_around(scope: Scope) -> str:
    """Return the qualified name of the function whose result a node in `scope` is."""
    around = scope
    while around.kind not in {"function", "module"} and around.parent:
        around = around.parent
    return around.symbol.qualified if around.kind == "function" and around.symbol else ""


def _type_around(scope: Scope) -> str:
    around = scope
    while around.kind != "type" and around.parent:
        around = around.parent
    return around.symbol.qualified if around.symbol else ""
