"""Take texts of parameters and types apart, as signatures write them."""

from __future__ import annotations

import re

DEFAULT_SIGN = re.compile(r"(?<![=!<>])=(?![=>])")
"""The sign between a parameter and its default value."""
ANGLES = re.compile(r"<[^<>]*>")
"""Innermost angle brackets, with type arguments."""


def without_default(parameter: str) -> str:
    """Return the text of a parameter without its default value."""
    return DEFAULT_SIGN.split(parameter, maxsplit=1)[0].strip()


def without_nested(brackets: re.Pattern[str], text: str) -> str:
    """Remove all matches of `brackets`, which matches innermost brackets, until none is left."""
    previous = ""
    while previous != text:
        previous, text = text, brackets.sub("", text)
    return text
