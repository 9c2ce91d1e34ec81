"""Detectors of patterns that are written in rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from codeindex.secrets._base import Detector, Name, Span
from codeindex.secrets.names import (
    ANY_KEY,
    BEFORE_KEY,
    KEY,
    KEY_END,
    KEY_NEEDLES,
    LOGIN,
    LOGIN_END,
    TAIL,
)

Reach = Callable[[re.Match[str]], Iterable[Span]]


class Row(NamedTuple):
    """A rule, its pattern and judge, and what stands in the line before the name it begins with."""

    rule: str
    pattern: str
    needles: tuple[str, ...]
    accepts: Callable[[re.Match[str]], bool]
    lead: str = ""


FLAGS = re.ASCII | re.IGNORECASE | re.MULTILINE


def _called(name: str, end: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Compile a name that no word goes on behind, and its end."""
    behind = rf"s?{TAIL}(?!\w)"
    return re.compile(name + behind, FLAGS), re.compile(end + behind, FLAGS)


_LOGIN = Name(*_called(LOGIN, LOGIN_END))
_KEY = Name(*_called(ANY_KEY, KEY_END), word="key", before=BEFORE_KEY)


def begins(pattern: str) -> Name | None:
    """Return the name that a pattern begins with, if it does."""
    plain = pattern.removeprefix("(?P<name>")
    if plain.startswith(LOGIN):
        return _LOGIN
    return _KEY if plain.startswith((ANY_KEY, "salt")) else None


_API_KEY = re.compile(rf"(?:secret[_.-]?)?{KEY}", FLAGS)


def _kind(match: re.Match[str]) -> str:
    return "api_key" if _API_KEY.match(match.string, match.start()) else "secret"


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
            first=row.lead.startswith("^"),
            kind=_kind if row.rule == "secret" else None,
            reach=reach,
        )
