"""Evaluate expressions to possible values; `graph.expression_table` lists the operations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from codeindex.graph.expression_table import MACRO_SUFFIX, PATH_SEPARATOR
from codeindex.graph.resolve.base_types import base_types
from codeindex.graph.resolve.call_results import (
    call_result,
    container_method_result,
    context_value,
    element_values,
    parameter_values,
)
from codeindex.graph.resolve.extension_methods import (
    extended_receiver,
    extensions_of,
    returns_receiver,
    visible_extension_methods,
)
from codeindex.graph.resolve.macros import macros_at, visible_macros
from codeindex.graph.resolve.members import (
    constructors_of,
    member_of_side,
    member_of_type,
    members_of_includers,
    own_member,
)
from codeindex.graph.resolve.members import own_definition as definition
from codeindex.graph.resolve.names import (
    imported_values,
    member_values,
    module_level_values,
    qualified_values,
    scoped_member,
)
from codeindex.graph.resolve.overloads import CLAUSE_KINDS, select_overloads
from codeindex.graph.resolve.receivers import (
    find_extensions,
    named_types,
    path_root_values,
    record_extension_imports,
    without_kinds,
)
from codeindex.graph.resolve.self_types import generic_results, type_parameters
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.static_types import TypeScope, receiver_types, static_type
from codeindex.graph.resolve.values import (
    STORED_KINDS,
    CallArguments,
    ExpressionRef,
    ExternalValue,
    FileDeclarations,
    FunctionTypeValue,
    InstanceValue,
    MappedValue,
    ModuleValue,
    RecordValue,
    TupleValue,
    Value,
)
from codeindex.graph.resolve.variable_values import instances_of_type
from codeindex.types import CALLABLE_KINDS, CONTAINER_KINDS, Definition, Expression, SymbolKind

Operation = Callable[..., Iterable[Value]]
"""A function that evaluates an operation, given the session, the file's declarations, the reference
to the expression, and the operands."""


def evaluate_expression(
    session: ResolutionSession,
    declared: FileDeclarations,
    place: ExpressionRef,
    expression: Expression,
) -> Iterable[Value]:
    """Return the possible values of an expression; () for an unknown operation.

    The expression is in the file `declared`, at `place`. A value is a definition, an instance of a
    type, a module, or the like.
    """
    operation, *operands = expression
    perform = _OPERATIONS.get(str(operation))
    return perform(session, declared, place, *operands) if perform else ()


def _operand_values(
    session: ResolutionSession, place: ExpressionRef, operand: Any
) -> tuple[Value, ...]:
    return session.values(ExpressionRef(place.file, place.table, int(operand)))


def _name(
    session: ResolutionSession, declared: FileDeclarations, _: ExpressionRef, name: str
) -> Sequence[Value]:
    if name.endswith(MACRO_SUFFIX):
        return visible_macros(session, declared, name)
    if name.endswith(PATH_SEPARATOR):
        return path_root_values(session, declared, name.removesuffix(PATH_SEPARATOR))
    values = module_level_values(session, declared, name)
    is_called = name.endswith("()") and declared.language.uncallable
    return without_kinds(values, declared.language.uncallable) if is_called else values


def _qualified(
    session: ResolutionSession, declared: FileDeclarations, _: ExpressionRef, name: str
) -> Sequence[Value]:
    return qualified_values(session, declared, name)


def _define(
    session: ResolutionSession, declared: FileDeclarations, _: ExpressionRef, name: str
) -> Sequence[Value]:
    return definition(session, declared, name)


def _numbered(
    _: ResolutionSession, declared: FileDeclarations, __: ExpressionRef, name: str, number: int
) -> Sequence[Value]:
    return declared.symbols.get(name, ())[number : number + 1]


def _import(
    session: ResolutionSession, declared: FileDeclarations, _: ExpressionRef, number: int
) -> Sequence[Value]:
    return imported_values(session, declared, declared.imports[number])


def _self(
    session: ResolutionSession, declared: FileDeclarations, _: ExpressionRef, name: str
) -> Sequence[Value]:
    return [InstanceValue(type_) for type_ in named_types(session, declared, name) or (None,)]


def _super(
    session: ResolutionSession, declared: FileDeclarations, _: ExpressionRef, name: str
) -> Sequence[Value]:
    return [InstanceValue(type_, above=True) for type_ in named_types(session, declared, name)]


def _own(
    session: ResolutionSession,
    declared: FileDeclarations,
    place: ExpressionRef,
    owner: str | int,
    fallback: int,
    name: str,
) -> Sequence[Value]:
    """Return the members `name` of an enclosing type; without any, the values of `fallback`.

    `owner` is the name of the enclosing type, or the number of the expression of its instance. If
    the name begins with `::`, inherited members are left out. `fallback` is the number of the
    expression that the bare name means outside of the type.
    """
    if isinstance(owner, int):
        receivers = _operand_values(session, place, owner)
        members = [member for receiver in receivers for member in _of_self(session, receiver, name)]
    elif owner.startswith(PATH_SEPARATOR):
        outer = named_types(session, declared, owner.removeprefix(PATH_SEPARATOR))
        members = [member for type_ in outer for member in own_member(session, type_, name)]
    else:
        types = named_types(session, declared, owner)
        if declared.language.mixed_targets and any(name in type_parameters(of) for of in types):
            return ()  # an extension sees the type parameters of the extended type
        members = [
            member
            for type_ in types
            for member in scoped_member(session, declared, type_, name, is_any_side=True)
            if not (isinstance(member, Definition) and member.kind is SymbolKind.TEST)
        ] or [member for type_ in types for member in members_of_includers(session, type_, name)]
    if members and not (declared.language.accepted_arguments and _are_functions(members)):
        return members
    # with another number of parameters, the name may be that of an imported function
    return [*members, *_operand_values(session, place, fallback)]


def _of_self(session: ResolutionSession, receiver: Value, name: str) -> Sequence[Value]:
    """Return the members `name` of a receiver, which is an instance or a type itself."""
    if isinstance(receiver, InstanceValue):
        of, is_type = receiver.of, False
    else:
        of, is_type = (receiver if isinstance(receiver, Definition) else None), True
    if of is None:
        return ()
    members = member_of_side(session, of, name, is_type=is_type)
    return members or members_of_includers(session, of, name)


def _are_functions(values: Iterable[Value]) -> bool:
    return all(isinstance(value, Definition) and value.kind in CLAUSE_KINDS for value in values)


def _member(
    session: ResolutionSession,
    declared: FileDeclarations,
    place: ExpressionRef,
    base: int,
    name: str,
) -> Iterator[Value]:
    members: list[Value] = []
    if name.endswith(MACRO_SUFFIX):
        yield from _macros_of_modules(session, _operand_values(session, place, base), name)
        return
    if name.isdecimal():
        yield from _listed_elements(session, place, base, name)
    for value in _operand_values(session, place, base):
        if isinstance(value, Definition) and value.kind in CONTAINER_KINDS:
            members += scoped_member(session, declared, value, name)
            continue
        held: Sequence[Value] = ()
        if isinstance(value, Definition) and value.kind in STORED_KINDS:
            held = generic_results(session, value, place._replace(number=base), ())
        for each in held or (value,):
            members += member_values(session, each, name)
    record_extension_imports(session, declared, name, members)
    yield from (
        members
        or _extension_functions(session, declared, name, place._replace(number=base))
        or _extension_methods(session, declared, name, place)
    )


def _extension_functions(
    session: ResolutionSession, declared: FileDeclarations, name: str, receiver: ExpressionRef
) -> Sequence[Value]:
    """Return the extension functions `name` that a call on a receiver may run."""
    if not declared.language.extension_functions:
        return ()
    rules = declared.language.type_rules
    of = static_type(TypeScope(session, rules, select_overloads), receiver) if rules else None
    library = {of.bare_name} if rules and of and not (of.definition or of.variable) else set()
    above = {each for of in library for each in (rules.above(of) if rules else None) or ()}
    return find_extensions(session, declared, name, session.values(receiver), library | above)


def _extension_methods(
    session: ResolutionSession, declared: FileDeclarations, name: str, called: ExpressionRef
) -> Sequence[Value]:
    """Return the extension methods `name` that the expression of a member may mean.

    The file `declared` sees them, and they extend the type of the receiver; its own members go
    first.
    """
    rules = declared.language.type_rules if declared.language.extension_parameter else None
    if rules is None:
        return ()
    methods = visible_extension_methods(session, declared, name)
    receiver = extended_receiver(session, methods[0], called) if methods else None
    if receiver is None:
        return ()
    types = receiver_types(TypeScope(session, rules, select_overloads), receiver)
    return extensions_of(session, rules, methods, types)


def _listed_elements(
    session: ResolutionSession, place: ExpressionRef, item: int, position: str
) -> Iterator[Value]:
    """Yield the values of a mapping for `item[1]`, if `item` is an element of `mapping.items()`.

    `item` is the number of an expression; `position` is the index, such as "1". Otherwise yield
    nothing.
    """
    operation, *operands = session.expression(place._replace(number=item))
    if operation == "item" and position == "1":
        yield from _elements_by(session, place, int(operands[0]), "items")


def _elements_by(
    session: ResolutionSession, place: ExpressionRef, call: int, method: str
) -> Iterator[Value]:
    """Yield the elements of the container in the expression `container.method()`.

    `call` is the number of the expression. Yield nothing if it is not a call of `method`, or if the
    repository defines the called method.
    """
    operation, *operands = session.expression(place._replace(number=call))
    if operation != "call":
        return
    called = session.expression(place._replace(number=int(operands[0])))
    is_method = called[0] == "member" and str(called[-1]).removesuffix("()") == method
    if is_method and not _operand_values(session, place, operands[0]):
        for value in _operand_values(session, place, called[1]):
            yield from element_values(session, value)


def _macros_of_modules(
    session: ResolutionSession, modules: Iterable[Value], name: str
) -> Iterator[Value]:
    for value in modules:
        if isinstance(value, ModuleValue):
            yield from macros_at(session, value.place, name)
        elif isinstance(value, ExternalValue):
            yield ExternalValue(f"{value.name}.{name.removesuffix(MACRO_SUFFIX)}")


def _call(
    session: ResolutionSession,
    declared: FileDeclarations,
    place: ExpressionRef,
    function: int,
    passed: int = 0,
) -> Iterator[Value]:
    functions: Sequence[Value] = _operand_values(session, place, function)
    if passed:
        functions = _called_overloads(
            session, functions, place._replace(number=function), place._replace(number=passed)
        )
    called = place._replace(number=function)
    _, stated = session.arguments(place._replace(number=passed)) if passed else ((), ())
    results = [
        result for value in functions for result in _results_of(session, value, called, stated)
    ]
    if not functions and stated and _name_of(session, called) in declared.language.stated_results:
        results = list(session.values(stated[0]))
    for result in results or container_method_result(session, place, function):
        returned = isinstance(result, Definition) and result.kind in CALLABLE_KINDS
        # A returned function is a value: a use of it is no reference to its name.
        yield InstanceValue(result) if returned and isinstance(result, Definition) else result


def _name_of(session: ResolutionSession, called: ExpressionRef) -> str:
    """Return the last name in the expression of a called function."""
    return str(session.expression(called)[-1]).removesuffix("()")


def _results_of(
    session: ResolutionSession,
    value: Value,
    called: ExpressionRef,
    types: Sequence[ExpressionRef],
) -> Sequence[Value]:
    """Return the results of calling `value`; `called` refers to the called expression.

    `types` are instances of the type arguments that the call states.
    """
    if isinstance(value, Definition) and value.kind in CALLABLE_KINDS:
        receiver = extended_receiver(session, value, called)
        if receiver and returns_receiver(session, value):
            return session.values(receiver)
        return generic_results(session, value, called, types) or call_result(session, value)
    return call_result(session, value)


def _invoked(
    session: ResolutionSession, declared: FileDeclarations, place: ExpressionRef, called: int
) -> Iterator[Value]:
    for value in _operand_values(session, place, called):
        if isinstance(value, InstanceValue) and value.of:
            yield from member_of_type(session, value.of, declared.language.call_method)


def _made(
    session: ResolutionSession, declared: FileDeclarations, place: ExpressionRef, function: int
) -> Iterator[Value]:
    """Yield the values that `new f()` returns; `function` is the number of the expression `f`.

    For a JavaScript function, it is an object with the members of the function's prototype.
    """
    values = _operand_values(session, place, function)
    for value in values:
        if isinstance(value, Definition) and value.kind is SymbolKind.FUNCTION:
            yield InstanceValue(value)
    if not any(isinstance(value, Definition) and value.kind in CALLABLE_KINDS for value in values):
        yield from _call(session, declared, place, function)


def _called_overloads(
    session: ResolutionSession,
    functions: Sequence[Value],
    called: ExpressionRef,
    passed: ExpressionRef,
) -> Sequence[Value]:
    """Return `functions`; of overloaded ones, only the overloads that the call may run.

    `called` refers to the called expression, `passed` to the expression of its arguments.
    """
    definitions = [value for value in functions if isinstance(value, Definition)]
    arguments, _ = session.arguments(passed)
    call = CallArguments(len(arguments), passed, called)
    others = [value for value in functions if not isinstance(value, Definition)]
    selected = select_overloads(session, definitions, call).functions
    return [*selected, *others]


def _constructor(
    session: ResolutionSession, _: FileDeclarations, place: ExpressionRef, of: int
) -> Iterator[Value]:
    """Yield the first constructor of a type; yield the type itself if it declares none.

    `of` is the number of the type's expression. For `super`, it is the constructor of the base
    type.
    """
    for value in _operand_values(session, place, of):
        type_ = value.of if isinstance(value, InstanceValue) else value
        is_above = isinstance(value, InstanceValue) and value.above
        if isinstance(type_, Definition):
            for each in base_types(session, type_) if is_above else (type_,):
                yield from constructors_of(session, each)


def _item(
    session: ResolutionSession, _: FileDeclarations, place: ExpressionRef, base: int
) -> Iterator[Value]:
    elements = [*_elements_by(session, place, base, "values")]
    yield from elements
    for value in () if elements else _operand_values(session, place, base):
        yield from element_values(session, value)


def _enter(
    session: ResolutionSession, _: FileDeclarations, place: ExpressionRef, base: int
) -> Iterator[Value]:
    for value in _operand_values(session, place, base):
        yield from context_value(session, value)


def _instance(
    session: ResolutionSession, _: FileDeclarations, place: ExpressionRef, base: int
) -> Iterator[Value]:
    for value in _operand_values(session, place, base):
        yield from instances_of_type(session, value)


def _holding(
    session: ResolutionSession, _: FileDeclarations, place: ExpressionRef, base: int, inner: int
) -> Iterator[Value]:
    types = [
        instance
        for value in _operand_values(session, place, base)
        for instance in instances_of_type(session, value)
    ]
    first = next((instance.of for instance in types if isinstance(instance, InstanceValue)), None)
    yield InstanceValue(first, place._replace(number=inner))


def _either(
    session: ResolutionSession, _: FileDeclarations, place: ExpressionRef, *choices: int
) -> Iterator[Value]:
    for choice in choices:
        yield from _operand_values(session, place, choice)


def _signature(
    _: ResolutionSession, __: FileDeclarations, place: ExpressionRef, *___: int
) -> Sequence[Value]:
    return (FunctionTypeValue(place),)


def _parts(
    _: ResolutionSession, __: FileDeclarations, place: ExpressionRef, *___: int
) -> Sequence[Value]:
    return (TupleValue(place),)


def _mapped(
    _: ResolutionSession, __: FileDeclarations, place: ExpressionRef, member: int
) -> Sequence[Value]:
    return (MappedValue(place._replace(number=member)),)


def _record(
    _: ResolutionSession, __: FileDeclarations, place: ExpressionRef, *___: str | int
) -> Sequence[Value]:
    return (RecordValue(place),)


def _expects(
    session: ResolutionSession,
    declared: FileDeclarations,
    place: ExpressionRef,
    function: int,
    position: int,
) -> Iterator[Value]:
    """Yield the values of the parameter at a 0-based `position`.

    `function` is the number of the function's expression. Yield nothing if it may be a function
    with unknown parameters.
    """
    known = [
        parameter_values(session, value, position)
        for value in _operand_values(session, place, function)
    ]
    if not known and declared.language.element_lambdas and position == 0:
        yield from _elements_for_lambda(session, declared, place, function)
    elif all(known):
        yield from chain.from_iterable(known)


def _elements_for_lambda(
    session: ResolutionSession, declared: FileDeclarations, place: ExpressionRef, expected: int
) -> Iterator[Value]:
    """Yield the elements of a container that a library method passes to a lambda.

    `expected` is the number of the expression for what the method expects as its first argument, as
    in `carts.Where(cart => …)`. Yield nothing for other expressions, and for dictionaries, whose
    elements are pairs.
    """
    operation, *operands = session.expression(place._replace(number=expected))
    if operation != "expects" or operands[1] != 0 or _operand_values(session, place, operands[0]):
        return
    operation, *operands = session.expression(place._replace(number=int(operands[0])))
    if operation != "member" or operands[1] not in declared.language.element_lambdas:
        return
    if _is_sequence(session, declared, place._replace(number=int(operands[0]))):
        for value in _operand_values(session, place, operands[0]):
            yield from element_values(session, value)


def _is_sequence(
    session: ResolutionSession, declared: FileDeclarations, place: ExpressionRef
) -> bool:
    """Tell whether an expression is a container, or a call of library methods on one.

    A container has a known static type, and is no dictionary.
    """
    rules = declared.language.type_rules
    operation, *operands = session.expression(place)
    while operation == "call" and not session.values(place._replace(number=int(operands[0]))):
        operation, *operands = session.expression(place._replace(number=int(operands[0])))
        place = place._replace(number=int(operands[0]) if operation == "member" else 0)
        operation, *operands = session.expression(place)
    type_ = static_type(TypeScope(session, rules, select_overloads), place) if rules else None
    return type_ is not None and "Dictionary" not in type_.bare_name


def _parameter(
    session: ResolutionSession, _: FileDeclarations, place: ExpressionRef, __: str, bound: int
) -> Iterable[Value]:
    return _operand_values(session, place, bound) if bound else ()


def _labelled(
    session: ResolutionSession, _: FileDeclarations, place: ExpressionRef, __: str, argument: int
) -> Iterable[Value]:
    return _operand_values(session, place, argument)


def _wrapper(
    session: ResolutionSession, _: FileDeclarations, place: ExpressionRef, __: int, inner: int
) -> Iterable[Value]:
    return _operand_values(session, place, inner) if inner else ()


_OPERATIONS: dict[str, Operation] = {
    "name": _name,
    "qualified": _qualified,
    "define": _define,
    "numbered": _numbered,
    "import": _import,
    "self": _self,
    "super": _super,
    "own": _own,
    "member": _member,
    "call": _call,
    "invoked": _invoked,
    "made": _made,
    "item": _item,
    "enter": _enter,
    "instance": _instance,
    "holding": _holding,
    "either": _either,
    "signature": _signature,
    "mapped": _mapped,
    "record": _record,
    "parts": _parts,
    "expects": _expects,
    "constructor": _constructor,
    "parameter": _parameter,
    "wrapper": _wrapper,
    "labelled": _labelled,
}
