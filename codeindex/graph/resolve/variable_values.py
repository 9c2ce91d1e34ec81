"""Find what variables and type aliases stand for, the parts of tuples, and instances of types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.values import (
    ExpressionRef,
    FunctionTypeValue,
    InstanceValue,
    MappedValue,
    ModuleValue,
    RecordValue,
    TupleValue,
    Value,
)
from codeindex.types import CALLABLE_KINDS, CONTAINER_KINDS, OWNER_KINDS, Definition, SymbolKind


def assigned_values(session: ResolutionSession, of: Definition) -> list[Value]:
    """Return the functions, types and other values that a variable or property can have.

    If another variable is assigned to it, that variable's values are in the result instead.
    """
    queue, queued = [of], {of}
    final: list[Value] = []
    while queue:
        for value in _assigned(session, queue.pop()):
            if not isinstance(value, Definition) or value.kind in CALLABLE_KINDS | OWNER_KINDS:
                final.append(value)
            elif value not in queued:
                queued.add(value)
                queue.append(value)
    return final


def _assigned(session: ResolutionSession, of: Definition) -> tuple[Value, ...]:
    declared = session.declared(of.file)
    if declared is None:
        return ()
    owner, dot, name = of.qualified.rpartition(".")
    number = declared.results.get(of.qualified) if of.kind is SymbolKind.PROPERTY else None
    number = number or declared.values.get(of.qualified)
    number = number or declared.values.get(f"{owner}{dot}@{name}")  # attr_reader of Ruby
    return session.values(ExpressionRef(of.file, "declared", number)) if number else ()


def aliased_values(session: ResolutionSession, of: Definition) -> Iterable[Value]:
    """Return the function types and mapped types that a type alias names; () for others."""
    if of.kind is not SymbolKind.TYPE:
        return ()
    values = _assigned(session, of)
    return [value for value in values if isinstance(value, FunctionTypeValue | MappedValue)]


def parts_of(
    session: ResolutionSession, of: TupleValue, position: int | None = None
) -> Iterator[Value]:
    """Yield the values of the part of a tuple at a 0-based position, or of all parts for None."""
    _, *numbers = session.expression(of.parts)
    chosen = numbers if position is None else numbers[position : position + 1]
    for number in chosen:
        yield from session.values(of.parts._replace(number=int(number)))


def instances_of_type(session: ResolutionSession, value: Value) -> Iterable[Value]:
    """Return what a variable holds whose annotation is `value`: instances of this type.

    A value that is no type, such as a module or an instance, is returned itself.
    """
    match value:
        case Definition(kind=kind) if kind in CONTAINER_KINDS:
            return (InstanceValue(value),)
        case Definition(kind=kind) if kind not in CALLABLE_KINDS:
            return [
                instance
                for each in assigned_values(session, value)
                for instance in instances_of_type(session, each)
            ]
        case TupleValue():
            parts = [*parts_of(session, value)]
            types = [part for part in parts if isinstance(part, Definition)]
            instances = [each for part in types for each in instances_of_type(session, part)]
            return instances if parts and len(types) == len(parts) else (value,)
        # a file may be a type: Zig
        case InstanceValue() | ModuleValue() | FunctionTypeValue() | MappedValue() | RecordValue():
            return (value,)
        case _:
            return ()
