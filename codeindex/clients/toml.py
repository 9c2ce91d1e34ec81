"""Changing one table of a TOML file.

A new table goes to the end and is taken from there as text, so that no comment changes its place;
what stands anywhere else is left to tomlkit.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from typing import Any

from codeindex.clients.text_edits import append_block, cut_block
from codeindex.errors import ConfigError

Keys = Sequence[str | int]
_MARK = "\ufeff"
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")


def value_at(text: str, path: Keys, *, name: str) -> Any:
    """Return the plain value at `path`, or None where there is none."""
    found: Any = _values(text, name)
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def put(text: str, path: Keys, value: object, *, name: str) -> str:
    """Set the value at `path`; what is missing on the way is made."""
    known = value_at(text, path, name=name)
    if known == value:
        return text
    if known is None and isinstance(value, dict):
        longer = append_block(text, _table(path, value))
        if _is_valid(longer, path, value):
            return longer
    return _edited(text, path, lambda table: table.update({path[-1]: value}), name=name)


def take(text: str, path: Keys, *, name: str) -> str:
    """Remove the entry at `path`, then whatever tables around it have become empty."""
    if value_at(text, path, name=name) is None:
        return text
    place = _lines_of(text, ".".join(map(str, path)))
    if place:
        shorter = cut_block(text, *place)
        if _without(_values(text, name), path) == _pruned_values(shorter, path):
            return shorter
    left = _edited(text, path, lambda table: table.pop(path[-1]), name=name)
    is_empty = len(path) > 1 and value_at(left, path[:-1], name=name) == {}
    return take(left, path[:-1], name=name) if is_empty else left


def _values(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix(_MARK))
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line = (place and place[1]) or text.count("\n") + 1
        what = _PLACE.sub("", str(error))
        raise ConfigError(f"{name}:{line} is not valid TOML ({what}); correct it.") from error


def _is_valid(text: str, path: Keys, value: object) -> bool:
    """Tell whether a table could be added so: one that is inline elsewhere may not be reopened."""
    try:
        return bool(value_at(text, path, name="") == value)
    except ConfigError:
        return False


def _pruned_values(text: str, path: Keys) -> dict[str, Any] | None:
    try:
        return _without(_values(text, ""), path)
    except ConfigError:
        return None


def _without(values: dict[str, Any], path: Keys) -> dict[str, Any]:
    """Return the values without the entry at `path` and without a table that it leaves empty."""
    key, *rest = map(str, path)
    inner = values.get(key)
    left = {name: value for name, value in values.items() if name != key}
    if rest and isinstance(inner, dict) and (kept := _without(inner, rest)):
        return {**left, key: kept}
    return left


def _lines_of(text: str, header: str) -> tuple[int, int] | None:
    """Find a table as we write it: from its header to its last line, subtables included."""
    at, start, end = 0, -1, -1
    for line in text.removeprefix(_MARK).splitlines(keepends=True):
        said = line.strip()
        if said == f"[{header}]":
            start = at
        elif start >= 0 and said.startswith("[") and not said.startswith(f"[{header}."):
            break
        at += len(line)
        if start >= 0 and said and not said.startswith("#"):
            end = at - len(line) + len(line.rstrip("\r\n"))
    offset = len(text) - len(text.removeprefix(_MARK))
    return (start + offset, end + offset) if start >= 0 else None


def _table(path: Keys, value: dict[str, Any]) -> str:
    import tomlkit

    document = tomlkit.document()
    outer: Any = document
    for key in path[:-1]:
        outer.add(key, tomlkit.table(is_super_table=True))
        outer = outer[key]
    outer.add(path[-1], value)
    return tomlkit.dumps(document).strip("\n")


def _edited(text: str, path: Keys, change: Callable[[Any], object], *, name: str) -> str:
    """Let tomlkit change the table around `path`; it writes plain line ends only."""
    import tomlkit

    mark = _MARK if text.startswith(_MARK) else ""
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
    if _without(_values(written, name), path) != _without(_values(plain, name), path):
        raise ConfigError(f"'{name}' cannot be changed without harm; see `codeindex init --print`.")
    return mark + (written.replace("\n", "\r\n") if is_crlf else written)
