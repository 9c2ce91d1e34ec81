"""Resolve the start of an expression: enclosing types, path roots and extension functions."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Sequence

from codeindex.graph.resolve.base_types import base_types, has_unknown_base
from codeindex.graph.resolve.names import module_level_values, wildcard_matches
from codeindex.graph.resolve.parameters import accepted_counts
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.values import (
    STORED_KINDS,
    ExpressionRef,
    ExternalValue,
    FileDeclarations,
    InstanceValue,
    ModuleValue,
    Value,
)
from codeindex.graph.resolve.variable_values import assigned_values
from codeindex.types import CALLABLE_KINDS, Definition, SymbolKind

_MAX_TYPES = 60


def named_types(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Sequence[Definition]:
    """Return the type with this name as a list of one; [] if there is none.

    The file defines or imports it. The definition may be elsewhere: in C++, `void A::b() {}` names
    a type of another file.
    """
    own = [
        definition
        for definition in declared.symbols.get(name, ())
        if definition.kind is not SymbolKind.IMPL
    ]
    elsewhere = () if own else module_level_values(session, declared, name)
    return (own or [definition for definition in elsewhere if isinstance(definition, Definition)])[
        :1
    ]


def path_root_values(
    session: ResolutionSession, declared: FileDeclarations, name: str
) -> Sequence[Value]:
    """Return the values of the first name in a path, like `std` in `std::fs`.

    The name is one that is visible in the file, else a module, else an external package.
    """
    values: Sequence[Value] = module_level_values(session, declared, name)
    if declared.language.uncallable:
        values = without_kinds(values, CALLABLE_KINDS)
    place = None if values else session.locate(declared.path, name)
    return values or ((ModuleValue(place),) if place else (ExternalValue(name),))


def may_be_outside(
    session: ResolutionSession,
    declared: FileDeclarations,
    place: ExpressionRef,
    values: Iterable[Value],
) -> bool:
    """Tell whether a member without parentheses may be one that a type outside declares.

    `values` are what the expression at `place` may mean in the repository. Only functions that take
    arguments are in question: `Language.bare_members`.
    """
    operation, *operands = session.expression(place)
    if (
        not declared.language.bare_members
        or operation not in {"member", "own"}
        or str(operands[-1]).endswith("()")
    ):
        return False
    needs = [_needs_arguments(session, value) for value in values]
    if not needs or not all(needs):
        return False
    return any(
        has_unknown_base(session, of) for of in _types_of(session, declared, place, operands[0])
    )


def may_run_outside(session: ResolutionSession, value: Value) -> bool:
    """Tell whether a call of `value` may run a function that an external type declares.

    `value` is a constructor or a function with default values that an extension adds to this type.
    Other functions of extensions differ from those of the type in their parameters.
    """
    if not isinstance(value, Definition) or value.kind not in CALLABLE_KINDS:
        return False
    owner, _, name = value.qualified.rpartition(".")
    least, most = accepted_counts(value.signature, name)
    declared = session.declared(value.file)
    if declared is None or not (least != most or value.kind is SymbolKind.CONSTRUCTOR):
        return False
    return any(type_.kind is SymbolKind.IMPL for type_ in named_types(session, declared, owner))


def _needs_arguments(session: ResolutionSession, value: Value) -> bool:
    if not isinstance(value, Definition) or value.kind is not SymbolKind.METHOD:
        return False
    declared = session.declared(value.file)
    name = value.qualified.rpartition(".")[2]
    repeated = declared.language.repeated_parameter.search if declared else None
    return repeated is not None and accepted_counts(value.signature, name, repeated)[0] > 0


def _types_of(
    session: ResolutionSession, declared: FileDeclarations, place: ExpressionRef, owner: object
) -> Iterator[Definition]:
    """Yield the types of a receiver: the number of its expression, or the name of a type."""
    if isinstance(owner, str):
        yield from named_types(session, declared, owner)
    elif isinstance(owner, int):
        for value in session.values(place._replace(number=owner)):
            of = value.of if isinstance(value, InstanceValue) else value
            if isinstance(of, Definition):
                yield of


def without_kinds(values: Iterable[Value], kinds: Collection[SymbolKind]) -> Sequence[Value]:
    """Return the values that are no definitions of one of these kinds."""
    return [
        value for value in values if not isinstance(value, Definition) or value.kind not in kinds
    ]


def find_extensions(
    session: ResolutionSession,
    declared: FileDeclarations,
    name: str,
    of: Iterable[Value],
    library_types: Collection[str],
) -> Sequence[Value]:
    """Return the extension functions that `value.name()` may run, for the values in `of`.

    The value can also be of one of the `library_types`, which are names. If the file defines or
    imports by name exactly one such function, only that is returned. An extension function from a
    wildcard import, or one that a type of the file declares, must have the type of one of the
    values as receiver type.
    """
    if not declared.language.extension_functions:
        return ()
    bare = name.removesuffix("()")
    known = bare in declared.locals or bare in declared.values or name in declared.values
    candidates = module_level_values(session, declared, name) if known else ()
    extensions: Sequence[Value] = [value for value in candidates if _is_extension(session, value)]
    if len(extensions) == 1:
        return extensions
    types = {each for value in of for each in _type_names(session, value)} | {*library_types}
    if not known and types:
        extensions = visible_extensions(session, declared, name, of=types)
    if not extensions and types:
        places = (
            ExpressionRef(declared.path, "declared", number)
            for number in declared.member_extensions.get(name, ())
        )
        inner = [value for place in places for value in session.values(place)]
        return [value for value in inner if _receiver_name(value) in types]
    return [value for value in extensions if _receiver_name(value) in types] or extensions


def visible_extensions(
    session: ResolutionSession,
    declared: FileDeclarations,
    name: str,
    *,
    of: Container[str] | None = None,
) -> Sequence[Value]:
    """Return the extension functions `name` that wildcard imports bring.

    With `of`, only those whose receiver type has one of these names.
    """
    extensions: list[Value] = []
    for value, module in wildcard_matches(session, declared, name):
        if _is_extension(session, value) and (of is None or _receiver_name(value) in of):
            extensions.append(value)
            if declared.path == session.path:
                known = session.wildcard_uses.setdefault(module, {})
                known[value] = known.get(value, False) or of is not None
    return extensions


def record_extension_imports(
    session: ResolutionSession, declared: FileDeclarations, name: str, values: Iterable[Value]
) -> None:
    """Record which wildcard imports bring the extension functions among `values`.

    A file depends on these imports although its code does not name their modules.
    """
    if declared.language.extension_functions and declared.path == session.path:
        of = {_receiver_name(value) for value in values if _is_extension(session, value)}
        if of:
            visible_extensions(session, declared, name, of=of)


def _type_names(session: ResolutionSession, value: Value) -> Iterator[str]:
    """Yield the names of the types that a value has, and of all their base types."""
    is_stored = isinstance(value, Definition) and value.kind in STORED_KINDS
    held_there = assigned_values(session, value) if is_stored else [value]  # type: ignore[arg-type]
    below = [type_.of for type_ in held_there if isinstance(type_, InstanceValue) and type_.of]
    visited = set(below)
    while below and len(visited) < _MAX_TYPES:
        type_ = below.pop()
        yield type_.qualified.rpartition(".")[2]
        more = set(base_types(session, type_)) - visited
        visited |= more
        below += more


def _receiver_name(value: Value) -> str:
    """Return the name of the receiver type of an extension function; "" for other values."""
    return value.qualified.split(".")[-2] if isinstance(value, Definition) else ""


def _is_extension(session: ResolutionSession, value: Value) -> bool:
    """Tell whether a value is an extension: a member that is visible outside of its type."""
    if not isinstance(value, Definition):
        return False
    owner, _, bare = value.qualified.rpartition(".")
    around, dot, _ = owner.rpartition(".")
    declared = session.declared(value.file)
    name = f"{around}{dot}{bare}"
    return bool(owner and declared and (name in declared.values or f"{name}()" in declared.values))
