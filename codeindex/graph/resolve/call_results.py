"""Find the results of calling, entering and iterating values, and the values of parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codeindex.graph.expression_table import CALLED, parameter_name
from codeindex.graph.resolve.base_types import with_base_types
from codeindex.graph.resolve.members import adds_method_outside, member_of_side, member_of_type
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.values import (
    ExpressionRef,
    FunctionTypeValue,
    InstanceValue,
    MappedValue,
    TupleValue,
    Value,
)
from codeindex.graph.resolve.variable_values import (
    aliased_values,
    assigned_values,
    instances_of_type,
    parts_of,
)
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Definition, SymbolKind

_ELEMENT_METHODS = frozenset(
    [
        *("apply", "borrow", "borrow_mut", "element", "expect", "first", "get", "getFirst"),
        *("getLast", "getOrDefault", "get_mut", "join", "last", "lock", "next", "orElse"),
        *("orElseGet", "orElseThrow", "peek", "poll", "pop", "popleft", "read", "remove"),
        *("setdefault", "take", "unwrap", "unwrap_or_default", "values", "write"),
        *("ElementAt", "First", "FirstOrDefault", "Last", "LastOrDefault", "Single"),
        "SingleOrDefault",
    ]
)
"""Methods of containers and wrappers that return an element."""
_IDENTITY_METHODS = frozenset(
    [
        *("as_deref", "as_mut", "as_ref", "borrow", "borrow_mut", "by_ref", "clone", "cloned"),
        *("copied", "copy", "default", "expect", "filter", "into_iter", "iter", "iter_mut"),
        *("as_pin_mut", "as_pin_ref", "get_mut", "get_unchecked_mut", "project", "project_ref"),
        *("lock", "peekable", "read", "rev", "skip", "to_owned", "to_vec", "unwrap", "write"),
        *("AsEnumerable", "AsTask", "Concat", "ConfigureAwait", "Distinct", "Except"),
        *("OrderBy", "OrderByDescending"),
        *("Skip", "SkipWhile", "Take", "TakeWhile", "ThenBy", "ToArray", "ToHashSet", "ToList"),
        *("Union", "Where"),
    ]
)
"""Methods that return the receiver, or an equivalent value if its elements are unknown."""


def call_result(session: ResolutionSession, value: Value) -> Sequence[Value]:
    """Return the possible results of calling a value; calling a type gives an instance of it."""
    match value:
        case Definition(kind=kind) if kind in OWNER_KINDS | {SymbolKind.MODULE}:
            return _made_by_type(session, value)
        case Definition(kind=kind) if kind in CALLABLE_KINDS:
            declared = session.declared(value.file)
            is_known = declared is not None and not adds_method_outside(session, value)
            return session.values(declared.result(value)) if declared and is_known else ()
        case Definition(kind=kind):
            final = assigned_values(session, value)
            called = [result for each in final for result in call_result(session, each)]
            return called or (final if kind is SymbolKind.PROPERTY else [])
        case InstanceValue(of=Definition() as of):
            with session.evaluating(("call", of)) as may_go_on:  # an instance may call itself
                return _results_of_instance(session, of) if may_go_on else ()
        case FunctionTypeValue(place):
            result = int(session.expression(place)[1])
            return session.values(place._replace(number=result)) if result else ()
        case _:
            return ()


def _made_by_type(session: ResolutionSession, of: Definition) -> Sequence[Value]:
    """Return an instance of a type, which `new` returns.

    For a module, return what its function `new` returns.
    """
    if of.kind is not SymbolKind.MODULE:
        return (InstanceValue(of),)
    makers = member_of_side(session, of, "new", is_type=True)
    return [each for maker in makers for each in call_result(session, maker)]


def _results_of_instance(session: ResolutionSession, of: Definition) -> Sequence[Value]:
    """Return the results of calling an instance, by its call method or call signature."""
    if of.kind in CALLABLE_KINDS:
        return call_result(session, of)
    declared = session.declared(of.file)
    name = declared.language.call_method if declared else ""
    methods = member_of_type(session, of, name or "__call__")
    with session.evaluating((of, CALLED)) as first:
        called = [
            result
            for method in methods
            if first and isinstance(method, Definition)  # a mapped type has members of any name
            for result in call_result(session, method)
        ]
    if called:
        return called
    for type_ in with_base_types(session, of):
        declared = session.declared(type_.file)
        number = declared.results.get(f"{type_.qualified}.{CALLED}") if declared else None
        if number:
            return session.values(ExpressionRef(type_.file, "declared", number))
        for value in aliased_values(session, type_):
            if isinstance(value, FunctionTypeValue):
                return call_result(session, value)
    return ()


def parameter_values(session: ResolutionSession, value: Value, position: int) -> Sequence[Value]:
    """Return the possible values of the parameter at a 0-based position; () if unknown.

    `value` is a function, or a type, whose constructor then has the parameter.
    """
    match value:
        case FunctionTypeValue(place):
            _, _, *parameters = session.expression(place)
            number = int(parameters[position]) if position < len(parameters) else 0
            return session.values(place._replace(number=number)) if number else ()
        case Definition(kind=kind) if kind in CALLABLE_KINDS:
            return _declared_parameter(session, value, value.qualified, position)
        case Definition(kind=kind) if kind in OWNER_KINDS:
            made = member_of_type(session, value, "constructor")
            makers = [by for by in made if isinstance(by, Definition) and by.kind in CALLABLE_KINDS]
            return [each for by in makers for each in parameter_values(session, by, position)]
        case Definition():
            final = assigned_values(session, value)
            return [each for of in final for each in parameter_values(session, of, position)]
        case InstanceValue(of=Definition() as of):
            return _parameter_of_instance(session, of, position)
        case _:
            return ()


def _parameter_of_instance(
    session: ResolutionSession, of: Definition, position: int
) -> Sequence[Value]:
    """Return the values of the parameter at `position` if an instance of `of` is called.

    The call signature of the type, or of a base type, declares the parameter.
    """
    if of.kind in CALLABLE_KINDS:
        return _declared_parameter(session, of, of.qualified, position)
    for type_ in with_base_types(session, of):
        called = f"{type_.qualified}.{CALLED}"
        values = _declared_parameter(session, type_, called, position)
        if values:
            return values
        for value in aliased_values(session, type_):
            if isinstance(value, FunctionTypeValue):
                return parameter_values(session, value, position)
    return ()


def _declared_parameter(
    session: ResolutionSession, of: Definition, function: str, position: int
) -> Sequence[Value]:
    declared = session.declared(of.file)
    number = declared.values.get(parameter_name(function, position)) if declared else None
    return session.values(ExpressionRef(of.file, "declared", number)) if number else ()


def container_method_result(
    session: ResolutionSession, place: ExpressionRef, function: int
) -> Iterator[Value]:
    """Yield the results of calling a method like `xs.get()`, whose name shows what it returns.

    `function` is the number of the called expression. Yield nothing for calls of other methods.
    """
    operation, *operands = session.expression(place._replace(number=function))
    name = str(operands[-1]).removesuffix("()") if operands else ""
    if operation != "member" or name not in _ELEMENT_METHODS | _IDENTITY_METHODS:
        return
    for value in session.values(place._replace(number=int(operands[0]))):
        is_type = isinstance(value, Definition) and value.kind in OWNER_KINDS
        for instance in (
            instances_of_type(session, value) if not is_type or name == "default" else ()
        ):
            if (
                name in _ELEMENT_METHODS
                and isinstance(instance, InstanceValue)
                and instance.elements
            ):
                yield from session.values(instance.elements)
            elif name in _IDENTITY_METHODS:
                yield instance


def element_values(session: ResolutionSession, value: Value) -> Sequence[Value]:
    """Return the possible values of the elements of a container."""
    match value:
        case InstanceValue(elements=ExpressionRef() as inner) | MappedValue(inner):
            return session.values(inner)
        case TupleValue():
            return [*parts_of(session, value)]
        case Definition(kind=kind) if kind not in CALLABLE_KINDS | OWNER_KINDS:
            return [
                element
                for each in assigned_values(session, value)
                for element in element_values(session, each)
            ]
        case InstanceValue(of=Definition() as of) if of.kind is SymbolKind.TYPE:
            final = [element for element in assigned_values(session, of) if element != value]
            return [element for each in final for element in element_values(session, each)]
        case InstanceValue(of=Definition() as of):
            for name in ("__getitem__", "__iter__"):
                for method in member_of_type(session, of, name):
                    return call_result(session, method)
        case _:
            pass
    return ()


def context_value(session: ResolutionSession, value: Value) -> Sequence[Value]:
    """Return the value that `with value as x` binds to `x`; also the content of a wrapper.

    It is the result of the value's `__enter__`, else its elements, else the value itself.
    """
    if isinstance(value, TupleValue):
        return (value,)
    if isinstance(value, InstanceValue) and value.of:
        for method in member_of_type(session, value.of, "__enter__"):
            return call_result(session, method) or (value,)
    return element_values(session, value) or (value,)
