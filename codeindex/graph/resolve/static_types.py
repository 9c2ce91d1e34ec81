"""Find the static types of expressions, to choose between overloads.

Values tell what an expression may be when the program runs; overloads are chosen by what the
compiler knows. So a type is returned only if it is exactly the declared one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from codeindex.graph.resolve.extension_methods import extended_receiver, returns_receiver
from codeindex.graph.resolve.parameters import static_type_of_value
from codeindex.graph.resolve.self_types import type_parameters
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.subtypes import (
    is_primitive,
    supertypes_of,
    type_named_by,
    written_name,
)
from codeindex.graph.resolve.values import (
    STORED_KINDS,
    CallArguments,
    ExpressionRef,
    InstanceValue,
    Selection,
    StaticType,
    Value,
)
from codeindex.graph.resolve.variable_values import assigned_values
from codeindex.languages import TypeRules
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Definition

Select = Callable[[ResolutionSession, Sequence[Definition], CallArguments], Selection]
"""A function that selects the overloads that a call may run."""
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||", "!"})
_SHIFTS = frozenset({"<<", ">>", ">>>"})


class TypeScope(NamedTuple):
    """The inputs to find static types: session, type rules, and the choice of overloads."""

    session: ResolutionSession
    rules: TypeRules
    select: Select


def static_type(scope: TypeScope, place: ExpressionRef) -> StaticType | None:
    """Return the static type of an expression, which the compiler knows; None if unknown."""
    session = scope.session
    return session.remember(session.static_types, place, lambda: _find_once(scope, place))


def receiver_types(scope: TypeScope, receiver: ExpressionRef) -> Sequence[StaticType]:
    """Return the types that a receiver may have: those of its values, and the static one."""
    found: dict[StaticType, None] = {}
    for value in scope.session.values(receiver):
        held: Sequence[Value] = [value]
        if isinstance(value, Definition) and value.kind in STORED_KINDS:
            held = assigned_values(scope.session, value)
        for each in held:
            if isinstance(each, InstanceValue) and each.of:
                found[StaticType(each.of.qualified, each.of)] = None
    static = static_type(scope, receiver)
    if static is not None and static.closure is None:
        found[static._replace(variable="")] = None
    return [*found]


def _find_once(scope: TypeScope, place: ExpressionRef) -> StaticType | None:
    """Compute the static type of an expression without the cache; None in a cycle."""
    with scope.session.evaluating(("static type", place)) as first:
        return _find(scope, place) if first else None


def _find(scope: TypeScope, place: ExpressionRef) -> StaticType | None:
    operation, *operands = scope.session.expression(place)
    find = _FINDERS.get(str(operation))
    return find(scope, place, *operands) if find else None


def _operand(scope: TypeScope, place: ExpressionRef, number: Any) -> StaticType | None:
    return static_type(scope, place._replace(number=int(number))) if number else None


def _instance(scope: TypeScope, place: ExpressionRef, number: int) -> StaticType | None:
    return _named(scope, place._replace(number=number))


def _named(scope: TypeScope, place: ExpressionRef) -> StaticType | None:
    """Return the type that the type expression at `place` stands for, like an annotation."""
    operation, *operands = scope.session.expression(place)
    if operation == "builtin":
        return StaticType(str(operands[0]))
    if operation == "parameter":
        return _variable(scope, place, str(operands[0]), int(operands[1]))
    if operation == "holding":
        base = scope.session.expression(place._replace(number=int(operands[0])))
        if base[0] != "builtin":
            return _named(scope, place._replace(number=int(operands[0])))
        element = _operand(scope, place, operands[1])
        depth = len(str(base[1])) // 2
        return element and element._replace(dimensions=element.dimensions + depth)
    if operation == "wrapper":
        return _named(scope, place._replace(number=int(operands[0])))
    return type_named_by(scope.session, place)


def _variable(scope: TypeScope, place: ExpressionRef, name: str, bound: int) -> StaticType:
    of = _operand(scope, place, bound) or StaticType(scope.rules.top)
    return of._replace(variable=name)


def _holding(scope: TypeScope, place: ExpressionRef, *_: int) -> StaticType | None:
    """Return the type of an array type like `Cart[]`, or of an array that `new` creates."""
    return _named(scope, place)


def _self(scope: TypeScope, place: ExpressionRef, _: str) -> StaticType | None:
    values = [getattr(value, "of", None) for value in scope.session.values(place)]
    return static_type_of_value(values[0]) if len(values) == 1 and values[0] else None


def _stored(scope: TypeScope, place: ExpressionRef, *operands: Any) -> StaticType | None:
    """Return the declared type of the field, variable or enum constant at `place`.

    `place` is the expression of a use. None if the type is unknown, or a type parameter.
    """
    values = scope.session.values(place)
    if len(values) != 1:
        return _length(scope, place, operands) if not values else None
    value = values[0]
    if not isinstance(value, Definition) or value.kind not in STORED_KINDS:
        return None
    declared = scope.session.declared(value.file)
    stored = declared.value(value.qualified) if declared else None
    found = static_type(scope, stored) if stored else None
    return None if found and found.variable else found


def _length(scope: TypeScope, place: ExpressionRef, operands: Sequence[Any]) -> StaticType | None:
    is_length = scope.session.expression(place)[0] == "member" and operands[1] == "length"
    array = _operand(scope, place, operands[0]) if is_length else None
    return StaticType("int") if array and array.dimensions else None


def _item(scope: TypeScope, place: ExpressionRef, number: int) -> StaticType | None:
    array = _operand(scope, place, number)
    if array is None or not array.dimensions:
        return None
    return array._replace(dimensions=array.dimensions - 1)


def _call(
    scope: TypeScope, place: ExpressionRef, function: int, passed: int = 0
) -> StaticType | None:
    called = place._replace(number=function)
    values = scope.session.values(called)
    if not values or not isinstance(values[0], Definition):
        return _library_result(scope, called)
    if not passed:  # the number of arguments is unknown
        return None
    arguments = place._replace(number=passed)
    given, types = scope.session.arguments(arguments)
    functions = [value for value in values if isinstance(value, Definition)]
    if all(each.kind in OWNER_KINDS for each in functions):
        is_made = scope.rules.calls_construct and len(functions) == 1
        return static_type_of_value(functions[0]) if is_made else None
    selected = scope.select(scope.session, functions, CallArguments(len(given), arguments, called))
    receiver = extended_receiver(scope.session, functions[0], called)
    if receiver and selected.fits and returns_receiver(scope.session, selected.functions[0]):
        return static_type(scope, receiver)
    results = {_result(scope, each) for each in selected.functions if selected.fits}
    result = results.pop() if len(results) == 1 else None
    if result and result.variable:
        return _stated_type(scope, selected.functions[0], result, types)
    return result


def _stated_type(
    scope: TypeScope, function: Definition, result: StaticType, types: Sequence[ExpressionRef]
) -> StaticType | None:
    """Return the type argument that a call states for the result type `result` of a function."""
    stated = dict(zip(type_parameters(function), types, strict=False))
    of = stated.get(result.variable) if not result.dimensions else None
    return static_type(scope, of) if of and of.number else None


def _result(scope: TypeScope, function: Definition) -> StaticType | None:
    declared = scope.session.declared(function.file)
    result = declared.result(function) if declared else None
    return static_type(scope, result) if result and function.kind in CALLABLE_KINDS else None


def _library_result(scope: TypeScope, called: ExpressionRef) -> StaticType | None:
    """Return the result type of a method of the standard library; None if it is unknown.

    `called` refers to the expression of the method.
    """
    operation, *operands = scope.session.expression(called)
    if operation != "member" or not str(operands[1]).endswith("()"):
        name = written_name(scope.session, called)
        is_type = name and not name.endswith("()") and scope.rules.calls_construct
        return StaticType(name) if is_type else None
    method = str(operands[1]).removesuffix("()")
    owner = called._replace(number=int(operands[0]))
    of = static_type(scope, owner)
    if of is None:
        return _parse_type(_static_result(scope, owner, method))
    if of.dimensions:
        return of if method == "clone" else None
    return _parse_type(_result_of_supertypes(scope, of, method))


def _static_result(scope: TypeScope, owner: ExpressionRef, method: str) -> str:
    type_ = type_named_by(scope.session, owner)
    name = type_.bare_name if type_ and type_.definition is None else ""
    return scope.rules.result(name or scope.rules.top, method)


def _result_of_supertypes(scope: TypeScope, of: StaticType, method: str) -> str:
    if of.definition is None:
        return scope.rules.result(of.bare_name, method) or scope.rules.result(
            scope.rules.top, method
        )
    names = supertypes_of(scope.session, scope.rules, of.definition).names
    found = {scope.rules.result(name, method) for name in names} - {""}
    return found.pop() if len(found) == 1 else ""


def _parse_type(text: str) -> StaticType | None:
    if not text:
        return None
    name = text.rstrip("[]")
    return StaticType(name, dimensions=text.count("["))


def _either(scope: TypeScope, place: ExpressionRef, *choices: int) -> StaticType | None:
    types = {_operand(scope, place, choice) for choice in choices}
    known = {each for each in types if each is None or each.name != scope.rules.null}
    if len(known) == 1:
        of = known.pop()
        is_converted = of is not None and len(types) > 1 and is_primitive(scope.rules, of)
        return None if is_converted else of
    return None


def _operation(
    scope: TypeScope, place: ExpressionRef, operator: str, *operands: int
) -> StaticType | None:
    if operator in _COMPARISONS:
        return StaticType(scope.rules.truth)
    types = [_operand(scope, place, operand) for operand in operands]
    if operator == "+" and any(each == StaticType(scope.rules.text) for each in types):
        return StaticType(scope.rules.text)
    return _promoted(scope, types[:1] if operator in _SHIFTS else types)


def _promoted(scope: TypeScope, types: Sequence[StaticType | None]) -> StaticType | None:
    """Return the type of the result of an arithmetic or boolean operator.

    `types` are the types of the operands; None if one of these is unknown.
    """
    if not scope.rules.numeric:
        return None
    names = [_primitive(scope, each) for each in types if each]
    if len(names) < len(types) or "" in names:
        return None
    if all(name == scope.rules.truth for name in names):
        return StaticType(scope.rules.truth)
    numeric = scope.rules.numeric
    ranks = [numeric.index(name) for name in names if name in numeric]
    return StaticType(numeric[max([numeric.index("int"), *ranks])])


def _primitive(scope: TypeScope, type_: StaticType) -> str:
    if is_primitive(scope.rules, type_):
        return type_.name
    return "" if type_.dimensions else scope.rules.unboxed.get(type_.bare_name, "")


def _labelled(scope: TypeScope, place: ExpressionRef, _: str, argument: int) -> StaticType | None:
    return _operand(scope, place, argument)


def _closure(_: TypeScope, __: ExpressionRef, count: int) -> StaticType:
    return StaticType("", closure=count)


_FINDERS: dict[str, Callable[..., StaticType | None]] = {
    "instance": _instance,
    "holding": _holding,
    "self": _self,
    "name": _stored,
    "own": _stored,
    "member": _stored,
    "import": _stored,
    "item": _item,
    "call": _call,
    "either": _either,
    "operation": _operation,
    "closure": _closure,
    "labelled": _labelled,
}
