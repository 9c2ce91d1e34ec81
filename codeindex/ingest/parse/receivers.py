"""Find the last name of a receiver, which is the expression before the dot of a member call.

For `self.users.find()` it is `users`.
"""

from __future__ import annotations

import functools
import re

_LAST_NAME = re.compile(r"([^\W\d]\w*)\W*$")
_OPENING = {")": "(", "]": "[", "}": "{", ">": "<"}
_QUOTES = "\"'`"
_BLANK = " \n\t!?.:"


@functools.lru_cache(maxsize=4096)  # files call members of the same few receivers
def receiver_name(text: str) -> str:
    """Return the last name in a receiver's source, without arguments and indexes.

    It is `cache` for `self.cache`, `make_cache` for `make_cache(size)[0]`, and the first character
    of a literal. It is "" if the brackets at the end of the text are unbalanced.
    """
    rest = text.removesuffix("->").strip(_BLANK)
    while rest and rest[-1] in _OPENING:
        start = _start_of_group(rest)
        before = rest[:start].rstrip(_BLANK)
        if start < 0 or not before:
            inside = rest[1:-1].strip(_BLANK)
            if start < 0 or rest[0] != "(":
                return "" if start < 0 else rest[0]
            before = inside
        rest = before
    if rest and rest[-1] in _QUOTES:
        return rest[-1]
    if rest[:1].isdigit() and rest.isalnum():
        return "0"
    found = _LAST_NAME.search(rest)
    return found[1] if found else ""


def _start_of_group(text: str) -> int:
    """Return the index of the bracket that the last character closes; -1 if it closes none."""
    depth = 0
    closing, opening = text[-1], _OPENING[text[-1]]
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == closing) - (text[at] == opening)
        if not depth:
            return at
    return -1
