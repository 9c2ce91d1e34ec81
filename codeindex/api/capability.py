"""Methods whose signature and documentation are those of their request type."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from codeindex.api.requests import Parameter, Request, parameters_of

Fields = ParamSpec("Fields")
RequestType = TypeVar("RequestType", bound=Request)
Component = TypeVar("Component")
Result = TypeVar("Result")


def capability(
    request: Callable[Fields, RequestType],
) -> Callable[
    [Callable[[Component, RequestType], Result]], Callable[Concatenate[Component, Fields], Result]
]:
    """Have a method that takes a request take the request's fields instead.

    Callers write `graph.callers("charge", limit=5)`, the method gets a validated
    `CallersRequest`; the one that takes a request stays reachable as `__wrapped__`.
    """

    def decorate(
        answer: Callable[[Component, RequestType], Result],
    ) -> Callable[Concatenate[Component, Fields], Result]:
        @functools.wraps(answer)
        def method(owner: Component, /, *values: Fields.args, **named: Fields.kwargs) -> Result:
            return answer(owner, request(*values, **named))

        if isinstance(request, type):
            method.__doc__ = documentation(request)
            vars(method)["__signature__"] = signature(request, answer.__annotations__["return"])
        return method

    return decorate


def documentation(request: type[Request]) -> str:
    """Return the docstring of a capability: its request's, and what each parameter is."""
    described = [
        f":param {parameter.name}: {parameter.help}"
        for parameter in parameters_of(request).values()
        if parameter.help
    ]
    return "\n".join([inspect.getdoc(request) or "", *([""] if described else []), *described])


def signature(request: type[Request], result: Any) -> inspect.Signature:
    """Return the signature of a capability's method, without the notes of annotations."""
    kinds = inspect.Parameter
    parameters = [
        kinds(
            parameter.name,
            kinds.KEYWORD_ONLY if parameter.keyword_only else kinds.POSITIONAL_OR_KEYWORD,
            default=kinds.empty if parameter.is_required else parameter.default,
            annotation=_annotation(parameter),
        )
        for parameter in parameters_of(request).values()
    ]
    owner = kinds("self", kinds.POSITIONAL_ONLY)
    return inspect.Signature([owner, *parameters], return_annotation=result)


def _annotation(parameter: Parameter) -> str:
    choices = ", ".join(map(repr, parameter.choices))
    plain = f"Literal[{choices}]" if choices else parameter.kind.__name__
    listed = f"tuple[{plain}, ...]" if parameter.is_list else plain
    return f"{listed} | None" if parameter.is_optional else listed
