"""Resolve the result of a method of a generic base class to the subclass that it is called on.

Fluent interfaces declare such methods, so that calls can be chained. In
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
from codeindex.graph.resolve.parameters import last_name, split_list
from codeindex.graph.resolve.session import ResolutionSession
from codeindex.graph.resolve.values import (
    ExpressionRef,
    FileDeclarations,
    InstanceValue,
    Value,
)
from codeindex.graph.resolve.variable_values import instances_of_type
from codeindex.types import Definition

_MAX_DEPTH = 8
"""Most base types between a receiver and the owner of the called method."""


def own_results(
    session: ResolutionSession, function: Definition, called: ExpressionRef
) -> Sequence[Value]:
    """Return instances of the subclasses that pass themselves as the result type of a method.

    `function` is the method, `called` refers to the called expression, such as `builder.name`. The
    subclasses are the types of the receiver, or types between them and the owner of the method.
    Return () if the result type is no type parameter of the owner, if the call has no receiver, or
    if no subclass passes itself.
    """
    declared = session.declared(function.file)
    parameter = result_parameter(session, declared, function) if declared else ""
    owner = owner_of(declared, function) if declared and parameter else None
    how, *receiver = session.expression(called)
    if owner is None or how != "member" or _declares(function, parameter):
        return ()
    found = dict.fromkeys(
        passed
        for value in session.values(called._replace(number=int(receiver[0])))
        for instance in instances_of_type(session, value)
        if isinstance(instance, InstanceValue) and instance.of
        for passed in _passed(session, instance.of, owner, parameter)
    )
    return [InstanceValue(each) for each in found if isinstance(each, Definition)]


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


def _declares(function: Definition, parameter: str) -> bool:
    """Tell whether a function has a type parameter of its own with this name: `<S> S name()`."""
    head = function.signature.partition(f"{last_name(function)}(")[0]
    return re.search(rf"<[^<>]*\b{re.escape(parameter)}\b", head) is not None


def _passed(
    session: ResolutionSession, of: Definition, owner: Definition, parameter: str, depth: int = 0
) -> Iterator[Definition | str]:
    """Yield the type arguments for the type parameter `parameter` of `owner` in its subtype `of`.

    Each is `of` or a type between `of` and `owner` that passes itself as the argument, or the name
    of a type parameter of `of`. Other type arguments are left out.
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


def _is_whole_type(argument: str, name: str) -> bool:
    """Tell whether a type argument is the type `name`, with or without type arguments of its own.

    For `Cart`, these are `Cart` and `Cart<T>`, but neither `Cart<T>.Item` nor `Cart[]`.
    """
    rest = argument.removeprefix(name).strip() if argument.startswith(name) else argument
    return not _without_list(rest).strip() if rest.startswith("<") else not rest


@lru_cache(maxsize=1 << 12)
def type_parameters(of: Definition) -> list[str]:
    """Return the names of the type parameters of a type, in order.

    For `class Builder<S extends X, R>`, these are `S` and `R`.
    """
    words = (re.findall(r"\w+", re.sub(r"@\w+", "", text)) for text in _listed(of, last_name(of)))
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
