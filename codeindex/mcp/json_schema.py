"""JSON schemas of what tools answer, read off annotations: of their functions and of reports.

Nothing is required: rows take the place of objects where they are asked for, shallow lists have no
documentation, and agents are not sent what is empty.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache, partial
from importlib import import_module
from types import ModuleType, NoneType, SimpleNamespace, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NewType,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from codeindex.mcp.reply import Reply

Schema = dict[str, Any]
_PLAIN = {bool: "boolean", int: "integer", float: "number", str: "string", NoneType: "null"}
_ANYWAY: Schema = {
    "note": {"type": "string"},
    "truncated": {"type": "boolean"},
    "each": {"type": "object", "additionalProperties": {"type": "object"}},
    "in_tests": {"type": "object", "additionalProperties": {"type": "object"}},
    "left_out": {"type": "object", "additionalProperties": {"type": "integer"}},
    "columns": {"type": "array", "items": {"type": "string"}},
    "rows": {"type": "array", "items": {"type": "array"}},
    "answers": {"type": "object", "additionalProperties": {"type": "object"}},
    "failed": {"type": "object", "additionalProperties": {"type": "string"}},
}
"""What an answer of any tool may hold besides its own."""
_DEFS = "#/$defs/"


@cache
def output_schema(call: Callable[..., Any]) -> Schema:
    """Return the schema of what a function answers; of several kinds, of all of them at once."""
    defs: dict[str, Schema] = {}
    hint = _returned(call)
    hint = get_args(hint)[0] if get_origin(hint) is Reply else hint
    kinds = [part for one in _options(hint) for part in _parts(one)]
    root = _object(kinds, defs, beside=_ANYWAY)
    times = Counter(_referred([root, *defs.values()]))
    once = {name: one for name, one in defs.items() if times[name] == 1}
    often = {name: _inlined(one, once) for name, one in defs.items() if name not in once}
    whole: Schema = _inlined(root, once)
    return whole | ({"$defs": often} if often else {})


def _returned(call: Callable[..., Any]) -> Any:
    """Resolve what a function's annotation, which is text here, says that it gives."""
    text: str = call.__annotations__["return"]
    names = {one.id for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Name)}
    of = sys.modules[call.__module__]
    local = {name: at() for name, at in _for_types(of).items() if name in names}
    said = SimpleNamespace(__annotations__={"return": text})
    return get_type_hints(said, vars(of), local, include_extras=True)["return"]


@cache
def _for_types(module: ModuleType) -> Mapping[str, Callable[[], Any]]:
    """Return what imports the names that a module imports for type checkers alone."""
    return {
        name.name: partial(_name_of, one.module, name.name)
        for block in ast.parse(inspect.getsource(module)).body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for one in block.body
        if isinstance(one, ast.ImportFrom) and one.module
        for name in one.names
    }


def _name_of(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


def _options(hint: Any) -> Sequence[Any]:
    return get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)


def _parts(hint: Any) -> Sequence[Any]:
    """Return the classes that a hint takes its fields from; of a report, as `as_dict` says."""
    if get_origin(hint) is Annotated:
        return get_args(hint)[1:]
    shown = _returned(hint.as_dict) if hasattr(hint, "as_dict") else dict
    return (hint,) if dict in {shown, get_origin(shown)} else _parts(shown)


def _object(kinds: Sequence[Any], defs: dict[str, Schema], *, beside: Schema) -> Schema:
    """Return the schema of one object with the fields of all these classes."""
    properties: dict[str, list[Schema]] = {}
    for kind in kinds:
        for name, hint in get_type_hints(kind, include_extras=True).items():
            properties.setdefault(name, []).append(_schema(hint, defs))
    for name, schema in beside.items():
        properties.setdefault(name, []).append(schema)
    found = {name: _either(schemas) for name, schemas in properties.items()}
    return {"type": "object", "properties": found}


def _schema(hint: Any, defs: dict[str, Schema]) -> Schema:
    """Return the schema of a value; that of a class goes to `defs`."""
    origin = get_origin(hint)
    if isinstance(hint, NewType):
        return _schema(hint.__supertype__, defs)
    if origin in {Union, UnionType}:
        return _either([_schema(one, defs) for one in get_args(hint)])
    if origin is Literal:
        return {"type": "string", "enum": list(get_args(hint))}
    if origin is Annotated:
        return _schema(get_args(hint)[1], defs)
    if is_dataclass(hint) or is_typeddict(hint):
        name = hint.__name__
        if name not in defs:
            defs[name] = {}  # it may have itself within
            defs[name] = _object([hint], defs, beside={})
        return {"$ref": f"{_DEFS}{name}"}
    return {} if hint is Any else _of_class(origin or hint, get_args(hint), defs)


def _of_class(kind: type, holding: Sequence[Any], defs: dict[str, Schema]) -> Schema:
    for plain, name in _PLAIN.items():
        if issubclass(kind, plain):
            return {"type": name}
    inner = [found for one in holding if one is not Ellipsis and (found := _schema(one, defs))]
    if issubclass(kind, Mapping):
        return {"type": "object"} | ({"additionalProperties": inner[1]} if inner[1:] else {})
    return {"type": "array"} | ({"items": _either(inner)} if inner else {})


def _either(schemas: Sequence[Schema]) -> Schema:
    """Return what takes a value of any of these schemas."""
    known = [one for at, one in enumerate(schemas) if one not in schemas[:at]]
    if len(known) == 1:
        return known[0]
    if all(set(one) == {"type"} for one in known):
        return {"type": [one["type"] for one in known]}
    return {"anyOf": known}


def _referred(schema: Any) -> Iterator[str]:
    """Yield the names that a schema refers to, each as often as it does."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].removeprefix(_DEFS)
        schema = list(schema.values())
    for one in schema if isinstance(schema, list) else ():
        yield from _referred(one)


def _inlined(schema: Any, named: Mapping[str, Schema]) -> Any:
    """Put schemas in the place of their names."""
    if isinstance(schema, dict):
        name = schema.get("$ref", "").removeprefix(_DEFS)
        if name in named:
            return _inlined(named[name], named)
        return {key: _inlined(one, named) for key, one in schema.items()}
    return [_inlined(one, named) for one in schema] if isinstance(schema, list) else schema
