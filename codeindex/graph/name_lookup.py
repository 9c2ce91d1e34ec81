"""Look up a bare name in a file: as a local binding, a type's member, or a module's name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from codeindex.graph.expression_table import MAX_BOUNDS, PATH_SEPARATOR, ExpressionTable
from codeindex.graph.scopes import BindingSource, Scope, ScopeTree, enclosing_type, is_test_block
from codeindex.languages import Language
from codeindex.types import CALLABLE_KINDS, MEMBER_ONLY_KINDS, NAMESPACE_KINDS, Symbol, SymbolKind

if TYPE_CHECKING:
    from tree_sitter import Node

_ANYWHERE = -1
"""Position of a use in an inner function, which may run after any binding."""


class _LocalDefinition(NamedTuple):
    """A definition in this file, with its qualified name.

    `position` is its index among the definitions of the same name.
    """

    qualified: str
    position: int
    is_callable: bool


class NameLookup:
    """Finds the expression that a bare name means at a place, from the scopes around the place."""

    def __init__(
        self,
        table: ExpressionTable,
        scopes: ScopeTree,
        language: Language,
        symbols: Sequence[Symbol],
        bound_value: Callable[[BindingSource, Scope], int],
        class_methods: frozenset[int] = frozenset(),
    ) -> None:
        """Prepare the lookup.

        `bound_value` returns the expression of a binding; `class_methods` has the first bytes of
        methods of classes themselves.
        """
        self._class_methods = class_methods
        self._table = table
        self._scopes = scopes
        self._language = language
        self._bound_value = bound_value
        self.named = frozenset(
            symbol.qualified for symbol in symbols if symbol.kind not in MEMBER_ONLY_KINDS
        )
        self._members = frozenset(symbol.qualified for symbol in symbols if "." in symbol.qualified)
        self._namespaces = frozenset(
            symbol.qualified for symbol in symbols if symbol.kind in NAMESPACE_KINDS
        )
        self._tests = frozenset(
            symbol.qualified for symbol in symbols if symbol.kind is SymbolKind.TEST
        )
        self._functions = frozenset(
            symbol.qualified for symbol in symbols if symbol.kind in CALLABLE_KINDS
        )
        self._anonymous_members = _anonymous_members(scopes, symbols)
        self._outside_of_anonymous = _positions_outside(symbols, self._anonymous_members)
        self._inner_names = _inner_names(scopes, self.named | self._members)
        self._type_parameters = frozenset[str]().union(
            *(scope.type_parameters for scope in scopes.ordered)
        )
        self._nested_functions = _proper_suffixes(self._functions)
        self._around: dict[int, tuple[Scope, tuple[Scope, ...]]] = {}
        self.reset()

    def reset(self) -> None:
        """Forget the cached expression numbers, which a flush of the table makes invalid."""
        self._enclosing_owners: dict[tuple[int, int, bool], Sequence[str | int | Scope]] = {}
        self._outside_functions: dict[tuple[str, int], int] = {}

    def look_up(self, name: str, at: int) -> tuple[int, bool]:
        """Look up a bare name at a byte; return (number of its expression, is visible).

        It is visible if other files can see the definition. Inner scopes are searched
        first. Names bound by a type are visible only in the type's own body, except in languages
        that allow bare names for members.
        """
        around = self._scopes.at(at)
        innermost, enclosing = self._enclosing(around)
        bare = name.removesuffix(PATH_SEPARATOR)
        if bare not in self._inner_names:
            return self._look_up_outside_functions(name, innermost), True
        self._table.add("name", name)
        bounds = around.type_parameter(bare) if bare in self._type_parameters else None
        if bounds is not None:
            values = [self._bound_value(source, scope) for source, scope in bounds]
            bound = self._table.union(values, limit=MAX_BOUNDS)
            is_typed = self._language.type_rules is not None
            return self._table.add("parameter", bare, bound) if is_typed else bound, False
        if self._is_bound_by_class_body(innermost, bare):
            owner = innermost.symbol.qualified if innermost.symbol else ""
            return self._table.add("member", self._table.add("define", owner), bare), True
        for scope in enclosing:
            runs_in_place = scope is innermost or self._language.block_scoped
            local = self._look_up_in_function(scope, bare, at if runs_in_place else _ANYWHERE)
            if local is not None:
                number, is_import = local
                owners = self._owners(innermost, scope, bare) if is_import else ()
                return self._as_member(number, bare, owners), is_import
        return self._look_up_outside_functions(name, innermost), True

    def _enclosing(self, around: Scope) -> tuple[Scope, tuple[Scope, ...]]:
        """Return (scope that stores the bindings made in `around`, the scopes that enclose it).

        The first is the innermost function, type or module. Results are cached.
        """
        known = self._around.get(id(around))
        if known is None:
            innermost = around.binding_scope()
            known = self._around[id(around)] = innermost, tuple(innermost.enclosing_scopes())
        return known

    def anonymous_class_instance(self, at: int) -> int | None:
        """Return the number of the expression of `this` inside an anonymous class.

        None if byte `at` is outside of one.
        """
        body = self.anonymous_class(at)
        return self.base_instance(body) if body else None

    def base_instance(self, body: Scope) -> int:
        """Return the number of the expression that `this` means inside an anonymous class.

        The expression is an instance of the class's base type. `body` is the scope of the class.
        """
        return self._bound_value(body.bindings["this"][0].source, body)

    def anonymous_class(self, at: int) -> Scope | None:
        """Return the body of the anonymous class to which `this` at a byte belongs, or None."""
        scope = self._scopes.at(at).binding_scope()
        while scope.kind == "function" and scope.parent:
            if "this" in scope.bindings:
                return scope
            scope = scope.parent.binding_scope()
        return None

    def declared_in(self, body: Scope, name: str) -> int | None:
        """Return the number of the expression of the anonymous class's own member `name`.

        None if it declares no such member. With overloads, the expression means any of them.
        """
        members = self._anonymous_members.get(id(body), {}).get(name.removesuffix("()"), ())
        if name.endswith("()"):
            members = [each for each in members if each.is_callable] or (
                members if self._language.callable_variables else ()
            )
        elif self._language.method_names:
            members = [each for each in members if not each.is_callable]
        return self._any_numbered(members) if members else None

    def local_value(self, name: str, at: int) -> Node | None:
        """Return the node of the value that a local variable has at byte `at`.

        None if the value is unknown, may be one of several, or is a part of an unpacked value.
        """
        for scope in self._scopes.at(at).enclosing_scopes():
            if name in scope.bindings:
                sources = (
                    scope.last_visible(name, at)
                    if self._language.block_scoped
                    else scope.possible(name, at)
                )
                is_value = sources and len(sources) == 1 and sources[0].kind == "value"
                return sources[0].node if sources and is_value and not sources[0].part else None
        return None

    def own_member(self, variable: str, name: str, at: int) -> int | None:
        """Return the number of the expression of a method that only one local object has.

        In Ruby, `def variable.name` inside a function defines such a method. `at` is the byte of
        the use. None if the object has no such method.
        """
        if f"{variable}.{name}" not in self._nested_functions:
            return None
        for scope in self._enclosing(self._scopes.at(at))[1]:
            if variable in scope.bindings:
                around = scope.enclosing_symbol()
                qualified = f"{around.qualified}.{variable}.{name}" if around else ""
                is_own = qualified in self._functions and len(scope.bindings[variable]) == 1
                return self._table.add("define", qualified) if is_own else None
        return None

    def _any_numbered(self, members: Sequence[_LocalDefinition]) -> int:
        numbers = [self._table.add("numbered", each.qualified, each.position) for each in members]
        return self._table.union(numbers, limit=MAX_BOUNDS)

    def _look_up_outside_functions(self, name: str, innermost: Scope) -> int:
        """Return the number of the expression of a name that no enclosing function binds.

        Results are cached by name and scope.
        """
        key = (name, id(innermost))
        known = self._outside_functions.get(key)
        if known is None:
            number = self._table.add(
                "name", name
            )  # before those of its owners: the order is stored
            owners = self._owners(innermost, self._scopes.module, name)
            known = self._as_member(number, name.removesuffix(PATH_SEPARATOR), owners)
            self._outside_functions[key] = known
        return known

    def _as_member(self, number: int, name: str, owners: Sequence[str | int | Scope]) -> int:
        """Return the number of the expression of a name that may be a member of one of `owners`.

        `owners` are ordered, the outermost first; the innermost one that has the member wins.
        `number` is the expression that the name means if no owner has it.
        """
        for owner in owners:
            if isinstance(owner, Scope):
                declared = self.declared_in(owner, name)
                number = number if declared is None else declared
                continue
            type_ = owner.removeprefix(PATH_SEPARATOR) if isinstance(owner, str) else ""
            is_type = bool(type_) and type_ not in self._namespaces and type_ not in self._tests
            is_owner_itself = is_type and type_.rpartition(".")[2] == name
            number = (
                self._table.add("name", type_)
                if is_owner_itself
                else self._table.add("own", owner, number, name)
            )
        return number

    def _is_bound_by_class_body(self, scope: Scope, name: str) -> bool:
        is_type = scope.kind == "type" and self._language.class_body_scope
        if not is_type or scope.symbol is None or _is_namespace(scope):
            return False
        return name in scope.bindings or f"{scope.symbol.qualified}.{name}" in self._members

    def _owners(self, innermost: Scope, outermost: Scope, name: str) -> Sequence[str | int | Scope]:
        """Return the types and namespaces whose member a bare name may be, outermost first.

        They enclose the scope `innermost`, up to the scope `outermost`. Each is a qualified name,
        the number of an expression, or the body of an anonymous class.
        """
        constants = self._language.outer_members
        is_of_innermost = constants is not None and not constants.match(name)
        key = (id(innermost), id(outermost), is_of_innermost)
        if key not in self._enclosing_owners:
            owners: list[str | int | Scope] = []
            for scope in innermost.enclosing_scopes():
                if scope is outermost or (owners and is_of_innermost):
                    break
                if self._language.implicit_receiver:
                    outside = _owner_outside_of_type(scope)
                    owners += self._names_of(outside, scope) if outside else ()
                    owners += self._anonymous_class_owners(scope)
                visible = self._language.implicit_receiver or _is_namespace(scope)
                is_owner = scope.kind == "type" or (
                    self._language.test_groups and is_test_block(scope)
                )
                is_innermost = scope is innermost
                own_object = is_of_innermost and self._own_object(scope, is_innermost=is_innermost)
                if own_object:
                    owners.append(own_object)
                elif is_owner and scope.symbol and visible:
                    owners += self._names_of(scope.symbol.qualified, scope)
            if constants is not None:
                owners[1:] = map(self._without_bases, owners[1:])
            self._enclosing_owners[key] = owners[::-1]
        return self._enclosing_owners[key]

    def _names_of(self, qualified: str, scope: Scope) -> list[str]:
        """Return the qualified names of a type or namespace and of those around it.

        In languages with nested namespaces, like C++, they are `a.b.c`, `a.b` and `a` for `a.b.c`,
        without those that have a scope of their own around `scope`, which is that of `a.b.c` or of
        a member. In other languages, only the first is returned.
        """
        if not self._language.nested_namespaces:
            return [qualified]
        around = scope.parent.enclosing_symbol() if scope.parent else None
        end = around.qualified if around else ""
        names: list[str] = []
        while qualified and qualified != end:
            names.append(qualified)
            qualified = qualified.rpartition(".")[0]
        return names

    def _without_bases(self, owner: str | int | Scope) -> str | int | Scope:
        """Mark an owner that is a type, so that its inherited members are not looked up.

        Return the owner with a prefix; other owners are returned unchanged.
        """
        is_type = isinstance(owner, str) and owner not in self._tests
        return f"{PATH_SEPARATOR}{owner}" if is_type else owner

    def _own_object(self, scope: Scope, *, is_innermost: bool) -> int:
        """Return the number of the expression of `self` in a scope; 0 if it is unknown.

        In a method, it is the class itself or an instance of it, in languages with reopened types.
        In the body of a class it is the class, but only if that is the innermost scope of the use:
        a block may have another `self`.
        """
        if not self._language.reopened_types:
            return 0
        owner = enclosing_type(scope)
        if scope.kind == "type":
            return self._table.add("define", owner) if is_innermost else 0
        around = scope.parent.binding_scope() if scope.parent else scope
        is_method = scope.symbol is not None and scope.symbol.kind is SymbolKind.METHOD
        if not is_method or around.kind != "type":
            return 0
        return self._table.add("define" if scope.start in self._class_methods else "self", owner)

    def _anonymous_class_owners(self, scope: Scope) -> list[str | int | Scope]:
        """Return the body of an anonymous class and the expressions of its base types, as owners.

        For a lambda with a receiver, return the expression of that; otherwise [].
        """
        bases = [
            self._bound_value(binding.source, scope) for binding in scope.bindings.get("this", ())
        ]
        if bases:
            return [scope, *filter(None, bases)]
        receiver = self._bound_value(scope.receiver, scope) if scope.receiver else 0
        return [receiver] if receiver else []

    def _look_up_in_function(self, scope: Scope, name: str, at: int) -> tuple[int, bool] | None:
        """Return (number of the expression of a name, whether an import binds it).

        None if the function with this scope does not bind the name.
        """
        if scope.kind != "function":
            return None
        local = name.removesuffix("()") if self._language.callable_variables else name
        if local != name and self._is_function_of_owner(scope, local):
            return None
        block_scoped = self._language.block_scoped
        sources = scope.last_visible(local, at) if block_scoped else scope.possible(local, at)
        if sources is not None:
            is_import = all(source.kind == "import" for source in sources)
            values = [self._bound_value(source, scope) for source in sources]
            return self._table.union(values), is_import
        bare = name.removesuffix("()")
        qualified = f"{scope.symbol.qualified}.{bare}" if scope.symbol else ""
        apart = self._language.method_names
        if qualified not in self.named or (apart and bare == name and qualified in self._functions):
            return None
        return self._local_function(qualified, "()" if apart and bare != name else "")

    def _local_function(self, qualified: str, suffix: str) -> tuple[int, bool] | None:
        """Return (number of the expression of a definition inside a function, True).

        `qualified` is its name, and `suffix` is `()` if only a function can be meant; True means
        that other files can see it. None if only members of anonymous classes have the name, since
        they need a receiver.
        """
        others = self._outside_of_anonymous.get(qualified)
        if others is None:
            return self._table.add("define", qualified + suffix), True
        return (self._any_numbered(others), True) if others else None

    def _is_function_of_owner(self, scope: Scope, name: str) -> bool:
        """Tell whether a type around `scope` has a function of this name.

        In a call, that function hides a variable of the name.
        """
        owners = self._owners(scope, self._scopes.module, name)
        return any(
            self.declared_in(owner, f"{name}()") is not None
            if isinstance(owner, Scope)
            else f"{owner}.{name}" in self._functions
            for owner in owners
        )


def _anonymous_members(
    scopes: ScopeTree, symbols: Sequence[Symbol]
) -> dict[int, dict[str, list[_LocalDefinition]]]:
    """Return {`id()` of an anonymous class's body: {member name: definitions}}."""
    if not any(scope.is_anonymous_class for scope in scopes.ordered):
        return {}
    counted: Counter[str] = Counter()
    positions: dict[int, int] = {}
    for symbol in symbols:
        positions[id(symbol)] = counted[symbol.qualified]
        counted[symbol.qualified] += 1
    members: dict[int, dict[str, list[_LocalDefinition]]] = {}
    for scope in scopes.ordered:
        member = scope.symbol
        around = scope.parent.binding_scope() if scope.parent else None
        if member and around and around.is_anonymous_class:
            is_callable = member.kind in CALLABLE_KINDS
            known = members.setdefault(id(around), {}).setdefault(member.name, [])
            known.append(_LocalDefinition(member.qualified, positions[id(member)], is_callable))
    return members


def _positions_outside(
    symbols: Sequence[Symbol], anonymous: Mapping[int, Mapping[str, Sequence[_LocalDefinition]]]
) -> dict[str, list[_LocalDefinition]]:
    """Return {qualified name: definitions outside of anonymous classes}.

    The keys are the qualified names of the members of anonymous classes; the list of a name is
    empty if only such members have it.
    """
    inside = {
        (member.qualified, member.position)
        for members in anonymous.values()
        for same in members.values()
        for member in same
    }
    outside: dict[str, list[_LocalDefinition]] = {qualified: [] for qualified, _ in inside}
    counted: Counter[str] = Counter()
    for symbol in symbols if inside else ():
        position = counted[symbol.qualified]
        counted[symbol.qualified] += 1
        if symbol.qualified in outside and (symbol.qualified, position) not in inside:
            is_callable = symbol.kind in CALLABLE_KINDS
            outside[symbol.qualified].append(
                _LocalDefinition(symbol.qualified, position, is_callable)
            )
    return outside


def _inner_names(scopes: ScopeTree, defined: frozenset[str]) -> frozenset[str]:
    """Return the names that scopes inside the module may define; look-ups of others skip them.

    The result has the names that inner scopes bind, all type parameters, and the last part of each
    dotted name in `defined`, the qualified names of the file's symbols. Each name that is not only
    a type parameter is in the set twice: as it is, and with `()` at the end for look-ups of calls.
    """
    inner = [scope for scope in scopes.ordered if scope.parent is not None]
    nested = {qualified.rpartition(".")[2] for qualified in defined if "." in qualified}
    return frozenset(
        {f"{name}{end}" for scope in inner for name in scope.bindings for end in ("", "()")}
        | {name for scope in scopes.ordered for name in scope.type_parameters}
        | {f"{name}{end}" for name in nested for end in ("", "()")}
    )


def _proper_suffixes(qualified_names: Iterable[str]) -> frozenset[str]:
    """Return the text after each dot of the names: `b.c` and `c` for `a.b.c`."""
    suffixes: set[str] = set()
    for qualified in qualified_names:
        parts = qualified.split(".")
        suffixes.update(".".join(parts[first:]) for first in range(1, len(parts)))
    return frozenset(suffixes)


def _is_namespace(scope: Scope) -> bool:
    return scope.symbol is not None and scope.symbol.kind in NAMESPACE_KINDS


def _owner_outside_of_type(scope: Scope) -> str:
    """Return the owner of a function that is defined outside of its type: C++ `void A::b() {}`.

    Return "" for other functions.
    """
    if scope.kind != "function" or scope.symbol is None or scope.parent is None:
        return ""
    if scope.symbol.kind is SymbolKind.TEST:
        return ""
    around = scope.parent.enclosing_symbol()
    owner = scope.symbol.qualified.rpartition(".")[0]
    return "" if around and around.qualified == owner else owner
