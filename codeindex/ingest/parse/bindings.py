"""Names that are bound otherwise than where they stand, for the scope around."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from codeindex.graph.scopes import Binding, BindingSource, Scope, ScopeTree

if TYPE_CHECKING:
    from tree_sitter import Node

BoundNode = tuple["Node", BindingSource]
NodeText = Callable[["Node"], str]


def bind_parameters(bound: Iterable[BoundNode], scopes: ScopeTree, text: NodeText) -> None:
    """Bind the type parameters of definitions, which hold in all that is inside of them."""
    for node, held in bound:
        scopes.at(node.start_byte).type_parameters.setdefault(text(node), held)


def bind_nameless(bound: Iterable[BoundNode], scopes: ScopeTree) -> None:
    """Bind `this` in the bodies of classes without a name: it is an instance of their base."""
    for node, held in bound:
        scopes.at(node.start_byte).bind("this", node.start_byte, held)


def bind_assigned(bound: Iterable[BoundNode], scopes: ScopeTree, text: NodeText) -> None:
    """Give names that are declared without a value or a type what they are set to later on."""
    late: dict[tuple[int, str], list[Binding]] = {}
    declared: dict[tuple[int, str], Scope] = {}
    for node, held in bound:
        inner, name = scopes.at(node.start_byte), text(node)
        scope = _declaring(inner, name)
        if scope and all(one.source.kind == "unknown" for one in scope.bindings[name]):
            declared[id(scope), name] = scope
            late.setdefault((id(scope), name), []).append(Binding(node.start_byte, inner, held))
    for (number, name), bindings in late.items():
        declared[number, name].bindings[name] += bindings


def _declaring(scope: Scope, name: str) -> Scope | None:
    around: Scope | None = scope.binding_scope()
    while around is not None and name not in around.bindings:
        around = around.parent.binding_scope() if around.parent else None
    return around


def bound_fields(
    bound: Iterable[BoundNode], scopes: ScopeTree, text: NodeText
) -> Iterator[tuple[str, BindingSource, Scope]]:
    """Yield members by their full names: those of the innermost definition around."""
    for node, held in bound:
        scope, name = scopes.at(node.start_byte), text(node)
        symbol = scope.enclosing_symbol()
        if symbol:
            itself = symbol.name == name
            yield (symbol.qualified if itself else f"{symbol.qualified}.{name}"), held, scope
