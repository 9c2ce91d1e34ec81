"""Derive JSON schemas from parameters, and validate the arguments of a tool call."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from codeindex.api.requests import Parameter
from codeindex.errors import QueryError
from codeindex.mcp.json_schema import type_schema
from codeindex.text.short_paths import SAME_FOLDER

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
    "q": "query",
    "question": "query",
    "path_prefix": "path",
    "start": "start_line",
    "startLine": "start_line",
    "symbol": "symbols",
    "tests": "include_tests",
    "topK": "limit",
    "top_k": "limit",
}
"""Parameter names of other servers, which agents use by mistake, each with our name."""
_SYMBOL_NAMES = frozenset(
    {"class", "function", "identifier", "interface", "method", "symbol_name", "type"}
)
"""Names that agents use for the parameter with a symbol's name."""
_SUBJECTS = (
    *("query", "subject", "symbol", "name", "names", "symbols", "places", "paths"),
    *("type_name", "path", "place"),
)
"""Names of main parameters, by preference. If an agent uses a name that the tool lacks, the first
of these names that the tool has is meant."""
_PYTHON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
}

_PLACES = frozenset({"names", "path", "paths", "place", "places", "subject", "symbol"})
"""Parameters whose values may be paths as answers write them."""
_MAX_VALUE_LENGTH = 60
"""Most characters of a wrong value that an error quotes."""


def input_schema(
    parameters: Mapping[str, Parameter], *, hidden: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return the JSON schema of parameters; `hidden` parameters are accepted but not listed."""
    listed = {name: parameter for name, parameter in parameters.items() if name not in hidden}
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: _property(parameter) for name, parameter in listed.items()},
    }
    required = [name for name, parameter in listed.items() if parameter.is_required]
    return schema | ({"required": required} if required else {})


def _property(parameter: Parameter) -> dict[str, Any]:
    schema = dict(_type_schema(parameter))
    if parameter.help:
        schema["description"] = _help_text(parameter)
    if not parameter.is_required and parameter.default not in {None, "", 0, ()}:
        schema["default"] = parameter.default
    return schema


def _type_schema(parameter: Parameter) -> dict[str, Any]:
    if parameter.choices:
        return {"type": "string", "enum": list(parameter.choices)}
    item = type_schema(parameter.kind)
    return {"type": "array", "items": item} if parameter.is_list else item


def check_arguments(
    parameters: Mapping[str, Parameter], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return {parameter name: argument} of a call, converted to the parameters' types.

    `given` are the arguments as sent, in JSON or as the texts of URL parameters; a null counts as a
    missing one. Raises QueryError for an unknown, missing or invalid argument.
    """
    arguments: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        own = _resolve_alias(name, parameters)
        if own not in parameters:
            raise QueryError(_unknown_parameter(name, parameters))
        if own in arguments:
            raise QueryError(f"{name!r} and another name for it were both given: use {own!r}.")
        arguments[own] = _convert(own, value, _type_schema(parameters[own]))
    for name, parameter in parameters.items():
        if parameter.is_required and name not in arguments:
            raise QueryError(f"{name!r} is missing: {_help_text(parameter)}")
    return arguments


def _resolve_alias(name: str, parameters: Mapping[str, Parameter]) -> str:
    """Return the parameter that the name of an argument means, by the table of aliases.

    A name that is no alias is returned unchanged.
    """
    if name in parameters:
        return name
    own = ALIASES.get(name, name)
    if own not in parameters and name in {*_SUBJECTS, *_SYMBOL_NAMES}:
        return next((subject for subject in _SUBJECTS if subject in parameters), own)
    return own


def _unknown_parameter(name: str, parameters: Mapping[str, Parameter]) -> str:
    aliases = {alias: own for alias, own in ALIASES.items() if own in parameters}
    candidates = {own: own for own in parameters} | aliases
    near = difflib.get_close_matches(name, candidates, 1)
    hint = f"did you mean {candidates[near[0]]!r}? It" if near else "This tool"
    return f"There is no parameter {name!r}: {hint} takes {', '.join(parameters)}."


def _help_text(parameter: Parameter) -> str:
    """Return the help text of a parameter.

    For a required one, a clause like `; all if none` is removed.
    """
    text = parameter.help or "it has no default."
    return re.sub(r"[;,] [^;,]* if none\.$", ".", text) if parameter.is_required else text


def _convert(name: str, value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a value of the type in a JSON schema, for the argument `name`.

    A single text becomes a list if the schema wants one, and a text of a number or flag becomes
    that. Raises QueryError for a value of another type.
    """
    if schema["type"] == "array":
        items = [value] if isinstance(value, (str, dict)) else value
        if not isinstance(items, list):
            raise QueryError(f"{name!r} is {_abbreviate(value)}: give a list.")
        return tuple(_convert(name, item, schema["items"]) for item in items)
    if isinstance(value, str):  # many clients send numbers as texts
        value = _parse_text(_written_path(name, value), schema["type"])
    has_type = isinstance(value, _PYTHON_TYPES[schema["type"]])
    if not has_type or (isinstance(value, bool) and schema["type"] != "boolean"):
        raise QueryError(f"{name!r} is {_abbreviate(value)}: give {_article(schema['type'])}.")
    if "enum" in schema and value not in schema["enum"]:
        raise QueryError(
            f"{name!r} is {_abbreviate(value)}: use one of {', '.join(schema['enum'])}."
        )
    return value


def _written_path(name: str, text: str) -> str:
    """Return a value without the mark that stands for folders in answers.

    A path that limits a search becomes a glob, since it must match as a whole.
    """
    if name not in _PLACES or not text.startswith(SAME_FOLDER):
        return text
    rest = text.removeprefix(SAME_FOLDER)
    return f"**/{rest}" if name == "path" else rest


def _parse_text(text: str, kind: str) -> Any:
    """Return a text as a value of the JSON type `kind`, or unchanged if it is no such value."""
    if kind == "boolean":
        return {"true": True, "false": False}.get(text.lower(), text)
    if kind in {"integer", "number"}:
        with suppress(ValueError):
            return int(text) if kind == "integer" else float(text)
    return text


def _abbreviate(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_VALUE_LENGTH else f"{text[:_MAX_VALUE_LENGTH]}..."


def _article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeio" else f"a {kind}"
