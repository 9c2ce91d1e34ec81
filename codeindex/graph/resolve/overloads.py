"""Select the overloads that a call may run, by number and static types of arguments."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from codeindex.graph.expression_table import APPLIED
from codeindex.graph.resolve.applicability import Arguments, select_applicable
from codeindex.graph.resolve.base_types import base_types
from codeindex.graph.resolve.exact_types import select_exact
from codeindex.graph.resolve.extension_methods import (
    extended_receiver,
    fit_of_receiver,
    is_extended_for_sure,
    is_extension_method,
    namespace_distance,
    visible_extension_methods,
)
from codeindex.graph.resolve.members import member_of_type
from codeindex.graph.resolve.overload_groups import (
    functions_named,
    is_in_function,
    overload_levels,
    overrides_outside,
    owner_of,
)
from codeindex.graph.resolve.parameters import (
    accepted_counts,
    last_name,
    parameter_list,
    parameter_names,
    split_signature,
)
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.static_types import TypeScope, receiver_types, static_type
from codeindex.graph.resolve.values import (
    CallArguments,
    ExpressionRef,
    FunctionGroup,
    ParameterList,
    Selection,
)
from codeindex.languages import Language, TypeRules
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Definition, SymbolKind

_ANY_NUMBER = 1 << 16
CLAUSE_KINDS = CALLABLE_KINDS | {SymbolKind.MACRO}
"""Kinds of definitions that are called with arguments."""
_MAX_TYPES = 60
"""Maximum types whose overloads are collected for one call."""


def select_overloads(
    session: ResolutionSession, candidates: Sequence[Definition], call: CallArguments
) -> Selection:
    """Return those of the overloads `candidates` that a call may run.

    With `Language.inherited_overloads`, overloads of base types compete too; the number of
    arguments decides and then, with type rules, their types. In other languages with type rules,
    the argument types decide. If the number of parameters is part of a name, the first candidate
    with this number is selected, or none. In all other languages, functions with exactly this
    number of parameters win, then overloads of base types, then variadic functions. If none fits,
    all candidates are returned.
    """
    language = language_of(session, candidates)
    receiver = extended_receiver(session, candidates[0], call.called) if candidates else None
    if receiver:
        return _select_extensions(session, candidates, call, receiver)
    if language and language.inherited_overloads:
        members = _select_of_levels(session, candidates, call)
        return _select_member_or_extension(session, members, call)
    if language and (rules := language.type_rules):
        return _select_each(candidates, lambda each: _select_typed(session, rules, each, call))
    if language and language.accepted_arguments:
        return _select_by_number(session, language.accepted_arguments, candidates, call.number)
    named = [same for candidate in candidates for same in _overloads(session, candidate)]
    fitting = [candidate for candidate in named if _accepts(candidate, call.number)]
    is_type = OWNER_KINDS.__contains__
    exact = [
        candidate
        for candidate in fitting
        if is_type(candidate.kind) or not _accepts(candidate, _ANY_NUMBER)
    ]
    if exact or (len(named) == 1 and fitting):
        return Selection(exact or fitting)
    above = [
        same for candidate in candidates for same in _inherited(session, candidate, call.number)
    ]
    found = above or fitting
    is_inherited = not found and any(is_in_function(session, each) for each in candidates)
    return Selection(found or candidates, fits=not is_inherited)


def all_overloads(
    session: ResolutionSession, candidates: Sequence[Definition]
) -> Sequence[Definition]:
    """Return the candidates with all their overloads, for a use that passes no arguments."""
    language = language_of(session, candidates)
    if language and language.inherited_overloads:
        return [each for same in candidates for each in _at_all_levels(session, same)]
    if language and (accepted := language.accepted_arguments):
        return [each for same in candidates for each in _all_numbers(session, accepted, same)]
    if not (language and language.type_rules):
        return candidates
    return tuple(
        dict.fromkeys(
            each
            for candidate in candidates
            for each in (
                _with_inherited(session, candidate)
                if candidate.kind in CALLABLE_KINDS
                else (candidate,)
            )
        )
    )


def language_of(session: ResolutionSession, candidates: Sequence[Definition]) -> Language | None:
    """Return the language of definitions of one name; None without any."""
    declared = session.declared(candidates[0].file) if candidates else None
    return declared.language if declared else None


def _select_each(
    candidates: Sequence[Definition], select: Callable[[Definition], Selection]
) -> Selection:
    """Return the union of what `select` returns for each function in `candidates`.

    Candidates that are not functions are kept. `fits` is true if it is true for each function.
    """
    selected: dict[Definition, None] = {}
    fits = True
    for candidate in candidates:
        if candidate.kind in CALLABLE_KINDS:
            found = select(candidate)
            fits = fits and found.fits
            selected.update(dict.fromkeys(found.functions))
        else:
            selected[candidate] = None
    return Selection(tuple(selected), fits=fits)


def _at_all_levels(session: ResolutionSession, candidate: Definition) -> Sequence[Definition]:
    if candidate.kind not in CALLABLE_KINDS:
        return (candidate,)
    levels = overload_levels(session, candidate)
    return [group.function for level in levels for group in level]


def _select_of_levels(
    session: ResolutionSession, candidates: Sequence[Definition], call: CallArguments
) -> Selection:
    """Return the overloads of `candidates` that a call may run, nearest types first.

    A candidate of which none fits is left out; if that is so for all, all overloads are returned.
    """
    found = {
        each: _possible_at_levels(session, each, call)
        for each in candidates
        if each.kind in CALLABLE_KINDS
    }
    is_any = any(possible.functions for possible in found.values())

    def selected(each: Definition) -> Selection:
        possible = found[each]
        if possible.functions or is_any:
            return Selection(possible.functions, fits=possible.fits or not possible.functions)
        return Selection(_at_all_levels(session, each), fits=possible.fits)

    return _select_each(candidates, selected)


def _possible_at_levels(
    session: ResolutionSession, candidate: Definition, call: CallArguments
) -> Selection:
    """Return the overloads of a function that a call may run, those of the nearest types first.

    `fits` is false if there are none, or if an overload of another package may fit better.
    """
    levels = _accepting_levels(session, candidate, call.number)
    language = language_of(session, [candidate])
    rules = language.type_rules if language else None
    if rules:
        levels = [
            _taking_labels(session, rules, _taking_types(session, rules, level, call), call)
            for level in levels
        ]
    found = [each for level in levels for each in level]
    may_be_outside = language is not None and _may_be_outside(session, language, found)
    if rules is None or (len(found) < 2 and not may_be_outside):  # noqa: PLR2004 (several)
        return Selection(found, fits=bool(found))
    arguments = _argument_types(session, rules, call)
    found = []
    is_applied, labels = _is_applied(session, call), _labels(session, call)
    for level in filter(None, levels):
        chosen = select_exact(
            session, rules, level, arguments, labels=labels, is_applied=is_applied
        )
        found += chosen.functions
        if chosen.is_sure:
            return Selection(found)
    return Selection(found, fits=bool(found) and not may_be_outside)


def _may_be_outside(
    session: ResolutionSession, language: Language, functions: Sequence[Definition]
) -> bool:
    """Tell whether another package may have more overloads of the name of `functions`.

    In Kotlin none is expected: eight such calls were read in Tusky, and all ran the function.
    """
    if language.type_rules is None or language.extension_functions:
        return False
    return any(overrides_outside(session, each) for each in functions)


def _select_extensions(
    session: ResolutionSession,
    candidates: Sequence[Definition],
    call: CallArguments,
    receiver: ExpressionRef,
) -> Selection:
    """Return the extension methods that a call like `receiver.total(1)` may run.

    `candidates` has one method of each class. `fits` is false if the type of the receiver does not
    show that the call means them.
    """
    language = language_of(session, candidates)
    rules = language.type_rules if language else None
    possible = [
        each
        for candidate in candidates
        for level in _accepting_levels(session, candidate, call.number + 1)
        for each in level
        if is_extension_method(session, each)
    ]
    if rules is None:
        return Selection(possible, fits=False)
    possible = _taking_labels(session, rules, _taking_types(session, rules, possible, call), call)
    scope = TypeScope(session, rules, select_overloads)
    passed = _argument_types(session, rules, call)
    for type_ in receiver_types(scope, receiver):
        fits = {each: fit_of_receiver(session, rules, each, type_) for each in possible}
        fitting = [each for each, fit in fits.items() if fit != "never"]
        if {*fits.values()} <= {"never", "unknown"}:
            continue
        is_sure = is_extended_for_sure(session, fitting[0], type_)
        if len(fitting) == 1:
            return Selection(fitting, fits=is_sure)
        found: list[Definition] = []
        for group in _by_distance(session, receiver.file, fitting):
            chosen = select_exact(
                session, rules, group, [type_, *passed], is_applied=_is_applied(session, call)
            )
            found += chosen.functions
            if chosen.is_sure:
                break
        return Selection(found, fits=is_sure)
    return Selection(possible, fits=False)


def _by_distance(
    session: ResolutionSession, path: str, methods: Sequence[Definition]
) -> Iterable[Sequence[Definition]]:
    """Return extension methods in groups whose namespaces are equally far from a file."""
    declared = session.declared(path)
    groups: defaultdict[int, list[Definition]] = defaultdict(list)
    for each in methods:
        distance = namespace_distance(session, declared, each) if declared else None
        groups[distance or 0].append(each)
    return [groups[distance] for distance in sorted(groups)]


def _select_member_or_extension(
    session: ResolutionSession, found: Selection, call: CallArguments
) -> Selection:
    """Return the members `found`, or extension methods of their name if only these fit the call.

    If the types of the arguments are unknown, the members are more likely.
    """
    language = language_of(session, found.functions)
    rules = language.type_rules if language and language.extension_parameter else None
    declared = session.declared(call.called.file) if rules and call.called else None
    if rules is None or declared is None or call.called is None:
        return found
    extensions = visible_extension_methods(session, declared, last_name(found.functions[0]))
    receiver = extended_receiver(session, extensions[0], call.called) if extensions else None
    if receiver is None or _holds_delegate(session, rules, call.called):
        return found
    accepting = [
        each
        for function in found.functions
        for level in _accepting_levels(session, function, call.number)
        for each in level
    ]
    passed = _argument_types(session, rules, call)
    is_applied = _is_applied(session, call)
    if select_exact(session, rules, accepting, passed, is_applied=is_applied).functions:
        return found
    chosen = _select_extensions(session, extensions, call, receiver)
    possible = select_exact(
        session, rules, chosen.functions, [None, *passed], is_applied=is_applied
    ).functions
    return Selection(possible, fits=chosen.fits) if possible else found


def _holds_delegate(session: ResolutionSession, rules: TypeRules, member: ExpressionRef) -> bool:
    """Tell whether a called member holds a function, by its type: then the call runs that function.

    Such types are delegates, like `Action` or those that the repository declares.
    """
    declared = session.declared(member.file)
    known = declared.language.delegates if declared else {}
    return any(
        type_.bare_name in known or (type_.definition and type_.definition.kind is SymbolKind.TYPE)
        for type_ in receiver_types(TypeScope(session, rules, select_overloads), member)
    )


def _taking_types(
    session: ResolutionSession,
    rules: TypeRules,
    functions: list[Definition],
    call: CallArguments,
) -> list[Definition]:
    """Return those of `functions` that take the type arguments of a call.

    They have as many type parameters; if the number is unknown, some. A call that states no type
    arguments takes those whose type parameters can be inferred from arguments, with
    `TypeRules.infers_from_arguments`; in other languages all.
    """
    variables = rules.own_variables
    if variables is None:
        return functions
    if call.passed is None or not _is_applied(session, call):
        return [each for each in functions if _are_inferred(rules, each)] or functions
    _, stated = session.arguments(call.passed)
    counts = [len(variables(each.signature, last_name(each))) for each in functions]
    return [
        each
        for each, count in zip(functions, counts, strict=True)
        if (count == len(stated) if stated else count)
    ]


def _labels(session: ResolutionSession, call: CallArguments) -> Sequence[str]:
    """Return the name of the parameter that a call states for each argument; "" for none."""
    if call.passed is None:
        return ()
    expressions = map(session.expression, session.arguments(call.passed)[0])
    return [str(each[1]) if each[0] == "labelled" else "" for each in expressions]


def _taking_labels(
    session: ResolutionSession,
    rules: TypeRules,
    functions: list[Definition],
    call: CallArguments,
) -> list[Definition]:
    """Return those of `functions` that have all parameters which a call names."""
    pattern = rules.parameter_name
    labels = {*_labels(session, call)} - {""} if pattern else set()
    if pattern is None or not labels:
        return functions
    names = [parameter_names(each.signature, last_name(each), pattern) for each in functions]
    return [
        each
        for each, own in zip(functions, names, strict=True)
        if own is None or labels.issubset(own)
    ]


def _are_inferred(rules: TypeRules, function: Definition) -> bool:
    """Tell whether all type parameters of a function are in the types of its parameters."""
    if not rules.infers_from_arguments or rules.own_variables is None:
        return True
    name = last_name(function)
    _, texts = split_signature(function.signature, name)
    words = {word for text in texts or () for word in re.findall(r"\w+", text)}
    return texts is None or rules.own_variables(function.signature, name) <= words


def _is_applied(session: ResolutionSession, call: CallArguments) -> bool:
    """Tell whether a call states type arguments, like `sum<int>(x)`."""
    return call.passed is not None and session.expression(call.passed)[0] == APPLIED


def _accepting_levels(
    session: ResolutionSession, candidate: Definition, number: int
) -> list[list[Definition]]:
    """Return the visible overloads of a function that accept `number` arguments, by type."""
    return [
        [each.function for each in level if each.accepts(number)]
        for level in _visible_levels(session, candidate)
    ]


def _visible_levels(
    session: ResolutionSession, candidate: Definition
) -> Sequence[Sequence[FunctionGroup]]:
    """Return the overloads of a function by type, without private ones of other files.

    If no overload is visible, return all of them.
    """
    levels = overload_levels(session, candidate)
    seen = [[each for each in level if _is_visible(session, each.function)] for level in levels]
    return seen if any(seen) else levels


def _all_numbers(
    session: ResolutionSession, accepted: Callable[[str, str], range], candidate: Definition
) -> Iterable[Definition]:
    """Return one function with the candidate's name for each number of parameters.

    `accepted` returns the accepted numbers of arguments for a signature and a name.
    """
    functions: dict[int, Definition] = {}
    for each in _visible_clauses(session, candidate):
        most = accepted(each.signature, last_name(each)).stop
        if most:
            functions.setdefault(most, each)
    return functions.values() if candidate.kind in CLAUSE_KINDS else (candidate,)


def _clauses(session: ResolutionSession, candidate: Definition) -> Sequence[Definition]:
    """Return the definitions in the candidate's file with the same qualified name.

    In Elixir, for example, these are the clauses of one function.
    """
    declared = session.declared(candidate.file)
    same = declared.symbols.get(candidate.qualified, ()) if declared else ()
    return [each for each in same if each.kind in CLAUSE_KINDS]


def _visible_clauses(session: ResolutionSession, candidate: Definition) -> Sequence[Definition]:
    """Return the clauses of a function, without those that are private to another file."""
    clauses = _clauses(session, candidate)
    language = language_of(session, [candidate])
    private = language.file_private if language and candidate.file != session.path else ""
    return [each for each in clauses if not (private and re.match(private, each.signature))]


def _select_by_number(
    session: ResolutionSession,
    accepted: Callable[[str, str], range],
    candidates: Sequence[Definition],
    number: int,
) -> Selection:
    """Return the first visible one of `candidates` that accepts `number` arguments.

    `accepted(signature, name)` gives the accepted numbers. Of a function with several clauses,
    return its first fitting clause. A candidate that is no function fits any number.
    """
    for candidate in candidates:
        for each in _visible_clauses(session, candidate):
            if number in accepted(each.signature, last_name(each)):
                return Selection((each,))
        if not _clauses(session, candidate):
            return Selection((candidate,))
    return Selection(())


def _select_typed(
    session: ResolutionSession, rules: TypeRules, candidate: Definition, call: CallArguments
) -> Selection:
    """Return the overloads of a function that accept the arguments; all of them if none does."""
    family = _with_inherited(session, candidate)
    possible = _applicable(session, rules, family, call)
    return Selection(possible or family, fits=bool(possible))


def _applicable(
    session: ResolutionSession, rules: TypeRules, family: Sequence[Definition], call: CallArguments
) -> Sequence[Definition]:
    visible = [each for each in family if _is_visible(session, each)] or family
    possible = [each for each in visible if _accepts(each, call.number)]
    if len(possible) < 2:  # noqa: PLR2004 (several)
        return possible
    arguments = _argument_types(session, rules, call)
    return select_applicable(session, rules, possible, arguments)


def _is_visible(session: ResolutionSession, function: Definition) -> bool:
    """Tell whether the file being resolved can call a function.

    It can if the function is not private, or is in that file or in a file that it sees without an
    import.
    """
    head = function.signature.partition("(")[0]
    is_near = function.file == session.path or function.file in session.beside(session.path)
    return is_near or "private" not in head.split()


def _argument_types(session: ResolutionSession, rules: TypeRules, call: CallArguments) -> Arguments:
    if call.passed is None:
        return [None] * call.number
    if rules.generic_wins and _is_applied(session, call):
        return [None] * call.number
    scope = TypeScope(session, rules, select_overloads)
    places, _ = session.arguments(call.passed)
    return [static_type(scope, place) if place.number else None for place in places]


def _with_inherited(session: ResolutionSession, function: Definition) -> Sequence[Definition]:
    """Return the overloads of a function in its type and base types, without overridden ones."""
    declared = session.declared(function.file)
    of, name = owner_of(declared, function) if declared else None, last_name(function)
    if of is None or function.kind is not SymbolKind.METHOD:
        return _overloads(session, function)
    return session.remember(
        session.overloads, (of, name), lambda: _distinct_methods(session, of, name)
    )


def _distinct_methods(
    session: ResolutionSession, of: Definition, name: str
) -> tuple[Definition, ...]:
    """Return the methods `name` of a type and its base types, without overridden ones."""
    found: dict[Hashable, Definition] = {}
    for method in _methods_of_types(session, of, name):
        erasure = _erasure(parameter_list(session, method))
        found.setdefault(method if erasure is None else erasure, method)
    return tuple(found.values())


def _methods_of_types(
    session: ResolutionSession, of: Definition, name: str
) -> Iterator[Definition]:
    """Yield the methods of this name in a type and its base types, the nearest type first.

    Base classes come before interfaces.
    """
    queue, interfaces, visited = [of], list[Definition](), {of}
    while queue:
        type_ = queue.pop(0)
        declared = session.declared(type_.file)
        if declared:
            yield from functions_named(declared, f"{type_.qualified}.{name}")
        bases = [base for base in base_types(session, type_) if base not in visited]
        if len(visited) < _MAX_TYPES:
            visited.update(bases)
            classes, more = _split_interfaces(session, bases)
            queue += classes
            interfaces += more
        if not queue:
            queue, interfaces = interfaces, []


def _split_interfaces(
    session: ResolutionSession, types: Iterable[Definition]
) -> tuple[list[Definition], list[Definition]]:
    """Return (classes, interfaces) of some types, since members of classes take precedence.

    In languages where types implement interfaces without naming them, all types are in the first
    list.
    """
    classes: list[Definition] = []
    interfaces: list[Definition] = []
    for type_ in types:
        declared = session.declared(type_.file)
        is_named = declared is not None and declared.language.method_shape is None
        is_interface = is_named and type_.kind is SymbolKind.INTERFACE
        (interfaces if is_interface else classes).append(type_)
    return classes, interfaces


def _erasure(parameters: ParameterList) -> tuple[Hashable, ...] | None:
    """Return a key of the parameter types, without type arguments; None if a type is unknown.

    A method overrides the methods of base types that have the same name and key.
    """
    types = [parameter.type for parameter in parameters.parameters]
    if parameters.is_cut or None in types:
        return None
    erased = tuple(type_._replace(variable="") for type_ in types if type_)
    return (parameters.is_repeated, *erased)


def _overloads(session: ResolutionSession, definition: Definition) -> Sequence[Definition]:
    declared = session.declared(definition.file)
    if declared is None or not declared.language.overloads:
        return (definition,)
    if definition.kind not in CALLABLE_KINDS or is_in_function(session, definition):
        return (definition,)
    return functions_named(declared, definition.qualified)


def _inherited(
    session: ResolutionSession, function: Definition, arguments: int
) -> Sequence[Definition]:
    """Return the overloads of a function in the nearest base type that has fitting ones.

    They fit if they accept this number of arguments.
    """
    below = [function]
    visited = {function}
    while below:
        above = [
            each
            for overridden in below
            for each in _overridden(session, overridden)
            if each not in visited
        ]
        for each in above:
            fitting = [same for same in _overloads(session, each) if _accepts(same, arguments)]
            if fitting:
                return fitting
        visited |= set(above)
        below = above
    return ()


def _overridden(session: ResolutionSession, function: Definition) -> Iterator[Definition]:
    """Yield the methods of base types that a method overrides."""
    declared = session.declared(function.file) if function.kind in CALLABLE_KINDS else None
    owner, _, name = function.qualified.rpartition(".")
    for type_ in declared.symbols.get(owner, ())[:1] if declared else ():
        for above in member_of_type(session, type_, f"{name}()", above=True):
            if isinstance(above, Definition):
                yield above


def _accepts(definition: Definition, arguments: int) -> bool:
    if definition.kind not in CALLABLE_KINDS:
        return True
    name = last_name(definition)
    least, most = accepted_counts(definition.signature, name)
    return least <= arguments and (most is None or arguments <= most)
