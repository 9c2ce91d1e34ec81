"""Split a signature into the texts of its parameters and of its return type."""

from __future__ import annotations

import re
from typing import NamedTuple

from codeindex.languages import LANGUAGES

_BRACKETS = {"(": ")", "[": "]", "{": "}"}


class SignatureTypes(NamedTuple):
    """The parameters and the return type in a signature, as texts; each may be ''."""

    takes: str
    gives: str


def signature_types(signature: str, name: str, language: str) -> SignatureTypes:
    """Split the signature of the symbol `name` into parameters and return type."""
    rules = LANGUAGES[language]
    if rules.signature_types:
        return SignatureTypes(*rules.signature_types(signature))
    at = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", signature)
    if at is None:
        return SignatureTypes("", "")
    before, after = signature[: at.start()], signature[at.end() :]
    opening = _find_parameters(after)
    if opening < 0:
        return SignatureTypes(
            "", before if rules.result_first else rules.result_end.split(after, maxsplit=1)[0]
        )
    closing = _find_closing(after, opening)
    while closing < len(after) and after[closing : closing + 1] == "(":  # Scala: several lists
        closing = _find_closing(after, closing)
    text = rules.result_end.split(after[closing:], maxsplit=1)[0]
    takes = _drop_defaults(after[opening:closing])
    return SignatureTypes(takes, f"{before} {text}" if rules.result_first else text)


def _find_parameters(text: str) -> int:
    """Return the offset of the parameter list, which comes after type parameters; -1 if none."""
    depth = 0
    for at, character in enumerate(text):
        if character == "(" and depth == 0:
            return at
        depth += (character in "<[") - (character in ">]")
        if character in "={" and depth == 0 and "(" not in text[at:]:
            return -1
    return -1


def _find_closing(text: str, opening: int) -> int:
    """Return the offset after the bracket that closes the one at `opening`.

    If it is not closed, return the length of the text.
    """
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] in _BRACKETS) - (text[at] in _BRACKETS.values())
        if depth == 0:
            return at + 1
    return len(text)


def _drop_defaults(parameters: str) -> str:
    """Return the parameters without their default values, which are not types."""
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
