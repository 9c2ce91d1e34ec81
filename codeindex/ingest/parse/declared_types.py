"""Extract what other files can use of a file: values of names, results of functions, base types."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from codeindex.graph.expression_table import (
    CALLED,
    CLASS_MARK,
    IMPLEMENTED,
    INCLUDER_MARK,
    LAMBDA_RECEIVER,
    parameter_name,
)
from codeindex.graph.expressions import ExpressionBuilder
from codeindex.graph.scopes import (
    BindingKind,
    BindingSource,
    Scope,
    ScopeTree,
    enclosing_type,
    is_test_block,
)
from codeindex.ingest.parse.bindings import bound_fields, positional_fields
from codeindex.ingest.parse.captures import Captures
from codeindex.ingest.parse.nesting import PlacedSymbol
from codeindex.languages.source_tree import EXTENSION_MARK
from codeindex.types import CALLABLE_KINDS, Symbol, SymbolKind, overload_key

if TYPE_CHECKING:
    from tree_sitter import Node

NamedExpressions = tuple[tuple[str, int], ...]
"""Pairs of a qualified name and the number of an expression."""
ExpressionLists = defaultdict[str, list[int]]


class ExtractionContext(NamedTuple):
    """The file from which relations are extracted: its captures, scopes and expressions.

    `overloads` maps the `id()` of each overloaded symbol to its index among the symbols of its
    name.
    """

    captures: Captures
    scopes: ScopeTree
    expressions: ExpressionBuilder
    overloads: Mapping[int, int]


def declared_values(context: ExtractionContext) -> NamedExpressions:
    """Return (name, expression) of the values that a file gives to names.

    These are names in modules and types, and attributes that methods assign. If a field has a
    declared type, its assigned values are left out.
    """
    annotated: ExpressionLists = defaultdict(list)
    assigned: ExpressionLists = defaultdict(list)
    for name, number in (
        *_bound_values(context),
        *_attribute_values(context),
        *_declarations(context),
    ):
        assigned[name].append(number)
    captures = context.captures
    fields = bound_fields(captures.bound_nodes("field"), context.scopes, captures.text)
    positional = positional_fields(captures.nodes("tuple"), context.scopes)
    for name, source, scope in (*fields, *positional):
        values = annotated if source.kind == "type" else assigned
        values[name].append(context.expressions.bound_value(source, scope))
    return _unions(context, assigned | annotated | _parameters(context))


def _bound_values(context: ExtractionContext) -> Iterator[tuple[str, int]]:
    for scope in context.scopes.ordered:
        if scope.kind not in {"module", "type"}:
            continue
        for name, bindings in scope.bindings.items():
            for binding in bindings:
                value = context.expressions.bound_value(binding.source, scope)
                yield _qualified_binding(scope, name), value


def _attribute_values(context: ExtractionContext) -> Iterator[tuple[str, int]]:
    """Yield (qualified name, expression) for each assignment to an attribute of an instance.

    Only assignments in code of the attribute's own type count, like `self.size = 1`.
    """
    captures, expressions = context.captures, context.expressions
    for match in captures.matches_with("owner"):
        owner = expressions.receiver_type(match["owner"][0]) if "owner" in match else ""
        if owner and "attribute" in match:
            scope = context.scopes.at(match["owner"][0].start_byte)
            number = expressions.bound_value(captures.binding_source(match), scope)
            yield f"{owner}.{captures.text(match['attribute'][0])}", number


def _declarations(context: ExtractionContext) -> Iterator[tuple[str, int]]:
    """Yield (name, expression) of names that a file declares but defines in another place.

    They are declarations of names that other files define, names that a macro defines, members that
    are also visible outside their type, and extension methods, whose names are marked.
    """
    table = context.expressions.table
    for node in context.captures.nodes("declares"):
        symbol = context.scopes.at(node.start_byte).enclosing_symbol()
        if symbol:
            yield symbol.qualified, table.add("elsewhere")
            if id(symbol) in context.overloads:
                number = context.overloads[id(symbol)]
                yield overload_key(symbol.qualified, number), table.add("elsewhere")
    yield from _extension_methods(context)
    yield from _produced(context)
    enclosed = {node.id for node in context.captures.nodes("enclosed")}
    for node in context.captures.nodes("shared"):
        if node.id in enclosed:
            continue
        symbol = context.scopes.at(node.start_byte).enclosing_symbol()
        owner = symbol.qualified.rpartition(".")[0] if symbol else ""
        if symbol and owner and symbol.name == context.captures.text(node):
            around, dot, _ = owner.rpartition(".")
            is_called = symbol.kind in CALLABLE_KINDS and context.expressions.language.method_names
            suffix = "()" if is_called else ""
            name = f"{around}{dot}{symbol.name}{suffix}"
            yield name, table.add("define", symbol.qualified + suffix)


def _extension_methods(context: ExtractionContext) -> Iterator[tuple[str, int]]:
    """Yield (marked name, expression) of the extension methods of a file."""
    for node in context.captures.nodes("extending"):
        symbol = context.scopes.at(node.start_byte).enclosing_symbol()
        if symbol:
            number = context.expressions.table.add("define", symbol.qualified)
            yield f"{EXTENSION_MARK}{symbol.name}", number


def declared_implementations(
    context: ExtractionContext, symbols: Sequence[PlacedSymbol]
) -> NamedExpressions:
    """Return (marked name, expression) for each overloaded function with exactly one body.

    The name has the suffix `IMPLEMENTED`; the expression refers to the definition with the body, by
    its index among the definitions of the name. Return () for languages that do not declare
    overloads apart from their implementation.
    """
    if not context.expressions.language.overload_heads:
        return ()
    same: defaultdict[str, list[PlacedSymbol]] = defaultdict(list)
    for placed in symbols:
        same[placed.symbol.qualified].append(placed)
    found = []
    for name, alike in same.items():
        bodies = [number for number, placed in enumerate(alike) if placed.body >= 0]
        are_functions = all(placed.symbol.kind in CALLABLE_KINDS for placed in alike)
        if len(bodies) == 1 < len(alike) and are_functions:
            number = context.expressions.table.add("numbered", name, bodies[0])
            found.append((name + IMPLEMENTED, number))
    return tuple(found)


def declared_class_methods(
    context: ExtractionContext, symbols: Sequence[PlacedSymbol]
) -> NamedExpressions:
    """Return (marked name, expression) for each method that is called on a class itself.

    The name begins with `CLASS_MARK`; only the presence of the entry matters.
    """
    found = []
    for placed in symbols:
        if placed.start in context.expressions.places.class_methods:
            number = context.overloads.get(id(placed.symbol), 0)
            key = overload_key(placed.symbol.qualified, number)
            found.append((CLASS_MARK + key, context.expressions.table.add("builtin", "class")))
    return tuple(found)


def _produced(context: ExtractionContext) -> Iterator[tuple[str, int]]:
    """Yield (name, expression) of the names that the macros invoked in this file define."""
    captures = context.captures
    invoked = {captures.text(node) for node in captures.nodes("invoked")}
    for node in captures.nodes("produced") if invoked else ():
        symbol = context.scopes.at(node.start_byte).enclosing_symbol()
        macro = symbol.qualified.rpartition(".")[0] if symbol else ""
        if symbol and macro in invoked and symbol.name == captures.text(node):
            yield symbol.name, context.expressions.table.add("define", symbol.qualified)


def declared_results(context: ExtractionContext) -> NamedExpressions:
    """Return (name, expression) of the result of each function.

    The result is the declared type, or else the values that the function returns or yields. An
    overload also has an entry under its name with its index: `Cart.add#1`.
    """
    annotated: ExpressionLists = defaultdict(list)
    returned: ExpressionLists = defaultdict(list)
    sources: tuple[tuple[str, BindingKind, ExpressionLists], ...] = (
        ("result", "type", annotated),
        ("returned", "value", returned),
        ("yielded", "many", returned),
        ("block_result", "value", returned),
    )
    for capture, kind, results in sources:
        for node, is_callable in _result_nodes(context.captures, capture):
            scope = context.scopes.at(node.start_byte)
            function = (
                _function_of_block(scope)
                if capture == "block_result"
                else _enclosing_function(scope)
            )
            called = f"{_enclosing_type_name(scope)}.{CALLED}" if is_callable else ""
            name = function.qualified if function else called
            if name:
                value = context.expressions.bound_value(BindingSource(kind, node), scope)
                results[name].append(value)
                if id(function) in context.overloads:
                    number = context.overloads[id(function)]
                    results[overload_key(name, number)].append(value)
    return _unions(context, returned | annotated)


def _result_nodes(captures: Captures, capture: str) -> Iterator[tuple[Node, bool]]:
    """Yield (node, whether it is part of a type's call signature) for each node of a capture.

    A call signature lets the type's instances be called like functions.
    """
    for match in captures.matches_with(capture):
        for node in match.get(capture, ()):
            yield node, "callable" in match


def _parameters(context: ExtractionContext) -> ExpressionLists:
    """Return {name of a parameter's type, like `f.(0)`: expressions of the type}.

    A parameter whose type only some overloads declare is left out; the last overload may lack it,
    since it can be the implementation, whose parameters may have any type.
    """
    calls = {(node.start_byte, node.end_byte) for node in context.captures.nodes("callable")}
    parameters: ExpressionLists = defaultdict(list)
    for places in context.expressions.places.parameters.values():
        for position, type_, at in places:
            scope = context.scopes.at(at).binding_scope()
            owner = scope.symbol.qualified if scope.kind == "function" and scope.symbol else ""
            if (scope.start, scope.end) in calls:
                owner = f"{_enclosing_type_name(scope)}.{CALLED}"
            if owner:
                number = context.expressions.instance_of(type_)
                parameters[parameter_name(owner, position)].append(number)
    for node in context.captures.nodes("lambda_receiver"):
        scope = context.scopes.at(node.start_byte).binding_scope()
        if scope.kind == "function" and scope.symbol:
            name = parameter_name(scope.symbol.qualified, LAMBDA_RECEIVER)
            parameters[name].append(context.expressions.instance_of(node))
    return defaultdict(
        list,
        {name: numbers for name, numbers in parameters.items() if all(numbers[:-1] or numbers)},
    )


def declared_bases(context: ExtractionContext) -> NamedExpressions:
    """Return (type's name, expression of a base type) for each base type, without duplicates.

    Members of earlier ones take precedence: those of mixins, of which the last comes first. The
    names of types that modules extend begin with `CLASS_MARK` or `INCLUDER_MARK`.
    """
    extending = dict.fromkeys(_extending_modules(context))
    marked = {node.id for _, node in extending}
    bases = [
        (owner, context.expressions.build(node))
        for owner, node in (
            *reversed([*_owned_nodes(context, "mixin")]),
            *_owned_nodes(context, "base"),
            *extending,
        )
        if node.id not in marked or (owner, node) in extending
    ]
    bases += [("", context.expressions.build(node)) for node in context.captures.nodes("test_base")]
    for node in context.captures.nodes("merged"):
        symbol = context.scopes.at(node.start_byte).enclosing_symbol()
        number = context.expressions.build(node) if symbol else 0
        if symbol and number:
            bases.append((symbol.qualified, number))
    return tuple(dict.fromkeys(bases))


def _extending_modules(context: ExtractionContext) -> Iterator[tuple[str, Node]]:
    """Yield (marked name of a type, node) for each module whose methods the type itself gets.

    In a test and in a method of an instance, `extend` adds the methods to `self` like `include`.
    """
    for owner, node in _owned_nodes(context, "class_base"):
        scope = context.scopes.at(node.start_byte)
        function = _enclosing_function(scope)
        is_own = function is None or context.expressions.is_in_class_method(scope)
        yield (CLASS_MARK + owner if is_own else owner), node
    for owner, node in _owned_nodes(context, "includer_base"):
        yield INCLUDER_MARK + owner, node


def _owned_nodes(context: ExtractionContext, capture: str) -> Iterator[tuple[str, Node]]:
    """Yield (qualified name of the type, node) for each base type with this capture."""
    for match in context.captures.matches_with(capture):
        for node in match.get(capture, ()):
            if "for" in match:
                owner = context.captures.text(match["for"][0])
            else:
                owner = _owner_of_base(context, node)
            if owner:
                yield owner, node


def _owner_of_base(context: ExtractionContext, node: Node) -> str:
    """Return the qualified name of the type that has the base type at `node`.

    In the block of a test, it is the test.
    """
    scope = context.scopes.at(node.start_byte)
    language = context.expressions.language
    return (
        enclosing_type(scope, test_groups=True)
        if language.test_groups and is_test_block(scope.binding_scope())
        else _enclosing_type_name(scope)
    )


def _unions(context: ExtractionContext, values: ExpressionLists) -> NamedExpressions:
    """Return (name, union of its expressions) sorted by name, without unknown values."""
    table = context.expressions.table
    unions = ((name, table.union(numbers)) for name, numbers in sorted(values.items()))
    return tuple((name, number) for name, number in unions if number)


def _qualified_binding(scope: Scope, name: str) -> str:
    """Return the qualified name of a name bound in a scope, like `Cart.size`.

    If the name is an alias of a type, the alias itself is the scope's definition, and its name is
    returned.
    """
    if scope.symbol is None:
        return name
    is_alias = scope.symbol.kind is SymbolKind.TYPE and scope.symbol.name == name
    return scope.symbol.qualified if is_alias else f"{scope.symbol.qualified}.{name}"


def _enclosing_function(scope: Scope) -> Symbol | None:
    """Return the innermost function that encloses a scope; None if none does."""
    around = scope
    while around.kind not in {"function", "module"} and around.parent:
        around = around.parent
    return around.symbol if around.kind == "function" else None


def _function_of_block(scope: Scope) -> Symbol | None:
    """Return the function that a call with a block around a scope defines: `let(:cart) { … }`."""
    around = scope
    while around.symbol is None and around.parent:
        around = around.parent
    return around.symbol if around.kind == "function" else None


def _enclosing_type_name(scope: Scope) -> str:
    around = scope
    while around.kind != "type" and around.parent:
        around = around.parent
    return around.symbol.qualified if around.symbol else ""
