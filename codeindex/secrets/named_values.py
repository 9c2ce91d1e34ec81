"""Builds detectors from rows: a rule, a pattern for a name with its value, a value test."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from codeindex.secrets.detector import FLAGS, Detector, LazyPattern
from codeindex.secrets.name_patterns import API_KEY_NAME, KEY_NEEDLES


class ValuePattern(NamedTuple):
    """The parts from which a detector is built.

    Each match of `pattern` contains one of `needles`. `accepts` tells whether the matched value is
    a secret. For the others see `Detector`.
    """

    rule: str
    pattern: str
    needles: tuple[str, ...]
    accepts: Callable[[re.Match[str]], bool]
    line_prefix: str = ""
    reads_lines: bool = False


_API_KEY = re.compile(rf"(?:secret[_.-]?)?{API_KEY_NAME}", FLAGS)


def _key_rule(match: re.Match[str]) -> str:
    """Return the rule that a matched key belongs to by its name: `api_key` or `secret`.

    One pattern matches both.
    """
    return "api_key" if _API_KEY.match(match.string, match.start()) else "secret"


def build_detectors(
    rows: Iterable[ValuePattern],
    *,
    key_line_filter: re.Pattern[str] | None = None,
    line_filter: re.Pattern[str] | None = None,
) -> Iterator[Detector]:
    """Yield a detector for each row.

    It searches only lines that match `line_filter`, if there is one. Otherwise the detectors of
    keys, with KEY_NEEDLES, search only lines that match `key_line_filter`.
    """
    for row in rows:
        yield Detector(
            row.rule,
            LazyPattern(row.pattern),
            row.needles,
            row.accepts,
            line_filter=line_filter or (key_line_filter if row.needles == KEY_NEEDLES else None),
            line_prefix=row.line_prefix,
            find_rule=_key_rule if row.rule == "secret" else None,
            reads_lines=row.reads_lines,
        )
