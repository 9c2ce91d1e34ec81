"""Detectors of patterns that are written in rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from codeindex.secrets._base import Detector, Span
from codeindex.secrets.names import ANY_KEY, KEY, KEY_NEEDLES, LOGIN, OTHER, TAIL

Reach = Callable[[re.Match[str]], Iterable[Span]]


class Row(NamedTuple):
    """A rule, its pattern and judge, and what stands in the line before the name it begins with."""

    rule: str
    pattern: str
    needles: tuple[str, ...]
    accepts: Callable[[re.Match[str]], bool]
    lead: str = ""


FLAGS = re.ASCII | re.IGNORECASE | re.MULTILINE
_NAMES = {
    name: re.compile(rf"{name}s?{TAIL}(?!\w)", FLAGS) for name in (ANY_KEY, LOGIN, KEY, OTHER)
}


def begins(pattern: str) -> re.Pattern[str] | None:
    """Return the name that a pattern begins with, if it does; no word goes on behind it."""
    plain = pattern.removeprefix("(?P<name>")
    return next((one for name, one in _NAMES.items() if plain.startswith(name)), None)


def lead(pattern: str) -> re.Pattern[str] | None:
    """Compile what stands in the line before a match."""
    return re.compile(rf"(?:{pattern})\Z", FLAGS) if pattern else None


def detectors(
    rows: Iterable[Row],
    *,
    keys_within: re.Pattern[str],
    within: re.Pattern[str] | None = None,
    reach: Reach | None = None,
) -> Iterator[Detector]:
    """Yield a detector a row, which looks at lines with `within`, else of keys `keys_within`."""
    for row in rows:
        yield Detector(
            row.rule,
            re.compile(row.pattern, FLAGS),
            row.needles,
            row.accepts,
            within=within or (keys_within if row.needles == KEY_NEEDLES else None),
            begins=begins(row.pattern),
            lead=lead(row.lead),
            reach=reach,
        )
