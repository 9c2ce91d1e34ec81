"""Choose between overloads by exact types, where a compiler's conversions are not all known.

An overload whose parameters have exactly the types of the arguments goes before all that need a
conversion. An overload is dropped only if a builtin type, such as `int`, cannot be converted to
that of its parameter. All others may be meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from codeindex.graph.resolve.applicability import Arguments
from codeindex.graph.resolve.base_types import reopening_files
from codeindex.graph.resolve.parameters import (
    accepted_counts,
    last_name,
    parameter_list,
    parameter_names,
)
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.subtypes import is_subtype, supertypes_of
from codeindex.graph.resolve.values import StaticType, TypedParameter
from codeindex.languages import TypeRules
from codeindex.types import OWNER_KINDS, Definition, SymbolKind

Fit = Literal["exact", "below", "unknown", "never"]
"""How a parameter takes an argument: of its type, of a subtype, perhaps, or never."""


_IMPLICIT = re.compile(r"\bimplicit\s+operator\b")
"""Matches the signature of an operator by which the compiler converts a value: C#."""
_VARIABLE = re.compile(r"[A-Z]|T[A-Z]\w*")
"""Matches names that may be of a type parameter which is declared around a function."""
_DELEGATE = "Delegate"
"""The type above the types of the library to which a lambda of C# is converted."""


class _Rated(NamedTuple):
    """An overload, its parameter for each argument, and how well each parameter fits."""

    function: Definition
    parameters: Sequence[TypedParameter]
    fits: Sequence[Fit]
    is_whole: bool
    """Whether the call has an argument for each parameter, and none is repeated."""


class ExactChoice(NamedTuple):
    """The overloads that a call may run; `is_sure` if one of them certainly takes the arguments."""

    functions: Sequence[Definition]
    is_sure: bool


def select_exact(
    session: ResolutionSession,
    rules: TypeRules,
    functions: Sequence[Definition],
    arguments: Arguments,
    *,
    labels: Sequence[str] = (),
    is_applied: bool = False,
) -> ExactChoice:
    """Return the overloads among `functions` that a call with these arguments may run.

    `labels` has the name of the parameter for each argument, "" if the call does not state it. With
    `is_applied`, the call also states type arguments: what parameters take whose types are type
    parameters is unknown then.
    """
    given = labels if any(labels) else ()
    rated = [
        _rate(session, rules, each, arguments, labels=given, is_applied=is_applied)
        for each in functions
    ]
    possible = [each for each in rated if "never" not in each.fits]
    certain = [each for each in possible if "unknown" not in each.fits]
    for best in sorted(certain, key=lambda each: not each.is_whole):
        if all(_is_better(session, rules, best, each) for each in possible if each is not best):
            return ExactChoice((best.function,), is_sure=True)
    exact = [each for each in certain if {*each.fits} <= {"exact"}]
    kept = [each for each in possible if not exact or each in exact or not _yields(rules, each)]
    return ExactChoice([each.function for each in kept], is_sure=bool(certain))


def _yields(rules: TypeRules, other: _Rated) -> bool:
    """Tell whether the overload `other` loses to an overload with exactly the argument types.

    With `rules.generic_wins`, it does not lose if one of its types may be a type parameter.
    """
    if not rules.generic_wins:
        return True
    return all(
        fit == "exact" or _is_concrete(rules, parameter.type)
        for fit, parameter in zip(other.fits, other.parameters, strict=True)
    )


def _is_concrete(rules: TypeRules, type_: StaticType | None) -> bool:
    """Tell whether a type is certainly no type parameter of a template."""
    if type_ is None:
        return False
    return type_.definition is not None or _is_builtin(rules, type_)


def _rate(
    session: ResolutionSession,
    rules: TypeRules,
    function: Definition,
    arguments: Arguments,
    *,
    labels: Sequence[str],
    is_applied: bool,
) -> _Rated:
    known = parameter_list(session, function)
    if is_applied:
        parameters = tuple(each._replace(bound=None) for each in known.parameters)
        known = known._replace(parameters=parameters)
    count = len(arguments)
    fixed = known.parameters[: known.repeated_at] if known.is_repeated else known.parameters
    taking = [*fixed, *[TypedParameter(None)] * count][:count]
    if labels and rules.parameter_name:
        name = last_name(function)
        names = parameter_names(function.signature, name, rules.parameter_name) or ()
        by_name = dict(zip(names, known.parameters, strict=False))
        taking = [
            by_name.get(label, TypedParameter(None)) if label else parameter
            for label, parameter in zip(labels, taking, strict=True)
        ]
    fits = [
        fit_of_argument(session, rules, parameter, argument)
        for parameter, argument in zip(taking, arguments, strict=True)
    ]
    is_whole = not known.is_repeated and len(known.parameters) == count
    return _Rated(function, taking, fits, is_whole)


def fit_of_argument(
    session: ResolutionSession,
    rules: TypeRules,
    parameter: TypedParameter,
    argument: StaticType | None,
) -> Fit:
    """Tell how a parameter takes an argument, whose static type is `argument`; None if unknown."""
    expected = parameter.type
    if argument is not None and parameter.bound is not None:
        return "below" if _is_within(session, rules, argument, parameter.bound) else "unknown"
    if argument is None or expected is None or argument.variable or expected.variable:
        return "unknown"
    if argument.closure is not None:
        return "unknown" if _may_hold_closure(rules, expected) else "never"
    if argument.name == rules.null:
        return "unknown" if _takes_null(rules, expected) else "never"
    return _fit_of_types(session, rules, argument, expected)


def _fit_of_types(
    session: ResolutionSession, rules: TypeRules, argument: StaticType, expected: StaticType
) -> Fit:
    if rules.any_pointers and not _is_builtin(rules, argument):
        expected = expected._replace(dimensions=argument.dimensions)
    if _is_same(argument, expected):
        return "exact"
    if _is_builtin(rules, argument):
        if rules.top and expected == StaticType(rules.top):
            return "below"
        return "unknown" if _builtin_fits(session, rules, argument, expected) else "never"
    if is_subtype(session, rules, argument, expected):
        return "below"
    return "unknown" if _may_be_taken(session, rules, argument, expected) else "never"


def _may_be_taken(
    session: ResolutionSession, rules: TypeRules, argument: StaticType, expected: StaticType
) -> bool:
    """Tell whether a value that is not known to have the type `expected` may be passed as one."""
    type_, other = argument.definition, expected.definition
    if _is_library_value(rules, argument) and other:
        is_class = other.kind not in {SymbolKind.TYPE, SymbolKind.INTERFACE}
        return _converts(session, rules, other) if is_class else other.kind is SymbolKind.TYPE
    is_pointer = rules.any_pointers and expected.bare_name == rules.truth
    is_number = type_ and type_.kind is SymbolKind.ENUM and rules.conversions != "operator"
    if type_ is None or type_.kind is SymbolKind.TYPE or is_number or is_pointer:
        return True
    if not _is_builtin(rules, expected) and not _is_apart(session, rules, argument, expected):
        return True
    return _converts(session, rules, type_)


def _is_library_value(rules: TypeRules, argument: StaticType) -> bool:
    """Tell whether an argument has a known type of the library, or is an array: C#."""
    if rules.conversions != "operator" or argument.definition:
        return False
    return rules.above(argument.bare_name) is not None or bool(argument.dimensions)


def _may_hold_closure(rules: TypeRules, expected: StaticType) -> bool:
    """Tell whether a lambda may be passed as the type `expected`."""
    if _is_builtin(rules, expected):
        return False
    if rules.closure_kinds is None:
        return True
    if expected.definition:
        return expected.definition.kind in rules.closure_kinds
    above = rules.above(expected.bare_name)
    return not expected.dimensions and (above is None or _DELEGATE in above)


def _is_apart(
    session: ResolutionSession, rules: TypeRules, argument: StaticType, expected: StaticType
) -> bool:
    """Tell whether a value of a type of the repository is no instance of the type `expected`.

    Nor does `expected` declare how it is converted: only in languages where operators do this, and
    not if supertypes of the argument's type are unknown.
    """
    type_, other = argument.definition, expected.definition
    if rules.conversions != "operator" or type_ is None or argument.dimensions:
        return False
    if is_subtype(session, rules, argument, expected) is not False:
        return False
    if not supertypes_of(session, rules, type_).is_complete:
        return False
    if other is None:
        return not _VARIABLE.fullmatch(expected.name)
    if other.kind is SymbolKind.INTERFACE:
        return True
    return other.kind is not SymbolKind.TYPE and not _converts(session, rules, other)


def _is_within(
    session: ResolutionSession, rules: TypeRules, argument: StaticType, bound: StaticType
) -> bool:
    """Tell whether a type argument is certainly a subtype of the bound of its type parameter."""
    is_value = argument.closure is None and argument.name != rules.null
    if not is_value or bound.name == rules.top:
        return is_value
    return not _is_builtin(rules, argument) and is_subtype(session, rules, argument, bound) is True


def _takes_null(rules: TypeRules, expected: StaticType) -> bool:
    is_value = _is_builtin(rules, expected) and expected.name not in {rules.text, "char*"}
    return not is_value or expected.name.endswith("?")


def _builtin_fits(
    session: ResolutionSession, rules: TypeRules, argument: StaticType, expected: StaticType
) -> bool:
    """Tell whether an argument of a builtin type may be converted to another type."""
    if _is_builtin(rules, expected):
        return expected.bare_name in rules.widening.get(argument.bare_name, ())
    if rules.conversions == "operator" and expected.definition is None:
        above = rules.above(argument.bare_name) or ()
        return rules.above(expected.bare_name) is None or expected.bare_name in above
    is_pointer = argument.name == "char*"
    return (is_pointer or not expected.dimensions) and _may_convert(
        session, rules, expected, argument
    )


def _may_convert(
    session: ResolutionSession, rules: TypeRules, to: StaticType, argument: StaticType
) -> bool:
    """Tell whether a value of the builtin type `argument` may be converted into the type `to`.

    If the repository defines the type, `rules.conversions` tells whether its constructors or its
    operators decide.
    """
    if rules.conversions == "any" or to.definition is None or to.definition.kind not in OWNER_KINDS:
        return True
    declared = session.declared(to.definition.file)
    if declared is None or to.definition.kind in {SymbolKind.TYPE, SymbolKind.INTERFACE}:
        return True
    owner = to.definition.qualified
    if rules.conversions == "constructor":
        made = declared.symbols.get(f"{owner}.{last_name(to.definition)}", ())
        takes_one = [each for each in made if _takes_one(each)]
        return bool(takes_one) or (not made and bool(declared.bases.get(owner)))
    return _converts(session, rules, to.definition, argument)


def _converts(
    session: ResolutionSession,
    rules: TypeRules,
    type_: Definition,
    argument: StaticType | None = None,
) -> bool:
    """Tell whether a type of the repository, or a supertype, may declare a conversion operator.

    With `argument`, a builtin type, only operators that may take a value of it count.
    """
    if rules.conversions == "any":
        return False  # by code elsewhere, to which an overload without a conversion is preferred
    supertypes = supertypes_of(session, rules, type_)
    return not supertypes.is_complete or any(
        argument is None or _may_take(session, rules, operator, argument)
        for each in supertypes.definitions
        for operator in _conversions(session, each)
    )


def _may_take(
    session: ResolutionSession, rules: TypeRules, operator: Definition, argument: StaticType
) -> bool:
    """Tell whether a conversion operator may take a value of a builtin type."""
    taken = [each.type for each in parameter_list(session, operator).parameters]
    if len(taken) != 1 or taken[0] is None or not _is_builtin(rules, taken[0]):
        return len(taken) != 1 or taken[0] is None or taken[0].definition is None
    return taken[0].bare_name in (argument.bare_name, *rules.widening.get(argument.bare_name, ()))


def _conversions(session: ResolutionSession, type_: Definition) -> Sequence[Definition]:
    """Return the operators that a type declares for conversions that code does not write."""
    return session.remember(
        session.conversions, type_, lambda: tuple(_find_conversions(session, type_))
    )


def _find_conversions(session: ResolutionSession, type_: Definition) -> Iterator[Definition]:
    for path in (type_.file, *reopening_files(session, type_)):
        declared = session.declared(path)
        for name, functions in declared.symbols.items() if declared else ():
            if name.startswith(f"{type_.qualified}."):
                yield from (each for each in functions if _IMPLICIT.search(each.signature))


def _takes_one(constructor: Definition) -> bool:
    least, most = accepted_counts(constructor.signature, last_name(constructor))
    return least <= 1 and (most is None or most > 0)


def _is_builtin(rules: TypeRules, type_: StaticType) -> bool:
    return (
        not type_.dimensions
        and type_.definition is None
        and type_.closure is None
        and type_.bare_name in rules.widening
    )


def _is_same(one: StaticType, other: StaticType) -> bool:
    if one.dimensions != other.dimensions or one.definition != other.definition:
        return False
    are_full = "." in one.name and "." in other.name
    return one.name == other.name if are_full else one.bare_name == other.bare_name


def _is_better(session: ResolutionSession, rules: TypeRules, one: _Rated, other: _Rated) -> bool:
    """Tell whether the overload `one`, which takes the arguments, goes before `other`."""
    if not _yields(rules, other):
        return False
    pairs = zip(one.fits, one.parameters, other.fits, other.parameters, strict=True)
    for fit, mine, their_fit, theirs in pairs:
        if fit == "exact":
            continue
        is_nearer = (
            their_fit == "below"
            and mine.type is not None
            and theirs.type is not None
            and mine.type != theirs.type
            and is_subtype(session, rules, mine.type, theirs.type)
        )
        if not is_nearer:
            return False
    are_equal = all(fit == "exact" for fit in other.fits)
    return not are_equal or (one.is_whole and not other.is_whole)
