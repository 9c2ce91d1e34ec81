"""What a tool takes as a JSON schema, and the arguments of a call, checked."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, get_type_hints, is_typeddict

from codeindex.api.requests import Parameter
from codeindex.errors import QueryError

ALIASES = {
    "code": "query",
    "end": "end_line",
    "endLine": "end_line",
    "file": "path",
    "file_path": "path",
    "includeTests": "include_tests",
    "k": "limit",
    "maxResults": "limit",
    "max_results": "limit",
    "minScore": "min_score",
    "pathPrefix": "path",
    "path_prefix": "path",
    "start": "start_line",
    "startLine": "start_line",
    "symbol": "symbols",
    "tests": "include_tests",
    "topK": "limit",
    "top_k": "limit",
}
"""Names that other servers and hurried agents use for a parameter."""
_SYMBOL_NAMES = frozenset(
    {"class", "function", "identifier", "interface", "method", "symbol_name", "type"}
)
"""What agents call the name of a symbol."""
_SUBJECTS = (
    *("query", "subject", "symbol", "name", "names", "symbols", "places", "paths"),
    *("type_name", "path", "place"),
)
"""Names of the parameter that a tool is about, by preference: a tool that takes one of them
accepts any other in its place."""
_PLAIN: Mapping[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
}
_CHECKED: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
}


def input_schema(
    taken: Mapping[str, Parameter], *, hidden: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return the JSON schema of parameters; `hidden` ones are accepted, but not listed."""
    shown = {name: parameter for name, parameter in taken.items() if name not in hidden}
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: _property(parameter) for name, parameter in shown.items()},
    }
    required = [name for name, parameter in shown.items() if parameter.is_required]
    return schema | ({"required": required} if required else {})


def _property(parameter: Parameter) -> dict[str, Any]:
    schema = dict(_type_schema(parameter))
    if parameter.help:
        schema["description"] = _described(parameter)
    if not parameter.is_required and parameter.default not in {None, "", 0, ()}:
        schema["default"] = parameter.default
    return schema


def _type_schema(parameter: Parameter) -> dict[str, Any]:
    if parameter.choices:
        return {"type": "string", "enum": list(parameter.choices)}
    item = _PLAIN.get(parameter.kind) or _object_schema(parameter.kind)
    return {"type": "array", "items": item} if parameter.is_list else item


def _object_schema(kind: Any) -> dict[str, Any]:
    """Return the schema of a TypedDict of texts and lists of texts; of others, any object's."""
    if not is_typeddict(kind):
        return {"type": "object"}
    text = {"type": "string"}
    return {
        "type": "object",
        "properties": {
            name: text if hint is str else {"type": "array", "items": text}
            for name, hint in get_type_hints(kind).items()
        },
        "required": sorted(vars(kind)["__required_keys__"]),
    }


def checked(taken: Mapping[str, Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments under their own names and of their own types; QueryError says what is wrong.

    Nulls are as if they had not been given.
    """
    arguments: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        own = _resolve_alias(name, taken)
        if own not in taken:
            raise QueryError(_unknown(name, taken))
        if own in arguments:
            raise QueryError(f"{name!r} and another name for it were both given: use {own!r}.")
        arguments[own] = _converted(own, value, _type_schema(taken[own]))
    for name, parameter in taken.items():
        if parameter.is_required and name not in arguments:
            raise QueryError(f"{name!r} is missing: {_described(parameter)}")
    return arguments


def parse_texts(taken: Mapping[str, Parameter], given: Mapping[str, str]) -> dict[str, Any]:
    """Return the parameters of a URL with numbers and flags for texts that are such.

    Any other text stays as it is, and `checked` says what is wrong with it.
    """
    return {
        name: _parse_text(taken.get(_resolve_alias(name, taken)), text)
        for name, text in given.items()
    }


def _parse_text(parameter: Parameter | None, text: str) -> Any:
    kind = parameter.kind if parameter else str
    if kind is bool:
        return {"true": True, "false": False}.get(text.lower(), text)
    if kind in {int, float}:
        with suppress(ValueError):
            return kind(text)
    return text


def _resolve_alias(name: str, taken: Mapping[str, Parameter]) -> str:
    """Return the parameter that another name stands for; the name itself if there is none."""
    if name in taken:
        return name
    own = ALIASES.get(name, name)
    if own not in taken and name in {*_SUBJECTS, *_SYMBOL_NAMES}:
        return next((subject for subject in _SUBJECTS if subject in taken), own)
    return own


def _unknown(name: str, taken: Mapping[str, Parameter]) -> str:
    aliases = {alias: own for alias, own in ALIASES.items() if own in taken}
    known = {own: own for own in taken} | aliases
    near = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {known[near[0]]!r}? It" if near else "This tool"
    return f"There is no parameter {name!r}: {hint} takes {', '.join(taken)}."


def _described(parameter: Parameter) -> str:
    """Return the help of a parameter, of a required one without what its absence would mean."""
    text = parameter.help or "it has no default."
    return re.sub(r"[;,] [^;,]* if none\.$", ".", text) if parameter.is_required else text


def _converted(name: str, value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a value of a schema's type; one text may stand for a list of one."""
    if schema["type"] == "array":
        items = [value] if isinstance(value, (str, dict)) else value
        if not isinstance(items, list):
            raise QueryError(f"{name!r} is {_shown(value)}: give a list.")
        return tuple(_converted(name, item, schema["items"]) for item in items)
    is_right = isinstance(value, _CHECKED[schema["type"]])
    if not is_right or (isinstance(value, bool) and schema["type"] != "boolean"):
        raise QueryError(f"{name!r} is {_shown(value)}: give {_article(schema['type'])}.")
    if "enum" in schema and value not in schema["enum"]:
        raise QueryError(f"{name!r} is {_shown(value)}: use one of {', '.join(schema['enum'])}.")
    return value


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeio" else f"a {kind}"


_LONGEST = 60
"""Characters of a wrong value that are shown."""
