"""Choose between overloads by the types of arguments, in the phases of Java (JLS 15.12.2).

The phases are: without boxing, with boxing, with repeated parameters. In the first phase in which
an overload is applicable, the most specific one is called. If a type is unknown, an overload may be
applicable: it is dropped only if a certainly applicable one is more specific.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from codeindex.graph.resolve.parameters import parameter_list
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.subtypes import is_primitive, is_subtype
from codeindex.graph.resolve.values import ParameterList, StaticType, TypedParameter
from codeindex.languages import TypeRules
from codeindex.types import Definition

Arguments = Sequence[StaticType | None]
Phase = Literal["strict", "boxing", "repeated"]
_PHASES: tuple[Phase, ...] = ("strict", "boxing", "repeated")


class _Overload(NamedTuple):
    function: Definition
    parameters: ParameterList


class _Choice(NamedTuple):
    """What decides which overload a call may run: its arguments and the type rules."""

    session: ResolutionSession
    rules: TypeRules
    arguments: Arguments


def select_applicable(
    session: ResolutionSession,
    rules: TypeRules,
    functions: Sequence[Definition],
    arguments: Arguments,
) -> list[Definition]:
    """Return the overloads that a call with these arguments may run.

    Return [] if none accepts the arguments. If one is returned, it is certain.
    """
    choice = _Choice(session, rules, arguments)
    overloads = [_Overload(each, parameter_list(session, each)) for each in functions]
    possible: dict[Definition, None] = {}
    for phase in _PHASES:
        applicable = [(each, _applies(choice, phase, each.parameters)) for each in overloads]
        certain = [each for each, applies in applicable if applies]
        best = _most_specific(choice, phase, certain)
        for each, applies in applicable:
            is_less_specific = len(best) == 1 and _is_as_specific(choice, phase, best[0], each)
            if applies is None and not is_less_specific:
                possible[each.function] = None
        if certain:
            return list(possible | dict.fromkeys(each.function for each in best or certain))
    return list(possible)


def _most_specific(
    choice: _Choice, phase: Phase, overloads: Sequence[_Overload]
) -> Sequence[_Overload]:
    """Return the most specific of `overloads` as a list of one; all of them if there is none."""
    best = [
        each
        for each in overloads
        if all(_is_as_specific(choice, phase, each, other) for other in overloads)
    ]
    return best[:1] or overloads


def _is_as_specific(choice: _Choice, phase: Phase, one: _Overload, other: _Overload) -> bool:
    """Tell whether the overload `one` is at least as specific as `other` for a call, as in Java.

    This is true if `other` accepts every argument that `one` accepts. It is decided parameter by
    parameter; a parameter of `one` with exactly the type of the argument is always specific enough.
    """
    count = len(choice.arguments)
    pairs = zip(
        _expanded(one.parameters, phase, count),
        _expanded(other.parameters, phase, count),
        choice.arguments,
        strict=False,
    )
    return all(_is_as_specific_type(choice, *pair) for pair in pairs)


def _is_as_specific_type(
    choice: _Choice, one: TypedParameter, other: TypedParameter, argument: StaticType | None
) -> bool:
    if one.type is None or other.type is None:
        return False
    if one.type == other.type or (one.type == argument and not one.is_substituted):
        return True
    if argument and argument.closure is not None:
        return False
    return bool(is_subtype(choice.session, choice.rules, one.type, other.type))


def _expanded(parameters: ParameterList, phase: Phase, count: int) -> Sequence[TypedParameter]:
    """Return the parameters with one entry for each of `count` arguments.

    In the phase `repeated`, a repeated parameter gets an entry for each of its arguments. In the
    phases before, it is one array.
    """
    fixed = parameters.parameters
    if not parameters.is_repeated or not fixed:
        return fixed
    last = fixed[-1]
    if phase == "repeated":
        return [*fixed[:-1], *[last] * max(count - len(fixed) + 1, 1)]
    of = last.type and last.type._replace(dimensions=last.type.dimensions + 1)
    return [*fixed[:-1], last._replace(type=of)]


def _applies(choice: _Choice, phase: Phase, parameters: ParameterList) -> bool | None:
    """Tell whether a call may pass its arguments to these parameters; None if types are unknown.

    Boxing is allowed from the phase `boxing` on, several arguments for the last parameter only in
    the phase `repeated`.
    """
    if parameters.is_cut:
        return None
    if phase == "repeated" and not parameters.is_repeated:
        return False
    expanded = _expanded(parameters, phase, len(choice.arguments))
    if phase == "repeated":
        expanded = expanded[: len(choice.arguments)]
    if len(expanded) != len(choice.arguments):
        return False
    results = [
        _accepts(choice, phase, parameter, argument)
        for parameter, argument in zip(expanded, choice.arguments, strict=True)
    ]
    return False if False in results else None if None in results else True


def _accepts(
    choice: _Choice, phase: Phase, parameter: TypedParameter, argument: StaticType | None
) -> bool | None:
    if argument is None or parameter.type is None:
        return None
    session, rules, expected = choice.session, choice.rules, parameter.type
    accepts = is_subtype(session, rules, argument, expected)
    if not accepts and phase != "strict":
        converted = _converted(rules, argument)
        accepts = is_subtype(session, rules, converted, expected) if converted else accepts
    is_own = argument.variable == expected.variable
    return None if accepts and parameter.is_substituted and not is_own else accepts


def _converted(rules: TypeRules, type_: StaticType) -> StaticType | None:
    """Return the type to which a compiler boxes or unboxes a type; None for other types.

    It is the box of a primitive type, like `Integer` for `int`, or the reverse.
    """
    if type_.closure is not None or type_.dimensions or type_.definition:
        return None
    names = rules.boxes if is_primitive(rules, type_) else rules.unboxed
    name = names.get(type_.bare_name)
    return StaticType(name) if name else None
