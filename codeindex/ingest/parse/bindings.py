"""Names that are bound otherwise than where they stand, for the scope around."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from codeindex.graph.expressions import Held
from codeindex.graph.scopes import Binding, Scope, Scopes

if TYPE_CHECKING:
    from tree_sitter import Node

BoundNode = tuple["Node", Held]
NodeText = Callable[["Node"], str]


def bind_parameters(bound: Iterable[BoundNode], scopes: Scopes[Held], text: NodeText) -> None:
    """Bind the type parameters of definitions, which hold in all that is inside of them."""
    for node, held in bound:
        scopes.at(node.start_byte).parameters.setdefault(text(node), held)


def bind_nameless(bound: Iterable[BoundNode], scopes: Scopes[Held]) -> None:
    """Bind `this` in the bodies of classes without a name: it is an instance of their base."""
    for node, held in bound:
        scopes.at(node.start_byte).bind("this", node.start_byte, held)


def bind_assigned(bound: Iterable[BoundNode], scopes: Scopes[Held], text: NodeText) -> None:
    """Give names that are declared without a value or a type what they are set to later on."""
    late: dict[tuple[int, str], list[Binding[Held]]] = {}
    declared: dict[tuple[int, str], Scope[Held]] = {}
    for node, held in bound:
        inner, name = scopes.at(node.start_byte), text(node)
        scope = _declaring(inner, name)
        if scope and all(one.value.how == "unknown" for one in scope.names[name]):
            declared[id(scope), name] = scope
            late.setdefault((id(scope), name), []).append(Binding(node.start_byte, inner, held))
    for (number, name), bindings in late.items():
        declared[number, name].names[name] += bindings


def _declaring(scope: Scope[Held], name: str) -> Scope[Held] | None:
    around: Scope[Held] | None = scope.binder()
    while around is not None and name not in around.names:
        around = around.parent.binder() if around.parent else None
    return around


def bound_fields(
    bound: Iterable[BoundNode], scopes: Scopes[Held], text: NodeText
) -> Iterator[tuple[str, Held, Scope[Held]]]:
    """Yield members by their full names: those of the innermost definition around."""
    for node, held in bound:
        scope, name = scopes.at(node.start_byte), text(node)
        symbol = scope.around()
        if symbol:
            itself = symbol.name == name
            yield (symbol.qualified if itself else f"{symbol.qualified}.{name}"), held, scope
