"""What a detector is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

MARK = "[REDACTED]"
SECRET = "secret"
"""Name of the group that is taken out; a pattern without it loses the whole match."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Detector:
    """A kind of secret as data.

    Only lines that hold one of `needles` are searched, because finding a plain string is a hundred
    times faster than a pattern; without needles the pattern sees the whole text. A pattern never
    crosses a line, and takes time in proportion to the line whatever stands there: its runs are
    bounded, possessive, or cannot start inside one another.
    """

    rule: str
    pattern: re.Pattern[str]
    needles: tuple[str, ...] = ()
    accepts: Callable[[re.Match[str]], bool] | None = None
    certain: bool = True
    """Nothing else looks like this, so no repository may ask for it to be left in."""


def span_of(match: re.Match[str]) -> Span:
    """Return where the part stands that has to go."""
    return match.span(SECRET) if SECRET in match.re.groupindex else match.span()
