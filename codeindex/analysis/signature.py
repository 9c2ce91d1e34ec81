"""Split a signature into the text of its parameter types and of its return type."""

from __future__ import annotations

import re
from typing import NamedTuple

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_TYPE_FIRST = frozenset({"c", "cpp", "csharp", "java", "dart"})
"""Languages that write the return type before the name."""
_AFTER_RETURN_TYPE = re.compile(r"\bthrows\b|\bwhere\b|\{|=(?!>)|:\s*$|\s:\s(?=\w+\()")
"""What follows a return type: exceptions, bounds, the body, initialisers."""


class SignatureTypes(NamedTuple):
    """Text of the parameters and of the return type; either may be empty."""

    takes: str
    gives: str


def signature_types(signature: str, name: str, language: str) -> SignatureTypes:
    """Split a signature of a language at its parameter list."""
    if language == "haskell":
        *taken, text = _split_top_level(signature.partition("::")[2], "->")
        return SignatureTypes(" ".join(taken), text)
    at = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", signature)
    if at is None:
        return SignatureTypes("", "")
    before, after = signature[: at.start()], signature[at.end() :]
    opening = _find_parameters(after)
    if opening < 0:
        return SignatureTypes(
            "", before if language in _TYPE_FIRST else _cut_return_type(after, language)
        )
    closing = _find_closing(after, opening)
    while closing < len(after) and after[closing : closing + 1] == "(":  # Scala's further lists
        closing = _find_closing(after, closing)
    text = _cut_return_type(after[closing:], language)
    takes = _drop_defaults(after[opening:closing])
    return SignatureTypes(takes, f"{before} {text}" if language in _TYPE_FIRST else text)


def _find_parameters(text: str) -> int:
    """Return the offset of the parameter list, after type parameters; -1 without one."""
    depth = 0
    for at, character in enumerate(text):
        if character == "(" and depth == 0:
            return at
        depth += (character in "<[") - (character in ">]")
        if character in "={" and depth == 0 and "(" not in text[at:]:
            return -1
    return -1


def _find_closing(text: str, opening: int) -> int:
    """Return the position after the bracket that closes the one at `opening`, or the end."""
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] in _BRACKETS) - (text[at] in _BRACKETS.values())
        if depth == 0:
            return at + 1
    return len(text)


def _drop_defaults(parameters: str) -> str:
    """Remove default values: only types matter here."""
    characters, depth, dropped_at = [], 0, -1
    for at, character in enumerate(parameters):
        depth += (character in _BRACKETS) - (character in _BRACKETS.values())
        around = parameters[at - 1 : at] + parameters[at + 1 : at + 2]
        if dropped_at < 0 and character == "=" and not set(around) & set("=<>!"):
            dropped_at = depth
        elif depth < dropped_at or (depth == dropped_at and character == ","):
            dropped_at = -1
        if dropped_at < 0:
            characters.append(character)
    return "".join(characters)


def _cut_return_type(text: str, language: str) -> str:
    if language == "python":
        return text.partition(":")[0]
    return (
        _AFTER_RETURN_TYPE.split(text, maxsplit=1)[0] if not text.lstrip().startswith("=") else ""
    )


def _split_top_level(text: str, separator: str) -> list[str]:
    """Split at separators outside of brackets; drop a Haskell context before `=>`."""
    parts, depth, start = [], 0, 0
    text = text.rpartition("=>")[2]
    for at, character in enumerate(text):
        depth += (character in _BRACKETS) - (character in _BRACKETS.values())
        if depth == 0 and text.startswith(separator, at):
            parts.append(text[start:at])
            start = at + len(separator)
    return [*parts, text[start:]]
