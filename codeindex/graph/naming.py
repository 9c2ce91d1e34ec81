"""What a name means within a file: local, of the type around, or whatever the module says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeindex.graph.scopes import Scope, Scopes
from codeindex.types import NAMESPACE_KINDS, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

    from codeindex.graph.expressions import Expressions, Held

PATH = "::"
"""Ends a name that a path begins with: `std::` of `std::fs`."""
_ANYWHERE = -1


def meaning(expressions: Expressions, name: str, at: int) -> tuple[int, bool]:
    """Return what a name means at a byte, and whether it means something outside of functions.

    Inner scopes come first. What a type binds is seen from its own level only, except in
    languages where a bare name may be a member.
    """
    around = expressions.scopes.at(at)
    innermost = around.binder()
    bare = name.removesuffix(PATH)
    if bare not in expressions.bound_inside:
        return _unbound(expressions, name, innermost), True
    expressions.add("name", name)
    generic = around.parameter(bare)
    if generic:
        return expressions.held(*generic), False
    if _is_own(expressions, innermost, bare):
        itself = expressions.add("define", innermost.symbol.qualified if innermost.symbol else "")
        return expressions.add("member", itself, bare), True
    for scope in innermost.outwards():
        here = scope is innermost or expressions.language.block_scoped
        local = _in_function(expressions, scope, bare, at if here else _ANYWHERE)
        if local is not None:
            found, direct = local
            owners = _owners(expressions, innermost, scope) if direct else ()
            return _owned(expressions, found, bare, owners), direct
    return _unbound(expressions, name, innermost), True


def _unbound(expressions: Expressions, name: str, innermost: Scope[Held]) -> int:
    """Return what a name means that no function around binds: the same in all of a scope."""
    key = (name, id(innermost))
    known = expressions.unbound.get(key)
    if known is None:
        found = expressions.add("name", name)
        owners = _owners(expressions, innermost, expressions.scopes.module)
        known = _owned(expressions, found, name.removesuffix(PATH), owners)
        expressions.unbound[key] = known
    return known


def _owned(expressions: Expressions, found: int, name: str, owners: Sequence[str | int]) -> int:
    """Return a name as a member of one of the owners, or else what was found for it."""
    for owner in owners:
        itself = isinstance(owner, str) and owner.rpartition(".")[2] == name
        found = (
            expressions.add("name", str(owner))
            if itself
            else expressions.add("own", owner, found, name)
        )
    return found


def _is_own(expressions: Expressions, scope: Scope[Held], name: str) -> bool:
    """Tell whether a name is bound by the type whose body it stands in."""
    is_type = scope.kind == "type" and expressions.language.class_body_scope
    if not is_type or scope.symbol is None or _is_namespace(scope):
        return False
    return name in scope.names or f"{scope.symbol.qualified}.{name}" in expressions.members


def _owners(
    expressions: Expressions, innermost: Scope[Held], outermost: Scope[Held]
) -> Sequence[str | int]:
    """Return the types and namespaces whose members a bare name may mean, outer ones first."""
    key = (id(innermost), id(outermost))
    if key not in expressions.around:
        owners: list[str | int] = []
        for scope in innermost.outwards():
            if scope is outermost:
                break
            if expressions.language.implicit_receiver:
                owners += _outside(scope)
                owners += _nameless(expressions, scope)
            visible = expressions.language.implicit_receiver or _is_namespace(scope)
            if scope.kind == "type" and scope.symbol and visible:
                owners.append(scope.symbol.qualified)
        expressions.around[key] = owners[::-1]
    return expressions.around[key]


def _nameless(expressions: Expressions, scope: Scope[Held]) -> list[str | int]:
    """Return what members of a class without a name are named under, and its base, in its body."""
    bases = [expressions.held(one.value, scope) for one in scope.names.get("this", ())]
    around = scope.around() if bases else None
    return [around.qualified, *bases] if around else [*bases]


def nameless_owner(expressions: Expressions, node: Node) -> int | None:
    """Return what `this` is in a class without a name, None if no such class is around."""
    scope = expressions.scopes.at(node.start_byte).binder()
    while scope.kind == "function" and scope.parent:
        if "this" in scope.names:
            return expressions.held(scope.names["this"][0].value, scope)
        scope = scope.parent.binder()
    return None


def _in_function(
    expressions: Expressions, scope: Scope[Held], name: str, at: int
) -> tuple[int, bool] | None:
    if scope.kind != "function":
        return None
    local = name.removesuffix("()") if expressions.language.callable_variables else name
    if local != name and _is_function(expressions, scope, local):
        return None
    held = scope.visible(local, at) if expressions.language.block_scoped else scope.seen(local, at)
    if held is not None:
        imported = all(one.how == "import" for one in held)
        return expressions.either([expressions.held(one, scope) for one in held]), imported
    bare = name.removesuffix("()")
    qualified = f"{scope.symbol.qualified}.{bare}" if scope.symbol else ""
    return (
        (expressions.add("define", qualified), True) if qualified in expressions.defined else None
    )


def _is_function(expressions: Expressions, scope: Scope[Held], name: str) -> bool:
    """Tell whether a type around has a function of a name, which goes before a variable."""
    owners = _owners(expressions, scope, expressions.scopes.module)
    return any(f"{owner}.{name}" in expressions.functions for owner in owners)


def bound_inside(scopes: Scopes[Held], defined: frozenset[str]) -> frozenset[str]:
    """Return the names that mean something else in some scope than at the top of the file."""
    inner = [one for one in scopes.ordered if one.parent is not None]
    nested = {one.rpartition(".")[2] for one in defined if "." in one}
    return frozenset(
        {f"{name}{end}" for one in inner for name in one.names for end in ("", "()")}
        | {name for one in scopes.ordered for name in one.parameters}
        | {f"{name}{end}" for name in nested for end in ("", "()")}
    )


def _is_namespace(scope: Scope[Held]) -> bool:
    return scope.symbol is not None and scope.symbol.kind in NAMESPACE_KINDS


def _outside(scope: Scope[Held]) -> list[str]:
    """Return the owner of a function that stands outside of it: C++ `void A::b() {}`."""
    if scope.kind != "function" or scope.symbol is None or scope.parent is None:
        return []
    if scope.symbol.kind is SymbolKind.TEST:
        return []
    around = scope.parent.around()
    owner = scope.symbol.qualified.rpartition(".")[0]
    return [owner] if owner and not (around and around.qualified == owner) else []


def owner_of(scope: Scope[Held]) -> str:
    """Return the type that `self` is an instance of: that of the outermost method around."""
    around: Scope[Held] | None = scope
    while around is not None:
        if around.kind == "function" and around.symbol and "." in around.symbol.qualified:
            parent = around.parent.binder() if around.parent else None
            if parent is None or parent.kind != "function" or parent.symbol is None:
                return around.symbol.qualified.rpartition(".")[0]
        if around.kind == "type" and around.symbol:
            return around.symbol.qualified
        around = around.parent
    return ""
