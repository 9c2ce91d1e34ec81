"""Bind names that are valid outside their own node: type parameters, fields, `this`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from codeindex.graph.scopes import Binding, BindingSource, Scope, ScopeTree

if TYPE_CHECKING:
    from tree_sitter import Node

BoundNode = tuple["Node", BindingSource]
NodeText = Callable[["Node"], str]


def bind_type_parameters(bound: Iterable[BoundNode], scopes: ScopeTree, text: NodeText) -> None:
    """Record each type parameter, like `T` in `class Box<T>`, in the scope of its definition."""
    for node, source in bound:
        scopes.at(node.start_byte).type_parameters.setdefault(text(node), [source])


def bind_constraints(bound: Iterable[BoundNode], scopes: ScopeTree, text: NodeText) -> None:
    """Add the bounds of type parameters from separate clauses, like `where T: Display`."""
    for node, source in bound:
        scopes.at(node.start_byte).constraints.setdefault(text(node), []).append(source)


def bind_anonymous_classes(
    bound: Iterable[BoundNode], without_base: Iterable[Node], scopes: ScopeTree
) -> None:
    """Bind `this` in the bodies of anonymous classes to an instance of their base type.

    `bound` has (body, source of the base type). A body in it without a base type, like that of an
    enum's constant, has the enclosing type as base. For a body in `without_base`, the base is
    unknown.
    """
    for node, source in bound:
        base = BindingSource("self") if source.kind == "unknown" else source
        _bind_this(scopes.at(node.start_byte), node, base)
    for node in without_base:
        scope = scopes.at(node.start_byte)
        if not scope.is_anonymous_class:
            _bind_this(scope, node, BindingSource("unknown"))


def _bind_this(scope: Scope, body: Node, base: BindingSource) -> None:
    around = scope.parent
    if around and around.kind == "type" and around.end == body.end_byte:
        return  # the value of a name, which is the name of the class
    if scope.start == body.start_byte and scope.symbol is None:
        scope.is_anonymous_class = True
    scope.bind("this", body.start_byte, base)


def bind_assigned(bound: Iterable[BoundNode], scopes: ScopeTree, text: NodeText) -> None:
    """Record the values that code assigns to variables declared without value or type."""
    assigned: dict[tuple[int, str], list[Binding]] = {}
    declared: dict[tuple[int, str], Scope] = {}
    for node, source in bound:
        inner, name = scopes.at(node.start_byte), text(node)
        scope = _declaring_scope(inner, name)
        if scope and all(binding.source.kind == "unknown" for binding in scope.bindings[name]):
            declared[id(scope), name] = scope
            assigned.setdefault((id(scope), name), []).append(
                Binding(node.start_byte, inner, source)
            )
    for (scope_id, name), bindings in assigned.items():
        declared[scope_id, name].bindings[name] += bindings


def _declaring_scope(scope: Scope, name: str) -> Scope | None:
    around: Scope | None = scope.binding_scope()
    while around is not None and name not in around.bindings:
        around = around.parent.binding_scope() if around.parent else None
    return around


def bound_fields(
    bound: Iterable[BoundNode], scopes: ScopeTree, text: NodeText
) -> Iterator[tuple[str, BindingSource, Scope]]:
    """Yield (qualified name, source of the value or type, scope of the node) of each field.

    `bound` has (node of the field's name, source). The owner of a field is the innermost definition
    around the node, except if the node is that definition's own name: then it names the definition
    itself. Nodes outside any definition are left out.
    """
    for node, source in bound:
        scope, name = scopes.at(node.start_byte), text(node)
        symbol = scope.enclosing_symbol()
        if symbol:
            is_symbol_itself = symbol.name == name
            qualified = symbol.qualified if is_symbol_itself else f"{symbol.qualified}.{name}"
            yield qualified, source, scope


def positional_fields(
    lists: Iterable[Node], scopes: ScopeTree
) -> Iterator[tuple[str, BindingSource, Scope]]:
    """Yield (qualified name, source of its type, scope) of each field without a name.

    The position is the name: `struct Pair(A, B)` in Rust has the fields `Pair.0` and `Pair.1`.
    """
    for node in lists:
        scope = scopes.at(node.start_byte)
        symbol = scope.enclosing_symbol()
        for index, child in enumerate(node.children_by_field_name("type") if symbol else ()):
            if symbol:
                yield f"{symbol.qualified}.{index}", BindingSource("type", child), scope
