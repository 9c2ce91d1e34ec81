"""Tests whether a value looks random; used where context cannot tell passwords from roles."""

from __future__ import annotations

import re

from codeindex.secrets.value_tests import is_placeholder

_SHORTEST = 8  # characters, as of the shortest generated passwords
_FEWEST_CLASSES = 3
_CLASSES = tuple(map(re.compile, ("[a-z]", "[A-Z]", "[0-9]", "[!@#$%^&*+?]")))
_CHARACTERS = re.compile(r"[A-Za-z0-9!@#$%^&*+?]+")
"""Characters of a random value: no separators (of names, versions, URLs, paths, times), and no `=`,
which ends base64."""
_WORD = re.compile(r"[a-z]{4}|[A-Z]{4}")
_DIGITS = re.compile(r"[0-9]+")
_FEWEST_DIGIT_RUNS = 2


def looks_generated(match: re.Match[str]) -> bool:
    """Tell whether a value looks random: three character classes, two runs of digits, no word."""
    value = match["secret"]
    if len(value) < _SHORTEST or not _CHARACTERS.fullmatch(value) or _WORD.search(value):
        return False
    if is_placeholder(value):
        return False
    classes = sum(bool(pattern.search(value)) for pattern in _CLASSES)
    return classes >= _FEWEST_CLASSES and len(_DIGITS.findall(value)) >= _FEWEST_DIGIT_RUNS
