"""Derive JSON schemas from types: of tools' answers, by return annotations, and of arguments.

No field of an answer is required: it may have rows in place of objects, shallow lists have no
documentation, and empty fields are not sent to agents.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
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
_SCALAR_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string", NoneType: "null"}
_COMMON_FIELDS: Schema = {
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
"""Fields that the answer of any tool may have besides the fields of its type."""
_DEFS = "#/$defs/"


@cache
def output_schema(call: Callable[..., Any]) -> Schema:
    """Return the JSON schema of a function's answers; those of classes in them are in `$defs`.

    The schema of a union has the fields of all members.
    """
    defs: dict[str, Schema] = {}
    hint = _return_hint(call)
    hint = get_args(hint)[0] if get_origin(hint) is Reply else hint
    kinds = [part for option in _union_members(hint) for part in _field_classes(option)]
    root = _object_schema(kinds, defs, common=_COMMON_FIELDS)
    return root | ({"$defs": defs} if defs else {})


def _return_hint(call: Callable[..., Any]) -> Any:
    """Return the type that a function's return annotation names.

    The annotation is a text, and may use names that are imported for type checkers only.
    """
    text: str = call.__annotations__["return"]
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    module = sys.modules[call.__module__]
    local = {name: load() for name, load in _type_imports(module).items() if name in names}
    holder = SimpleNamespace(__annotations__={"return": text})
    return get_type_hints(holder, vars(module), local, include_extras=True)["return"]


@cache
def _type_imports(module: ModuleType) -> Mapping[str, Callable[[], Any]]:
    """Return {name: function that imports it} for names imported for type checkers only."""
    return {
        alias.name: partial(_name_of, statement.module, alias.name)
        for block in ast.parse(inspect.getsource(module)).body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for statement in block.body
        if isinstance(statement, ast.ImportFrom) and statement.module
        for alias in statement.names
    }


def _name_of(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


def _union_members(hint: Any) -> Sequence[Any]:
    return get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)


def _field_classes(hint: Any) -> Sequence[Any]:
    """Return the classes that describe the fields of a type's values in JSON.

    For a report, it is the class that its `as_dict` returns.
    """
    if get_origin(hint) is Annotated:
        return get_args(hint)[1:]
    returned = _return_hint(hint.as_dict) if hasattr(hint, "as_dict") else dict
    return (hint,) if dict in {returned, get_origin(returned)} else _field_classes(returned)


def _object_schema(kinds: Sequence[Any], defs: dict[str, Schema], *, common: Schema) -> Schema:
    """Return the schema of an object with the fields of all classes in `kinds`.

    The fields in `common` are added. Schemas of classes are added to `defs`.
    """
    properties: dict[str, list[Schema]] = {}
    for kind in kinds:
        for name, hint in get_type_hints(kind, include_extras=True).items():
            properties.setdefault(name, []).append(_schema(hint, defs))
    for name, schema in common.items():
        properties.setdefault(name, []).append(schema)
    merged = {name: _any_of(schemas) for name, schemas in properties.items()}
    return {"type": "object", "properties": merged}


def type_schema(kind: Any) -> Schema:
    """Return the JSON schema of an argument of the type `kind`, a scalar or a TypedDict."""
    if not is_typeddict(kind):
        return _schema(kind, {})
    required = sorted(vars(kind)["__required_keys__"])
    return _object_schema([kind], {}, common={}) | {"required": required}


def _schema(hint: Any, defs: dict[str, Schema]) -> Schema:
    """Return the schema for a type annotation; add the schemas of classes to `defs`."""
    origin = get_origin(hint)
    if isinstance(hint, NewType):
        return _schema(hint.__supertype__, defs)
    if origin in {Union, UnionType}:
        return _any_of([_schema(option, defs) for option in get_args(hint)])
    if origin is Literal:
        return {"type": "string", "enum": list(get_args(hint))}
    if origin is Annotated:
        return _schema(get_args(hint)[1], defs)
    if is_dataclass(hint) or is_typeddict(hint):
        name = hint.__name__
        if name not in defs:
            defs[name] = {}  # a class may contain itself
            defs[name] = _object_schema([hint], defs, common={})
        return {"$ref": f"{_DEFS}{name}"}
    return {} if hint is Any else _class_schema(origin or hint, get_args(hint), defs)


def _class_schema(kind: type, arguments: Sequence[Any], defs: dict[str, Schema]) -> Schema:
    for plain, name in _SCALAR_TYPES.items():
        if issubclass(kind, plain):
            return {"type": name}
    hints = [hint for hint in arguments if hint is not Ellipsis]
    inner = [schema for hint in hints if (schema := _schema(hint, defs))]
    if issubclass(kind, Mapping):
        return {"type": "object"} | ({"additionalProperties": inner[1]} if inner[1:] else {})
    return {"type": "array"} | ({"items": _any_of(inner)} if inner else {})


def _any_of(schemas: Sequence[Schema]) -> Schema:
    """Return a schema that accepts what any of the given schemas accepts."""
    distinct = [
        schema for position, schema in enumerate(schemas) if schema not in schemas[:position]
    ]
    if len(distinct) == 1:
        return distinct[0]
    if all(set(schema) == {"type"} for schema in distinct):
        return {"type": [schema["type"] for schema in distinct]}
    return {"anyOf": distinct}
