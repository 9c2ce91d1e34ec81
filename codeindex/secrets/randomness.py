"""Does a value look random? For places that do not tell a password from a role or an address."""

from __future__ import annotations

import re

from codeindex.secrets.value_tests import is_placeholder

_SHORTEST = 8  # characters
_FEWEST_CLASSES = 3
_CLASSES = tuple(map(re.compile, ("[a-z]", "[A-Z]", "[0-9]", "[!@#$%^&*+?]")))
_SIGNS = re.compile(r"[A-Za-z0-9!@#$%^&*+?]+")
"""No separators of names, versions, addresses, paths and times, and no `=` of an encoded text."""
_WORD = re.compile(r"[a-z]{4}|[A-Z]{4}")
_DIGITS = re.compile(r"[0-9]+")
_FEWEST_NUMBERS = 2


def looks_generated(match: re.Match[str]) -> bool:
    """Accept the secret of a match by its look alone: three classes of characters, and no word."""
    value = match["secret"]
    if len(value) < _SHORTEST or not _SIGNS.fullmatch(value) or _WORD.search(value):
        return False
    if is_placeholder(value):
        return False
    classes = sum(bool(one.search(value)) for one in _CLASSES)
    return classes >= _FEWEST_CLASSES and len(_DIGITS.findall(value)) >= _FEWEST_NUMBERS
