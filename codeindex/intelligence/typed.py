"""Arguments of another type than a signature says: refused in one place, for all questions."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from codeindex.search.request import misfit, refuse_blank, texts

Owner = TypeVar("Owner")
_Check = Callable[[str, Any], object]

_OWN = frozenset(
    {"limit", "budget", "agentic", "min_score", "cursor", "before", "after", "per_file"}
)
"""Parameters that their methods check, whose sentences say the bounds too."""


def typed(owner: type[Owner]) -> type[Owner]:
    """Have the public methods of a class, its bases' too, raise QueryError for what misfits.

    Typed callers never see it; scripts do.
    """
    for name, method in inspect.getmembers(owner, inspect.isfunction):
        if not (name.startswith("_") or hasattr(method, "__wrapped__")):  # a base's was done
            setattr(owner, name, _guarded(method))
    return owner


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def run(*arguments: Any, **named: Any) -> Any:
        signature, checks = _checks(method)
        for name, given in signature.bind(*arguments, **named).arguments.items():
            if name in checks:
                checks[name](name, given)
        return method(*arguments, **named)

    return run


@functools.cache
def _checks(method: Callable[..., Any]) -> tuple[inspect.Signature, Mapping[str, _Check]]:
    """Return the checks of a method's parameters, when it is first called."""
    signature = inspect.signature(method)
    found = {
        name: check
        for name, one in signature.parameters.items()
        if name not in _OWN and (check := _check(name, str(one.annotation)))
    }
    return signature, found


def _check(name: str, annotation: str) -> _Check | None:
    """Annotations are text here: what they name beyond these, their methods look at."""
    if annotation == "str" and name == "query":
        return lambda _, given: refuse_blank(given)
    if annotation.startswith("Literal["):
        return _one_of(ast.literal_eval(f"({annotation[len('Literal[') : -1]},)"))
    return _CHECKS.get(annotation)


def _of(kinds: tuple[type, ...], wanted: str) -> _Check:
    def check(name: str, given: Any) -> None:
        is_flag = isinstance(given, bool) and bool not in kinds  # which is an int to Python
        if is_flag or not isinstance(given, kinds):
            raise misfit(name, given, wanted)

    return check


def _one_of(choices: tuple[str, ...]) -> _Check:
    def check(name: str, given: Any) -> None:
        if given not in choices:
            raise misfit(name, given, f"use one of {', '.join(choices)}")

    return check


_CHECKS: Mapping[str, _Check] = {
    "str": _of((str,), "use text"),
    "int": _of((int,), "use a whole number"),
    "float": _of((int, float), "use a number"),
    "bool": _of((bool,), "use True or False"),
    "tuple[str, ...]": texts,
}
