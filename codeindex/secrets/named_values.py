"""Builds detectors from rows: a rule, a pattern for a name with its value, a value test."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from codeindex.secrets.detector import Detector, LazyPattern, SecretNamePattern, Span
from codeindex.secrets.name_patterns import (
    API_KEY_NAME,
    KEY_NAME,
    KEY_NAME_END,
    KEY_NEEDLES,
    KEY_QUALIFIERS,
    NAME_SUFFIX,
    PASSWORD_NAME,
    PASSWORD_NAME_END,
)

SpanFinder = Callable[[re.Match[str]], Iterable[Span]]


class ValuePattern(NamedTuple):
    """The parts from which a detector is built.

    `pattern` starts with the name of a secret, and each match contains one of `needles`. `accepts`
    tells whether the matched value is a secret. `line_prefix` matches the text before the name in
    its line; "" means any text. For `reads_lines` see `Detector`.
    """

    rule: str
    pattern: str
    needles: tuple[str, ...]
    accepts: Callable[[re.Match[str]], bool]
    line_prefix: str = ""
    reads_lines: bool = False


FLAGS = re.ASCII | re.IGNORECASE | re.MULTILINE


def _called(name: str, end: str) -> tuple[LazyPattern, LazyPattern]:
    """Return (pattern of a whole name, pattern of its end), both with allowed suffixes."""
    behind = rf"s?{NAME_SUFFIX}(?!\w)"
    return LazyPattern(name + behind, FLAGS), LazyPattern(end + behind, FLAGS)


_LOGIN = SecretNamePattern(*_called(PASSWORD_NAME, PASSWORD_NAME_END))
_KEY = SecretNamePattern(*_called(KEY_NAME, KEY_NAME_END), word="key", before=KEY_QUALIFIERS)


def leading_name(pattern: str) -> SecretNamePattern | None:
    """Return the name pattern with which a detector's pattern starts; None without one.

    Detectors that start with the same name pattern share one search for it.
    """
    plain = pattern.removeprefix("(?P<name>")
    if plain.startswith(PASSWORD_NAME):
        return _LOGIN
    return _KEY if plain.startswith((KEY_NAME, "salt")) else None


_API_KEY = re.compile(rf"(?:secret[_.-]?)?{API_KEY_NAME}", FLAGS)


def _key_rule(match: re.Match[str]) -> str:
    """Return the rule that a matched key belongs to by its name: `api_key` or `secret`.

    One pattern matches both.
    """
    return "api_key" if _API_KEY.match(match.string, match.start()) else "secret"


def line_prefix_pattern(pattern: str) -> LazyPattern | None:
    """Return a pattern that must match the line's text before a match; None for ""."""
    return LazyPattern(rf"(?:{pattern})\Z", FLAGS) if pattern else None


def build_detectors(
    rows: Iterable[ValuePattern],
    *,
    key_line_filter: re.Pattern[str],
    line_filter: re.Pattern[str] | None = None,
    find_spans: SpanFinder | None = None,
) -> Iterator[Detector]:
    """Yield a detector for each row.

    It searches only lines that match `line_filter`; if that is None, the lines of rows for keys
    must match `key_line_filter`. `find_spans` replaces the usual way to find the value in a match.
    """
    for row in rows:
        yield Detector(
            row.rule,
            LazyPattern(row.pattern, FLAGS),
            row.needles,
            row.accepts,
            line_filter=line_filter or (key_line_filter if row.needles == KEY_NEEDLES else None),
            starts_with=leading_name(row.pattern),
            line_prefix=line_prefix_pattern(row.line_prefix),
            near_line_start=row.line_prefix.startswith("^"),
            find_rule=_key_rule if row.rule == "secret" else None,
            find_spans=find_spans,
            reads_lines=row.reads_lines,
        )
