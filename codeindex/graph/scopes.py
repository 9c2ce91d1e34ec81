"""Which names are bound where in a file, and which of the bindings a use can see."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from codeindex.types import CALLABLE_KINDS, CONTAINER_KINDS, Symbol

ScopeKind = Literal["module", "type", "function", "block", "outside"]
"""A variable, with what it is set to, is a block of its name. What is `outside` stands in the head
of a function and means what it would mean where the function is defined."""
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Binding(Generic[Value]):
    """What a name holds from byte `at` on; `block` is the innermost scope that it stands in."""

    at: int
    block: Scope[Value]
    value: Value


@dataclass(slots=True, eq=False)
class Scope(Generic[Value]):
    """A stretch of the file, in bytes, in which names can be bound."""

    start: int
    end: int
    kind: ScopeKind
    symbol: Symbol | None = None
    parent: Scope[Value] | None = None
    names: dict[str, list[Binding[Value]]] = field(default_factory=dict)
    parameters: dict[str, Value] = field(default_factory=dict)
    """Type parameters, seen everywhere inside."""

    def holds(self, at: int) -> bool:
        return self.start <= at < self.end

    def bind(self, name: str, at: int, value: Value) -> None:
        """Bind in the innermost function, type or module; blocks decide only what is seen."""
        self.binder().names.setdefault(name, []).append(Binding(at, self, value))

    def binder(self) -> Scope[Value]:
        scope = self
        while scope.parent and scope.kind in {"block", "outside"}:
            leaves = scope.kind == "outside"
            scope = scope.parent
            if leaves and (around := scope.binder().parent):
                scope = around
        return scope

    def outwards(self) -> Iterator[Scope[Value]]:
        """Yield this and the functions and types around it, without the module."""
        scope = self.binder()
        while scope.parent is not None:
            yield scope
            scope = scope.parent.binder()

    def parameter(self, name: str) -> tuple[Value, Scope[Value]] | None:
        """Return what a type parameter of this or a scope around stands for, and that scope."""
        scope: Scope[Value] | None = self
        while scope is not None:
            if name in scope.parameters:
                return scope.parameters[name], scope
            scope = scope.parent
        return None

    def around(self) -> Symbol | None:
        """Return the innermost definition that this is a part of."""
        scope: Scope[Value] | None = self
        while scope is not None and scope.symbol is None:
            scope = scope.parent
        return scope.symbol if scope else None

    def visible(self, name: str, at: int) -> list[Value] | None:
        """Return what `name`, bound here, holds at `at`, where a block keeps what it binds."""
        bound = [one for one in self.names.get(name, ()) if one.at <= at and one.block.holds(at)]
        return [max(bound, key=lambda one: one.at).value] if bound else None

    def seen(self, name: str, at: int) -> list[Value] | None:
        """Return what `name`, bound here, can hold at `at`; None if it is not bound here.

        The last binding whose block is around the use hides those before it; others, in branches,
        add to them. A use in an inner function may run after any of them.
        """
        bound = self.names.get(name)
        if bound is None:
            return None
        if len(bound) == 1:
            return [bound[0].value]
        values = []
        for one in sorted(bound, key=lambda b: -b.at):
            if one.at <= at:
                values.append(one.value)
                if one.block.holds(at):
                    break
        return values or [one.value for one in bound]


@dataclass(frozen=True, slots=True)
class Scopes(Generic[Value]):
    """All scopes of a file, outer before inner."""

    ordered: Sequence[Scope[Value]]
    starts: Sequence[int]
    found: dict[int, Scope[Value]] = field(default_factory=dict)
    """Innermost scopes by byte, as far as they were asked for."""

    @property
    def module(self) -> Scope[Value]:
        return self.ordered[0]

    def at(self, byte: int) -> Scope[Value]:
        """Return the innermost scope around a byte."""
        known = self.found.get(byte)
        if known is not None:
            return known
        scope = self.ordered[max(bisect_right(self.starts, byte) - 1, 0)]
        while byte >= scope.end and scope.parent:
            scope = scope.parent
        return self.found.setdefault(byte, scope)


def scopes_of(
    symbols: Iterable[tuple[int, int, Symbol]],
    others: Iterable[tuple[int, int, ScopeKind]],
    *,
    size: int,
) -> Scopes[Value]:
    """Nest definitions, by their bytes, and scopes without a name into one tree."""
    found: dict[tuple[int, int], Scope[Value]] = {}
    for start, end, kind in others:
        found[start, end] = Scope(start, end, kind)
    for start, end, symbol in symbols:
        same, kind = found.get((start, end)), _kind(symbol)
        kind = same.kind if same and kind == "block" else kind
        found[start, end] = Scope(start, end, kind, symbol)
    module: Scope[Value] = Scope(0, size + 1, "module")
    ordered = [module]
    around = [module]
    for _, scope in sorted(found.items(), key=lambda item: (item[0][0], -item[0][1])):
        while not around[-1].holds(scope.start):
            around.pop()
        scope.parent = around[-1]
        around.append(scope)
        ordered.append(scope)
    return Scopes(ordered, [one.start for one in ordered])


def _kind(symbol: Symbol) -> ScopeKind:
    if symbol.kind in CALLABLE_KINDS:
        return "function"
    return "type" if symbol.kind in CONTAINER_KINDS else "block"
