"""What a detector is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

MARK = "[REDACTED]"
GROUP = "secret"
"""Name of the group that is taken out; a pattern without it loses the whole match."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Detector:
    """A kind of secret as data.

    A pattern that begins with plain characters is searched for in the whole text, at a gigabyte a
    second. Any other sees only the lines that hold one of its `needles`. No pattern crosses a
    line, and each takes time in proportion to the text whatever stands there: its runs are
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
    return match.span(GROUP) if GROUP in match.re.groupindex else match.span()
