"""Change one table of a TOML file.

A new table is appended and removed as text, since tomlkit would move comments between tables. All
other changes, such as of inline tables, are made with tomlkit.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any

from codeindex.clients.text_edits import BYTE_ORDER_MARK, KeyPath, append_block, cut_block
from codeindex.errors import ConfigError

_ERROR_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")


def read_toml_value(text: str, path: KeyPath, *, name: str) -> Any:
    """Return the value at `path`, or None if it is missing.

    `name` is the file's name for error messages.
    """
    value: Any = _parse(text, name)
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def set_toml_value(text: str, path: KeyPath, value: object, *, name: str) -> str:
    """Return the text with `value` at `path`; missing tables on the way are created."""
    current = read_toml_value(text, path, name=name)
    if current == value:
        return text
    if current is None and isinstance(value, dict):
        appended = append_block(text, _format_table(path, value))
        if _is_valid(appended, path, value):
            return appended
    return _edit(text, path, lambda table: table.update({path[-1]: value}), name=name)


def prune_toml_entry(text: str, path: KeyPath, *, name: str) -> str:
    """Return the text without the entry at `path`, and without tables that are then empty."""
    if read_toml_value(text, path, name=name) is None:
        return text
    span = _table_span(text, ".".join(map(str, path)))
    if span:
        cut = cut_block(text, *span)
        if _values_without(_parse(text, name), path) == _values_after(cut, path):
            return cut
    remaining = _edit(text, path, lambda table: table.pop(path[-1]), name=name)
    is_empty = len(path) > 1 and read_toml_value(remaining, path[:-1], name=name) == {}
    return prune_toml_entry(remaining, path[:-1], name=name) if is_empty else remaining


def _parse(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix(BYTE_ORDER_MARK))
    except tomllib.TOMLDecodeError as error:
        match = _ERROR_PLACE.search(str(error))
        line = (match and match[1]) or text.count("\n") + 1
        what = _ERROR_PLACE.sub("", str(error))
        raise ConfigError(f"{name}:{line} is not valid TOML ({what}); correct it.") from error


def _is_valid(text: str, path: KeyPath, value: object) -> bool:
    """Return whether a text is valid TOML and has `value` at `path`."""
    try:
        return bool(read_toml_value(text, path, name="") == value)
    except ConfigError:
        return False


def _values_after(text: str, path: KeyPath) -> dict[str, Any] | None:
    try:
        return _values_without(_parse(text, ""), path)
    except ConfigError:
        return None


def _values_without(values: dict[str, Any], path: KeyPath) -> dict[str, Any]:
    """Return the values without the entry at `path`, and without tables that are then empty."""
    key, *rest = map(str, path)
    inner = values.get(key)
    others = {name: value for name, value in values.items() if name != key}
    if rest and isinstance(inner, dict) and (kept := _values_without(inner, rest)):
        return {**others, key: kept}
    return others


def _table_span(text: str, header: str) -> tuple[int, int] | None:
    """Return (start, end) of a table with its subtables in TOML text; None if it is missing.

    `header` is the table's name, such as `mcp_servers.codeindex`.
    """
    at, start, end = 0, -1, -1
    for line in text.removeprefix(BYTE_ORDER_MARK).splitlines(keepends=True):
        content = line.strip()
        if content == f"[{header}]":
            start = at
        elif start >= 0 and content.startswith("[") and not content.startswith(f"[{header}."):
            break
        at += len(line)
        if start >= 0 and content and not content.startswith("#"):
            end = at - len(line) + len(line.rstrip("\r\n"))
    offset = len(text) - len(text.removeprefix(BYTE_ORDER_MARK))
    return (start + offset, end + offset) if start >= 0 else None


def _format_table(path: KeyPath, value: dict[str, Any]) -> str:
    import tomlkit

    document = tomlkit.document()
    outer: Any = document
    for key in path[:-1]:
        outer.add(key, tomlkit.table(is_super_table=True))
        outer = outer[key]
    outer.add(path[-1], value)
    return tomlkit.dumps(document).strip("\n")


def _edit(text: str, path: KeyPath, change: Callable[[Any], object], *, name: str) -> str:
    """Parse a text, call `change` with the table that contains `path`, and return the new text.

    CRLF line ends are kept, although tomlkit does not write them.
    """
    import tomlkit

    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    is_crlf = text.count("\r\n") == text.count("\n") > 0
    plain = text.removeprefix(mark).replace("\r\n", "\n") if is_crlf else text.removeprefix(mark)
    try:
        document = tomlkit.parse(plain)
    except tomlkit.exceptions.TOMLKitError as error:
        raise ConfigError(f"{name} is not valid TOML ({error}); correct it.") from error
    table: Any = document
    for key in path[:-1]:
        table = table.setdefault(key, {})
        if not isinstance(table, dict):
            raise ConfigError(f"{name}: `{key}` should be a table; correct it.")
    change(table)
    written = tomlkit.dumps(document)
    if _values_without(_parse(written, name), path) != _values_without(_parse(plain, name), path):
        raise ConfigError(f"'{name}' cannot be changed safely; see `codeindex init --print`.")
    return mark + (written.replace("\n", "\r\n") if is_crlf else written)
