"""Find what type parameters stand for where a method returns one.

A call can state it (`Find<Cart>()`), the receiver can (`Box<Cart> box`, or a `CartBox` after
`class CartBox : Box<Cart>`), or the type of the receiver passes itself, as in fluent interfaces,
whose calls can be chained. In
`class Builder<S extends Builder<S>> { S name(String name) { ... } }`, the result of `name` is a
type parameter of the class. After `class CartBuilder extends Builder<CartBuilder>`, `name` of a
`CartBuilder` returns a `CartBuilder`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from codeindex.graph.resolve.base_types import base_types
from codeindex.graph.resolve.overload_groups import owner_of
from codeindex.graph.resolve.parameters import last_name, split_list, type_named_around
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.values import (
    ExpressionRef,
    FileDeclarations,
    InstanceValue,
    Value,
)
from codeindex.graph.resolve.variable_values import instances_of_type
from codeindex.types import CALLABLE_KINDS, Definition

_PLAIN = re.compile(r"[\w.]+")
_MAX_DEPTH = 8
"""Most base types between a receiver and the owner of the called method."""


def generic_results(
    session: ResolutionSession,
    function: Definition,
    called: ExpressionRef,
    types: Sequence[ExpressionRef],
) -> Sequence[Value]:
    """Return the results of a call of `function` whose result type is a type parameter.

    `function` can also be a property or field, whose values these are then. `called` refers to the
    called expression, such as `builder.name`; `types` are instances of the type arguments of the
    call. The result can also be a container of the type parameter. Return ()
    for other result types, and if nothing tells what the type parameter stands for.
    """
    declared = session.declared(function.file)
    result = declared and (declared.result(function) or declared.value(function.qualified))
    found = _type_parameter(session, result) if result else None
    if declared is None or found is None:
        return ()
    parameter, container = found
    if _declares(declared, function, parameter):
        own = type_parameters(function)
        at = own.index(parameter) if parameter in own else len(types)
        elements = list(types[at : at + 1])
        values = [value for each in elements for value in session.values(each)]
    else:
        elements, values = _passed_to_owner(session, declared, function, parameter, called)
    if container is None:
        return values
    kinds = [value for value in session.values(container) if isinstance(value, Definition)]
    return [InstanceValue(kinds[0] if kinds else None, each) for each in elements[:1]]


def _type_parameter(
    session: ResolutionSession, result: ExpressionRef
) -> tuple[str, ExpressionRef | None] | None:
    """Return (type parameter, container) for a result type `T` or, for example, `List<T>`.

    The container refers to the expression of `List`; it is None for `T`. Return None for other
    result types.
    """
    container: ExpressionRef | None = None
    for _ in range(_MAX_DEPTH):
        operation, *operands = session.expression(result)
        if operation == "parameter":
            return str(operands[0]), container
        if operation == "holding" and container is None:
            container = result._replace(number=int(operands[0]))
        elif operation not in {"instance", "wrapper"}:
            return None
        result = result._replace(number=int(operands[-1]))
    return None


def _passed_to_owner(
    session: ResolutionSession,
    declared: FileDeclarations,
    function: Definition,
    parameter: str,
    called: ExpressionRef,
) -> tuple[list[ExpressionRef], list[Value]]:
    """Return what a type parameter of the owner of `function` stands for in a call.

    It is (elements of the receiver, values of them), or ([], instances of the types that subtypes
    of the owner pass to it).
    """
    owner = owner_of(declared, function)
    how, *receiver = session.expression(called)
    if owner is None or how != "member":
        return [], []
    elements: dict[ExpressionRef, None] = {}
    passed: dict[Definition, None] = {}
    is_last = type_parameters(owner)[-1:] == [parameter]
    for value in session.values(called._replace(number=int(receiver[0]))):
        for instance in instances_of_type(session, value):
            if not isinstance(instance, InstanceValue) or instance.of is None:
                continue
            if instance.of == owner and is_last and instance.elements:
                elements[instance.elements] = None
            for each in _passed(session, instance.of, owner, parameter):
                if isinstance(each, Definition):
                    passed[each] = None
    values = [value for each in elements for value in session.values(each)]
    return list(elements), values or [InstanceValue(each) for each in passed]


def result_parameter(
    session: ResolutionSession, declared: FileDeclarations, function: Definition
) -> str:
    """Return the name of the type parameter that is the result type of a function.

    `declared` are the declarations of the function's file. Return "" if the result type is unknown
    or no type parameter.
    """
    result = declared.result(function)
    if result is None:
        return ""
    operation, *operands = session.expression(result)
    if operation == "instance":
        operation, *operands = session.expression(result._replace(number=int(operands[0])))
    return str(operands[0]) if operation == "parameter" else ""


def _declares(declared: FileDeclarations, function: Definition, parameter: str) -> bool:
    """Tell whether a function has a type parameter of its own with this name: `<S> S name()`."""
    rules = declared.language.type_rules
    if function.kind not in CALLABLE_KINDS or rules is None:
        return False
    if rules.own_variables:
        return parameter in rules.own_variables(function.signature, last_name(function))
    head = function.signature.partition(f"{last_name(function)}(")[0]
    return re.search(rf"(?:^|\s)<[^>]*\b{re.escape(parameter)}\b", head) is not None


def _passed(
    session: ResolutionSession, of: Definition, owner: Definition, parameter: str, depth: int = 0
) -> Iterator[Definition | str]:
    """Yield the type arguments for the type parameter `parameter` of `owner` in its subtype `of`.

    Each is a type, or the name of a type parameter of `of`.
    """
    if of == owner:
        yield parameter
        return
    own = type_parameters(of)
    for base in base_types(session, of) if depth < _MAX_DEPTH else ():
        for passed in _passed(session, base, owner, parameter, depth + 1):
            if isinstance(passed, Definition):
                yield passed
                continue
            arguments = dict(zip(type_parameters(base), _arguments(of, base), strict=False))
            argument = arguments.get(passed, "")
            if _is_whole_type(argument, last_name(of)):
                yield of
            elif argument in own:
                yield argument
            elif named := _PLAIN.fullmatch(argument) and type_named_around(session, of, argument):
                yield named


def _is_whole_type(argument: str, name: str) -> bool:
    """Tell whether a type argument is the type `name`, with or without type arguments of its own.

    For `Cart`, these are `Cart` and `Cart<T>`, but neither `Cart<T>.Item` nor `Cart[]`.
    """
    rest = argument.removeprefix(name).strip() if argument.startswith(name) else argument
    return not _without_list(rest).strip() if rest.startswith("<") else not rest


@lru_cache(maxsize=1 << 12)
def type_parameters(of: Definition) -> list[str]:
    """Return the names of the type parameters of a type or function, in order.

    For `class Builder<S extends X, R>`, these are `S` and `R`, as for `fun <S, R> build()`.
    """
    listed = _listed(of, last_name(of)) or _listed(of, "fun")
    words = (re.findall(r"\w+", re.sub(r"@\w+", "", text)) for text in listed)
    return [found[0] for found in words if found]


def _arguments(of: Definition, base: Definition) -> list[str]:
    """Return the type arguments that the type `of` passes to its base type `base`, as written.

    For `class Cart extends Base<Cart, int>`, these are `Cart` and `int`. Return [] without any.
    """
    head = of.signature
    at = re.search(rf"(?<!\w){re.escape(last_name(of))}(?!\w)", head)
    rest = head[at.end() :] if at else ""
    after = re.search(r"\b(?:extends|implements)\b|(?<=[>)\w\s]):", _without_list(rest))
    return _listed(of, last_name(base), len(head) - len(rest) + after.end()) if after else []


def _without_list(text: str) -> str:
    """Overwrite a list of type parameters in angle brackets at the start of a text with blanks.

    Return "" if the closing bracket is missing.
    """
    if not text.startswith("<"):
        return text
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "<") - (letter == ">")
        if depth == 0:
            return " " * (at + 1) + text[at + 1 :]
    return ""


def _listed(of: Definition, name: str, start: int = 0) -> list[str]:
    """Return the items of the list in angle brackets after `name` in the signature of `of`.

    The search for `name` begins at the offset `start`. Return [] without a list, or if the
    signature is cut off within it.
    """
    found = re.compile(rf"(?<!\w){re.escape(name)}\s*<").search(of.signature, start)
    parts = [*split_list(of.signature[found.end() :])] if found else []
    return [part.strip() for part in parts if part is not None] if None not in parts else []
