"""What a tool takes, read off the signature of what it calls, and what was given, checked."""

from __future__ import annotations

import ast
import difflib
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

from codeindex.api.tools import PARAMETERS
from codeindex.api.wiki_given import ContradictionDict, FailureDict
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
"""Names that other servers and hurried agents use for what is called otherwise here."""
_NAMES = frozenset(
    {"class", "function", "identifier", "interface", "method", "symbol_name", "type"}
)
"""What agents call a symbol when they think of what it is."""
_SUBJECTS = (
    *("query", "subject", "symbol", "name", "names", "symbols", "places", "paths"),
    *("type_name", "path", "place"),
)
"""What a tool may call the thing that it is asked about, in the order in which one stands for
another; any of these is understood by a tool that takes one of them."""


def _object(kind: type) -> dict[str, Any]:
    """Return the schema of a TypedDict of texts and lists of texts."""
    text = {"type": "string"}
    hints = get_type_hints(kind)
    needed = sorted(kind.__required_keys__)  # type: ignore[attr-defined]
    return {
        "type": "object",
        "properties": {
            name: text if hint is str else {"type": "array", "items": text}
            for name, hint in hints.items()
        },
        "required": needed,
    }


_TYPES: dict[str, dict[str, Any]] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "tuple[str, ...]": {"type": "array", "items": {"type": "string"}},
    "tuple[float, ...]": {"type": "array", "items": {"type": "number"}},
    "Scope": {"type": "object"},
    "tuple[ContradictionDict, ...]": {"type": "array", "items": _object(ContradictionDict)},
    "tuple[FailureDict, ...]": {"type": "array", "items": _object(FailureDict)},
}
_CHECKED: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
}


def parameters(call: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return what a tool's function takes beside what it is a tool of."""
    return dict(list(inspect.signature(call).parameters.items())[1:])


def input_schema(
    taken: Mapping[str, inspect.Parameter], *, hidden: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return the JSON schema of parameters; `hidden` ones are accepted, but not spoken of."""
    shown = {name: one for name, one in taken.items() if name not in hidden}
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: _property(one) for name, one in shown.items()},
    }
    required = [name for name, one in shown.items() if one.default is inspect.Parameter.empty]
    return schema | ({"required": required} if required else {})


def _property(one: inspect.Parameter) -> dict[str, Any]:
    found = dict(_type(str(one.annotation)))
    if text := PARAMETERS.get(one.name):
        found["description"] = _needed(text) if one.default is one.empty else text
    if one.default not in {inspect.Parameter.empty, None, "", 0, ()}:
        found["default"] = one.default
    return found


def _type(annotation: str) -> dict[str, Any]:
    """Read an annotation, which is text here: choices are literals."""
    plain = annotation.removesuffix(" | None")
    if plain.startswith("Literal["):
        return {"type": "string", "enum": list(ast.literal_eval(f"({plain[8:-1]},)"))}
    return _TYPES[plain]


def checked(taken: Mapping[str, inspect.Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments under their own names and of their own types; QueryError says what is wrong.

    Nulls are as if they had not been given.
    """
    arguments: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        own = name if name in taken else _meant(name, taken)
        if own not in taken:
            raise QueryError(_unknown(name, taken))
        if own in arguments:
            raise QueryError(f"{name!r} and another name for it were both given: use {own!r}.")
        arguments[own] = _value(own, value, _type(str(taken[own].annotation)))
    missing = [
        name
        for name, one in taken.items()
        if one.default is inspect.Parameter.empty and name not in arguments
    ]
    if missing:
        raise QueryError(f"{missing[0]!r} is missing: {_described(missing[0])}")
    return arguments


def _meant(name: str, taken: Mapping[str, inspect.Parameter]) -> str:
    """Return the parameter that another name for it means; the name itself if there is none."""
    own = ALIASES.get(name, name)
    if own not in taken and name in {*_SUBJECTS, "place", *_NAMES}:
        return next((one for one in (*_SUBJECTS, "place") if one in taken), own)
    return own


def _unknown(name: str, taken: Mapping[str, inspect.Parameter]) -> str:
    known = {one: one for one in taken} | {a: own for a, own in ALIASES.items() if own in taken}
    near = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {known[near[0]]!r}? It" if near else "This tool"
    return f"There is no parameter {name!r}: {hint} takes {', '.join(taken)}."


def _described(name: str) -> str:
    return _needed(PARAMETERS.get(name, "it has no default."))


def _needed(text: str) -> str:
    """Leave out what a parameter would be if it were not given, where it has to be."""
    return re.sub(r"[;,] [^;,]* if none\.$", ".", text)


def _value(name: str, value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a value as the call wants it: one text in place of a list of one is fine."""
    if schema["type"] == "array":
        items = [value] if isinstance(value, (str, dict)) else value
        if not isinstance(items, list):
            raise QueryError(f"{name!r} is {_shown(value)}: give a list.")
        return tuple(_value(name, one, schema["items"]) for one in items)
    right = isinstance(value, _CHECKED[schema["type"]])
    if not right or (isinstance(value, bool) and schema["type"] != "boolean"):
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
