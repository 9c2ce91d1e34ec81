"""Parse SCIP symbols, such as `scip-python python click 8.4 core/Context#invoke().`."""

from __future__ import annotations

import re
from typing import NamedTuple

_LOCAL = "local "
_PACKAGE = re.compile(r"(?:(?:[^ ]|  )* ){4}")
"""Scheme, manager, name and version of the package; a space in one of them is doubled."""
_NAME = r"`(?:[^`]|``)*+`|[\w+$-]+"
_DESCRIPTOR = re.compile(
    rf"(?P<name>{_NAME})(?P<suffix>[/#.:!]|\([^()]*\)\.)|\[(?P<type>{_NAME})\]|\((?P<value>{_NAME})\)"
)
_SUFFIXES = {"/": "namespace", "#": "type", ".": "term", ":": "meta", "!": "macro"}


class ScipName(NamedTuple):
    """The last part of a SCIP symbol, with its kind and name; `owner` is the part before it.

    `kind` is `namespace`, `type`, `term`, `meta`, `macro`, `method`, `parameter`, `local`, or "" if
    the symbol is malformed.
    """

    kind: str
    name: str = ""
    owner: str = ""
    qualified: str = ""
    """The names of types, terms and methods, joined by dots, without namespaces."""


def parse_symbol(symbol: str) -> ScipName:
    """Parse a SCIP symbol; the kind of the result is "" if it is malformed."""
    if symbol.startswith(_LOCAL):
        return ScipName("local")
    package = _PACKAGE.match(symbol)
    parts = [
        _part(match) for match in _DESCRIPTOR.finditer(symbol, package.end() if package else 0)
    ]
    if not package or not parts:
        return ScipName("")
    kind, name = parts[-1]
    owner = parts[-2][1] if len(parts) > 1 else ""
    qualified = ".".join(text for part, text in parts if part != "namespace")
    return ScipName(kind, name, owner, qualified)


def _part(match: re.Match[str]) -> tuple[str, str]:
    raw = match["name"] or match["type"] or match["value"]
    name = raw[1:-1].replace("``", "`") if raw.startswith("`") else raw
    if not match["name"]:
        return "parameter", name
    return _SUFFIXES.get(match["suffix"], "method"), name
