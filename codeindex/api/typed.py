"""Arguments of all questions, checked in one place: their types, and what their texts hold."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any, TypeVar

from codeindex.query.validation import (
    check_length,
    check_not_blank,
    check_texts,
    parameter_error,
    replace_surrogates,
)

Owner = TypeVar("Owner")
_Check = Callable[[str, Any], object]

_OWN = frozenset(
    {"limit", "budget", "agentic", "min_score", "cursor", "before", "after", "per_file"}
)
"""Parameters that their methods check, whose sentences say the bounds too."""
_PROSE = frozenset((
    *("query", "queries", "content", "title", "synthesis", "symptom", "diagnosis"),
    *("attempted_fix", "actual_fix", "seen", "cursor"),
))  # fmt: skip
"""Parameters whose texts may have any length; texts of all others are names, paths or globs."""
_COMMANDS = frozenset({"command", "llm_cmd"})
"""Parameters whose texts are command lines to run: passed on unchanged."""


def typed(owner: type[Owner]) -> type[Owner]:
    """Have the public methods of a class, its bases' too, raise QueryError for what misfits.

    So do names, paths and globs that are too long. Lone surrogates in texts become U+FFFD. Typed
    callers never see it; scripts do.
    """
    for name, method in inspect.getmembers(owner, inspect.isfunction):
        if not (name.startswith("_") or hasattr(method, "__wrapped__")):  # a base's was done
            setattr(owner, name, _guarded(method))
    return owner


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def run(*arguments: Any, **named: Any) -> Any:
        signature, checks = _checks(method)
        bound = signature.bind(*arguments, **named)
        for name, given in bound.arguments.items():
            if name in checks:
                checks[name](name, given)
            bound.arguments[name] = _taken(name, given)
        return method(*bound.args, **bound.kwargs)

    return run


def _taken(name: str, given: Any) -> Any:
    """Return a value whose texts any store takes; QueryError for a name that is too long."""
    if isinstance(given, str) and name not in _COMMANDS:
        if name not in _PROSE:
            check_length(name, given)
        return replace_surrogates(given)
    if type(given) in {list, tuple}:
        return type(given)(_taken(name, one) for one in given)
    if type(given) is dict:
        return {
            key: replace_surrogates(one) if isinstance(one, str) else one
            for key, one in given.items()
        }
    if type(given).__name__ == "Filters":  # its module loads NumPy, which few questions need
        fields = {one.name: getattr(given, one.name) for one in fields_of(given)}
        return replace(given, **{field: _taken(field, value) for field, value in fields.items()})
    return given


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
        return lambda _, given: check_not_blank(given)
    if annotation.startswith("Literal["):
        return _one_of(ast.literal_eval(f"({annotation[len('Literal[') : -1]},)"))
    return _CHECKS.get(annotation)


def _of(kinds: tuple[type, ...], wanted: str) -> _Check:
    def check(name: str, given: Any) -> None:
        is_flag = isinstance(given, bool) and bool not in kinds  # which is an int to Python
        if is_flag or not isinstance(given, kinds):
            raise parameter_error(name, given, wanted)

    return check


def _one_of(choices: tuple[str, ...]) -> _Check:
    def check(name: str, given: Any) -> None:
        if given not in choices:
            raise parameter_error(name, given, f"use one of {', '.join(choices)}")

    return check


_CHECKS: Mapping[str, _Check] = {
    "str": _of((str,), "use text"),
    "int": _of((int,), "use a whole number"),
    "float": _of((int, float), "use a number"),
    "bool": _of((bool,), "use True or False"),
    "tuple[str, ...]": check_texts,
}
