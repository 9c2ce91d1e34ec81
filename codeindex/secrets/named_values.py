"""Detectors of patterns that are written in rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from codeindex.secrets.detector import Detector, SecretName, Span
from codeindex.secrets.name_patterns import (
    ANY_KEY,
    BEFORE_KEY,
    KEY,
    KEY_END,
    KEY_NEEDLES,
    LOGIN,
    LOGIN_END,
    TAIL,
)

SpanFinder = Callable[[re.Match[str]], Iterable[Span]]


class ValuePattern(NamedTuple):
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


_LOGIN = SecretName(*_called(LOGIN, LOGIN_END))
_KEY = SecretName(*_called(ANY_KEY, KEY_END), word="key", before=BEFORE_KEY)


def leading_name(pattern: str) -> SecretName | None:
    """Return the name that a pattern begins with, if it does."""
    plain = pattern.removeprefix("(?P<name>")
    if plain.startswith(LOGIN):
        return _LOGIN
    return _KEY if plain.startswith((ANY_KEY, "salt")) else None


_API_KEY = re.compile(rf"(?:secret[_.-]?)?{KEY}", FLAGS)


def _kind(match: re.Match[str]) -> str:
    return "api_key" if _API_KEY.match(match.string, match.start()) else "secret"


def compile_lead(pattern: str) -> re.Pattern[str] | None:
    """Compile what stands in the line before a match."""
    return re.compile(rf"(?:{pattern})\Z", FLAGS) if pattern else None


def build_detectors(
    rows: Iterable[ValuePattern],
    *,
    keys_within: re.Pattern[str],
    within: re.Pattern[str] | None = None,
    reach: SpanFinder | None = None,
) -> Iterator[Detector]:
    """Yield a detector a row, which looks at lines with `within`, else of keys `keys_within`."""
    for row in rows:
        yield Detector(
            row.rule,
            re.compile(row.pattern, FLAGS),
            row.needles,
            row.accepts,
            within=within or (keys_within if row.needles == KEY_NEEDLES else None),
            begins=leading_name(row.pattern),
            lead=compile_lead(row.lead),
            first=row.lead.startswith("^"),
            kind=_kind if row.rule == "secret" else None,
            reach=reach,
        )
