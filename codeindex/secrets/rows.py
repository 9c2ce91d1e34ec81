"""Detectors of patterns that are written in rows: a rule, its pattern, needles and a judge."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from codeindex.secrets._base import Detector, Span
from codeindex.secrets.names import ANY_KEY, KEY, KEY_NEEDLES, LOGIN, OTHER

Row = tuple[str, str, tuple[str, ...], Callable[[re.Match[str]], bool]]
Reach = Callable[[re.Match[str]], Iterable[Span]]

FLAGS = re.ASCII | re.IGNORECASE | re.MULTILINE
_NAMES = {name: re.compile(name, FLAGS) for name in (LOGIN, KEY, OTHER, ANY_KEY)}


def begins(pattern: str) -> re.Pattern[str] | None:
    """Return the name that a pattern begins with, if it does."""
    return next((one for name, one in _NAMES.items() if pattern.startswith(name)), None)


def detectors(
    rows: Iterable[Row],
    *,
    keys_within: re.Pattern[str],
    within: re.Pattern[str] | None = None,
    reach: Reach | None = None,
) -> Iterator[Detector]:
    """Yield a detector a row, which looks at lines with `within`, else of keys `keys_within`."""
    for rule, pattern, needles, accepts in rows:
        yield Detector(
            rule,
            re.compile(pattern, FLAGS),
            needles,
            accepts,
            within=within or (keys_within if needles == KEY_NEEDLES else None),
            begins=begins(pattern),
            reach=reach,
        )
