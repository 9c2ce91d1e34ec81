"""Parse the parameter and result types of a Go method from its signature."""

from __future__ import annotations

import re
from collections.abc import Iterator

_OPENING = "([{"
_BRACKET = re.compile(r"[][(){}]")
_BRACKET_OR_COMMA = re.compile(r"[][(){},]")
_PACKAGE = re.compile(r"\b\w+\.(?=\w)")
_NAMED = re.compile(r"(?!(?:chan|func|map|struct|interface)\b)\w+\s+\S")
"""Matches a parameter with a name and a type."""
_LONGEST = 290
"""Maximum characters: signatures are cut at 300, and a cut one cannot be compared."""


def shape_of(signature: str, name: str) -> tuple[str, ...] | None:
    """Return the shape of a method: its parameter types, `>`, and its result types.

    Return None if the signature was cut. Package qualifiers are dropped, because a type may be
    written with or without one. A function type is just `func`.
    """
    if len(signature) > _LONGEST:
        return None
    rest = signature.removeprefix("func").lstrip()
    if rest.startswith("("):  # the receiver
        rest = rest[_end(rest) :].lstrip()
    if not rest.startswith(f"{name}("):
        return None
    rest = rest[len(name) :]
    end = _end(rest)
    given = rest[end:].strip()
    results = given[1:-1] if given.startswith("(") and given.endswith(")") else given
    return (*_types(rest[1 : end - 1]), ">", *_types(results))


def _types(text: str) -> list[str]:
    """Return the type of each parameter in a list, where several names may share a type."""
    parts = list(_parts(text))
    if not any(map(_NAMED.match, parts)):
        return [_plain(part) for part in parts]
    types: list[str] = []
    for part in reversed(parts):
        named = _NAMED.match(part)
        types.append(_plain(part.split(maxsplit=1)[1]) if named or not types else types[-1])
    return types[::-1]


def _plain(text: str) -> str:
    if text.startswith("func("):
        return "func"
    bare = "".join(_PACKAGE.sub("", text).split())
    return "interface{}" if bare == "any" else bare


def _parts(text: str) -> Iterator[str]:
    """Yield the parts of a text that commas outside of brackets separate."""
    depth, start = 0, 0
    for bracket in _BRACKET_OR_COMMA.finditer(text):
        if bracket[0] != ",":
            depth += 1 if bracket[0] in _OPENING else -1
        elif not depth:
            yield text[start : bracket.start()].strip()
            start = bracket.end()
    if last := text[start:].strip():
        yield last


def _end(text: str) -> int:
    """Return the offset after the bracket that closes the first bracket of a text."""
    depth = 0
    for bracket in _BRACKET.finditer(text):
        depth += 1 if bracket[0] in _OPENING else -1
        if not depth:
            return bracket.end()
    return len(text)
