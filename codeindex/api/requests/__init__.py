"""Define the request types: a frozen dataclass per capability, from which surfaces are derived.

In: plain values. Out: validated requests, and the parameters that surfaces list.
They must not know how a request is answered, and import nothing heavy.
"""

from __future__ import annotations

from importlib import import_module

from codeindex.api.requests.base import NumberBounds, Parameter, Request, TextKind, parameters_of

__all__ = ["NumberBounds", "Parameter", "Request", "TextKind", "parameters_of", "request_type"]


def request_type(capability: str) -> type[Request]:
    """Return the request type of a capability, such as `graph.callers`.

    Only the module that defines it is imported.
    """
    group, dot, _ = capability.rpartition(".")
    module = import_module(f"{__name__}.{group if dot else 'core'}")
    return next(
        value
        for value in vars(module).values()
        if isinstance(value, type) and getattr(value, "capability", None) == capability
    )
