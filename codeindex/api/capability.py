"""Derive the signature and documentation of methods from their request types."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any, Concatenate, ParamSpec, TypeVar

from codeindex.api.requests import Parameter, Request, parameters_of

Parameters = ParamSpec("Parameters")
RequestType = TypeVar("RequestType", bound=Request)
Owner = TypeVar("Owner")
Result = TypeVar("Result")


def capability(
    request: Callable[Parameters, RequestType],
) -> Callable[
    [Callable[[Owner, RequestType], Result]], Callable[Concatenate[Owner, Parameters], Result]
]:
    """Return a decorator for methods of `Index` components that answer one type of request.

    Callers write `graph.callers("charge", limit=5)`, and the decorated method gets a validated
    `CallersRequest`. The method that takes a request stays reachable as `__wrapped__`.
    """

    def decorate(
        answer: Callable[[Owner, RequestType], Result],
    ) -> Callable[Concatenate[Owner, Parameters], Result]:
        @functools.wraps(answer)
        def method(owner: Owner, /, *values: Parameters.args, **named: Parameters.kwargs) -> Result:
            return answer(owner, request(*values, **named))

        if isinstance(request, type):
            _ANSWERS[request] = answer
            method.__doc__ = documentation(request)
            vars(method)["__signature__"] = signature(request, answer.__annotations__["return"])
        return method

    return decorate


def answer_of(request: type[Request]) -> Callable[..., Any]:
    """Return the function that answers requests of this type.

    It takes a component and a request, not the request's fields.
    """
    if request not in _ANSWERS:
        group, dot, _ = request.capability.rpartition(".")
        import_module(f"codeindex.api.{group if dot else 'index'}")
    return _ANSWERS[request]


_ANSWERS: dict[type[Request], Callable[..., Any]] = {}
"""Methods by type of request; importing the module of a component adds its methods."""


def documentation(request: type[Request]) -> str:
    """Return the docstring of the method that answers a request.

    It has the docstring of the request class, and a line for each parameter.
    """
    described = [
        f":param {parameter.name}: {parameter.help}"
        for parameter in parameters_of(request).values()
        if parameter.help
    ]
    return "\n".join([inspect.getdoc(request) or "", *([""] if described else []), *described])


def signature(request: type[Request], result: Any) -> inspect.Signature:
    """Return the signature of a capability's method, with plain types instead of `Annotated`."""
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
    one = f"{plain} | " if parameter.takes_one else ""
    listed = f"{one}tuple[{plain}, ...]" if parameter.is_list else plain
    return f"{listed} | None" if parameter.is_optional else listed
