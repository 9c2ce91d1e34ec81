"""Read the parameters of every request from its annotations, and validate their values.

A request is a frozen dataclass. On the command line, positional fields become arguments and
keyword-only fields become options. The annotation of a field has metadata for the command line, MCP
and HTTP, such as a string with the help text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from enum import Enum
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Self,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from codeindex.query.validation import (
    check_length,
    check_not_blank,
    check_object,
    check_texts,
    mask_surrogates,
    parameter_error,
)
from codeindex.types import Filters


class TextKind(Enum):
    """The kind of text in a string parameter.

    A parameter that has no `TextKind` is a name, path or glob.
    """

    PROSE = "prose"
    """Text of any length."""
    QUERY = "query"
    """Text of any length that must not be blank."""
    CURSOR = "cursor"
    """The cursor of an answer."""
    COMMAND = "command"
    """A command line to run, passed on unchanged."""


@dataclass(frozen=True, slots=True)
class NumberBounds:
    """The smallest and the largest number that a parameter takes."""

    least: float
    most: float = math.inf
    advice: str = ""
    """What an error tells to use, if the standard sentence does not fit."""

    def check(self, name: str, value: Any, kind: type) -> None:
        """Raise QueryError unless a value has the type `kind` and is in the bounds; NaN never is.

        `name` is the parameter that the error names.
        """
        kinds = (int,) if kind is int else (int, float)
        if type(value) in kinds and self.least <= value <= self.most:
            return
        number = "whole number" if kind is int else "number"
        advice = self.advice or f"use a {number} from {self.least} to {self.most}"
        raise parameter_error(name, value, advice)


REQUIRED: Any = object()
"""Marks a parameter without a default."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a request, from which surfaces such as the CLI derive their options."""

    name: str
    kind: Any
    """The type of the value; for a list, the type of the items."""
    choices: tuple[str, ...] = ()
    is_list: bool = False
    is_optional: bool = False
    """True if the value may be None."""
    takes_one: bool = False
    """True for a list that may be given as a single text; "" stands for none."""
    keyword_only: bool = False
    default: Any = REQUIRED
    help: str = ""
    bounds: NumberBounds | None = None
    text: TextKind | None = None

    @property
    def is_required(self) -> bool:
        return self.default is REQUIRED

    def validated(self, value: Any) -> Any:
        """Return a valid value, with a list as a tuple; raise QueryError for an invalid value.

        The error names the parameter.
        """
        if value is None and self.is_optional:
            return None
        if self.choices and value not in self.choices:
            raise parameter_error(self.name, value, f"use one of {', '.join(self.choices)}")
        if self.bounds:
            self.bounds.check(self.name, value, self.kind)
        if self.takes_one and isinstance(value, str):
            value = (value,) if value.strip() else ()
        if self.is_list:
            is_texts = self.kind is str
            items: Sequence[Any] = check_texts(self.name, value) if is_texts else tuple(value)
            for item in items if is_typeddict(self.kind) else ():
                check_object(item, self.kind)
            return _clean(self.name, tuple(items), self.text)
        if self.kind in _ADVICE and not self.bounds:
            self._check_type(value)
        return _clean(self.name, value, self.text)

    def _check_type(self, value: Any) -> None:
        is_flag = isinstance(value, bool) and self.kind is not bool  # bool is an int to Python
        accepted = (int, float) if self.kind is float else self.kind
        if self.text is TextKind.QUERY:
            check_not_blank(value)
        elif is_flag or not isinstance(value, accepted):
            is_cursor = self.text is TextKind.CURSOR
            advice = "use the cursor of an answer, or '' to start" if is_cursor else ""
            raise parameter_error(self.name, value, advice or _ADVICE[self.kind])


_ADVICE: Mapping[Any, str] = {
    str: "use text",
    int: "use a whole number",
    float: "use a number",
    bool: "use True or False",
}


def _clean(name: str, value: Any, text: TextKind | None) -> Any:
    """Return a value in which lone surrogates are masked.

    Raise QueryError if it is a name or path and too long.
    """
    if isinstance(value, str):
        if text is TextKind.COMMAND:
            return value
        if text is None:
            check_length(name, value)
        return mask_surrogates(value)
    if type(value) in {list, tuple}:
        return type(value)(_clean(name, item, text) for item in value)
    if type(value) is dict:
        return {
            key: mask_surrogates(item) if isinstance(item, str) else item
            for key, item in value.items()
        }
    if isinstance(value, Filters):
        parts = {part.name: getattr(value, part.name) for part in fields(value)}
        return Filters(**{part: _clean(part, item, None) for part, item in parts.items()})
    return value


@dataclass(frozen=True, slots=True)
class Request:
    """The parameters of one method of the API; creating a request validates them.

    A subclass names the method relative to `Index`, such as `graph.callers`, as its `capability`.
    Its docstring is the help text on the command line, in MCP and in HTTP.
    """

    capability: ClassVar[str] = ""

    def __init_subclass__(cls, *, capability: str = "") -> None:
        if capability:  # slots=True creates it again, without keyword
            cls.capability = capability

    @classmethod
    def from_other(cls, request: Request, /, **changed: Any) -> Self:
        """Return a request of this type with the values of the parameters that both types have.

        `changed` has the values of other parameters, and of those that differ, by name.
        """
        names = parameters_of(cls).keys() & parameters_of(type(request)).keys()
        return cls(**{name: getattr(request, name) for name in names} | changed)

    @classmethod
    def label(cls) -> str:
        """Return the name of a request class in snake case: `public_api` for PublicApiRequest."""
        words = re.findall("[A-Z][a-z]*", cls.__name__.removesuffix("Request"))
        return "_".join(words).lower()

    def __post_init__(self) -> None:
        for parameter in parameters_of(type(self)).values():
            value = parameter.validated(getattr(self, parameter.name))
            object.__setattr__(self, parameter.name, value)


def parameters_of(request: type[Request]) -> Mapping[str, Parameter]:
    """Return the parameters of a request by name, in the order of its fields."""
    if request not in _PARAMETERS:
        hints = get_type_hints(request, include_extras=True)
        _PARAMETERS[request] = {
            field.name: replace(
                _parameter(field.name, hints[field.name]),
                default=REQUIRED if field.default is MISSING else field.default,
                keyword_only=field.kw_only is True,
            )
            for field in fields(request)
        }
    return _PARAMETERS[request]


_PARAMETERS: dict[type[Request], Mapping[str, Parameter]] = {}
"""Parameters by request; `functools.cache` fails type checks for dataclass types as keys."""


def _parameter(name: str, hint: Any) -> Parameter:
    """Return the parameter for a field's name and its annotation."""
    if get_origin(hint) is Annotated:
        plain, *notes = get_args(hint)
        parameter = _parameter(name, plain)
        for note in notes:
            field = "help" if isinstance(note, str) else _FIELDS[type(note)]
            parameter = replace(parameter, **{field: note})
        return parameter
    if get_origin(hint) in {Union, UnionType}:
        kinds = [kind for kind in get_args(hint) if kind is not NoneType]
        if kinds == [str, tuple[str, ...]]:
            return replace(_parameter(name, kinds[1]), takes_one=True)
        parameter = _parameter(name, kinds[0]) if len(kinds) == 1 else Parameter(name, object)
        return replace(parameter, is_optional=NoneType in get_args(hint))
    if get_origin(hint) is Literal:
        return Parameter(name, str, choices=get_args(hint))
    if get_origin(hint) is tuple:
        return replace(_parameter(name, get_args(hint)[0]), is_list=True)
    return Parameter(name, hint)


_FIELDS = {NumberBounds: "bounds", TextKind: "text"}
"""The field of `Parameter` for each type of note in `Annotated`."""
