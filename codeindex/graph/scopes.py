"""Find the scopes of a file and the names that are bound in them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from codeindex.types import CALLABLE_KINDS, CONTAINER_KINDS, Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

ScopeKind = Literal["module", "type", "function", "block", "outside"]
"""Kinds of scopes. A variable and its initializer are a block with the variable's symbol. `outside`
is a part of a function's head, such as a default value, whose names belong to the scope around the
function."""

BindingKind = Literal[
    "value",
    "type",
    "each",
    "enter",
    "spread",
    "many",
    "expected",
    "called",
    "within",
    "import",
    "self",
    "owner",
    "unknown",
]
"""How a name is bound to a node: to its value, an instance of it (`type`), an element of it
(`each`), the value of the context manager (`enter`), an array of instances of it (`spread`), a
sequence of such values (`many`), the type that is expected in its place (`within`), or a parameter
of the function that is expected in its place (`expected`) or that the node names (`called`).
Without a node, the name is bound to an import, an instance of the enclosing type (`self`), or that
type (`owner`)."""


class BindingSource(NamedTuple):
    """What a name is bound to: a node or an import, depending on `kind` (see `BindingKind`).

    `part` selects a member of the node's value. If the node is a function, `position` is the
    0-based position of its parameter, or `LAMBDA_RECEIVER` of `expression_table`.
    """

    kind: BindingKind
    node: Node | None = None
    import_index: int = 0
    part: str = ""
    position: int = 0


class Binding(NamedTuple):
    """A binding of a name, valid from byte `at` on; `block` is the scope in which it was made."""

    at: int
    block: Scope
    source: BindingSource


@dataclass(slots=True, eq=False)
class Scope:
    """A range of bytes in which names can be bound."""

    start: int
    end: int
    kind: ScopeKind
    symbol: Symbol | None = None
    parent: Scope | None = None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    checks: dict[str, list[Binding]] = field(default_factory=dict)
    """Types that code has checked a name for; a check is valid only inside its block."""
    type_parameters: dict[str, list[BindingSource]] = field(default_factory=dict)
    """Type parameters, which are visible everywhere in the scope, with their bounds."""
    constraints: dict[str, list[BindingSource]] = field(default_factory=dict)
    """Further bounds of type parameters that this scope or an enclosing scope declares."""
    is_anonymous_class: bool = False
    receiver: BindingSource | None = None
    """The object whose members the body of this lambda uses without naming it."""

    def contains(self, at: int) -> bool:
        return self.start <= at < self.end

    def bind(self, name: str, at: int, source: BindingSource) -> None:
        """Bind a name, from byte `at` on, in the innermost function, type or module.

        If this scope is a block, the binding is visible only in the block.
        """
        bindings = self.binding_scope().bindings
        bindings.setdefault(name, []).append(Binding(at, self, source))

    def check(self, name: str, at: int, source: BindingSource) -> None:
        """Record the type for which code checks a name, from byte `at` to the end of this scope."""
        checks = self.binding_scope().checks
        checks.setdefault(name, []).append(Binding(at, self, source))

    def _bindings_at(self, name: str, at: int) -> Sequence[Binding]:
        """Return the bindings of a name that this scope makes.

        If the name has type checks that hold at byte `at`, they are added.
        """
        bindings, checks = self.bindings.get(name, ()), self.checks.get(name)
        if not checks:
            return bindings
        valid = (check for check in checks if check.at <= at and check.block.contains(at))
        return [*bindings, *valid]

    def binding_scope(self) -> Scope:
        """Return the scope that stores the bindings made in this one.

        It is the innermost function, type or module.
        """
        scope = self
        while scope.parent and scope.kind in {"block", "outside"}:
            leaves_function = scope.kind == "outside"
            scope = scope.parent
            if leaves_function and (around := scope.binding_scope().parent):
                scope = around
        return scope

    def enclosing_scopes(self) -> Iterator[Scope]:
        """Yield the functions and types around this scope, innermost first; not the module."""
        scope = self.binding_scope()
        while scope.parent is not None:
            yield scope
            scope = scope.parent.binding_scope()

    def type_parameter(self, name: str) -> list[tuple[BindingSource, Scope]] | None:
        """Return (bound, scope that declares it) for each bound of the type parameter `name`.

        The innermost scopes come first. None if no scope around this one has the type parameter.
        """
        scope: Scope | None = self
        bounds: list[tuple[BindingSource, Scope]] = []
        while scope is not None:
            bounds += [(source, scope) for source in scope.constraints.get(name, ())]
            if name in scope.type_parameters:
                return bounds + [(source, scope) for source in scope.type_parameters[name]]
            scope = scope.parent
        return None

    def enclosing_symbol(self) -> Symbol | None:
        """Return the innermost definition that contains this scope; None at module level."""
        scope: Scope | None = self
        while scope is not None and scope.symbol is None:
            scope = scope.parent
        return scope.symbol if scope else None

    def last_visible(self, name: str, at: int) -> list[BindingSource] | None:
        """Return the source of the last binding of a name that is visible at byte `at`.

        The result is a list of one; None if no binding is visible. Use it for block-scoped
        languages, and `possible` for others.
        """
        bindings = [
            binding
            for binding in self._bindings_at(name, at)
            if binding.at <= at and binding.block.contains(at)
        ]
        return [max(bindings, key=lambda binding: binding.at).source] if bindings else None

    def possible(self, name: str, at: int) -> list[BindingSource] | None:
        """Return what a name may be bound to at byte `at`; None if this scope does not bind it.

        The last binding whose block contains the use hides earlier bindings. Bindings in between,
        in other branches, are alternatives. A use before all bindings may have any of them, since
        it may be in an inner function that runs later.
        """
        bindings = self._bindings_at(name, at)
        if not bindings:
            return None
        if len(bindings) == 1:
            return [bindings[0].source]
        sources = []
        for binding in sorted(bindings, key=lambda binding: -binding.at):
            if binding.at <= at:
                sources.append(binding.source)
                if binding.block.contains(at):
                    break
        return sources or [binding.source for binding in bindings]


@dataclass(frozen=True, slots=True)
class ScopeTree:
    """All scopes of a file in `ordered`, outer before inner; `starts` has their first bytes."""

    ordered: Sequence[Scope]
    starts: Sequence[int]
    _innermost: dict[int, Scope] = field(default_factory=dict)
    """Cache of the method `at`."""

    @property
    def module(self) -> Scope:
        return self.ordered[0]

    def at(self, byte: int) -> Scope:
        """Return the innermost scope around a byte."""
        known = self._innermost.get(byte)
        if known is not None:
            return known
        scope = self.ordered[max(bisect_right(self.starts, byte) - 1, 0)]
        while byte >= scope.end and scope.parent:
            scope = scope.parent
        return self._innermost.setdefault(byte, scope)


def build_scopes(
    symbols: Iterable[tuple[int, int, Symbol]],
    unnamed: Iterable[tuple[int, int, ScopeKind]],
    *,
    size: int,
) -> ScopeTree:
    """Build the tree of scopes from definitions and unnamed scopes.

    Both begin with (start byte, end byte); `size` is the number of bytes of the file.
    """
    by_range: dict[tuple[int, int], Scope] = {}
    for start, end, kind in unnamed:
        by_range[start, end] = Scope(start, end, kind)
    for start, end, symbol in symbols:
        same_range, kind = by_range.get((start, end)), _scope_kind(symbol)
        kind = same_range.kind if same_range and kind == "block" else kind
        by_range[start, end] = Scope(start, end, kind, symbol)
    module = Scope(0, size + 1, "module")
    ordered = [module]
    around = [module]
    for _, scope in sorted(by_range.items(), key=lambda item: (item[0][0], -item[0][1])):
        while not around[-1].contains(scope.start):
            around.pop()
        scope.parent = around[-1]
        around.append(scope)
        ordered.append(scope)
    return ScopeTree(ordered, [scope.start for scope in ordered])


def enclosing_type(scope: Scope, *, test_groups: bool = False) -> str:
    """Return the qualified name of the type of `self` in a scope; "" outside of types.

    In a function inside a method, it is the type of the outermost method. With `test_groups` (see
    `Language.test_groups`), a test is the type of `self` in its block.
    """
    around: Scope | None = scope
    while around is not None:
        if test_groups and is_test_block(around) and around.symbol:
            return around.symbol.qualified
        if around.kind == "function" and around.symbol and "." in around.symbol.qualified:
            parent = around.parent.binding_scope() if around.parent else None
            if parent is None or parent.kind != "function" or parent.symbol is None:
                return _owner_name(around.symbol)
        if around.kind == "type" and around.symbol:
            return around.symbol.qualified
        around = around.parent
    return ""


def is_test_block(scope: Scope) -> bool:
    return scope.symbol is not None and scope.symbol.kind is SymbolKind.TEST


def _owner_name(symbol: Symbol) -> str:
    """Return the qualified name of a symbol's owner.

    The name of the symbol itself may have a dot, like `[Symbol.iterator]`.
    """
    if symbol.qualified.endswith(f".{symbol.name}"):
        return symbol.qualified[: -len(symbol.name) - 1]
    return symbol.qualified.rpartition(".")[0]


def _scope_kind(symbol: Symbol) -> ScopeKind:
    if symbol.kind in CALLABLE_KINDS:
        return "function"
    return "type" if symbol.kind in CONTAINER_KINDS else "block"
