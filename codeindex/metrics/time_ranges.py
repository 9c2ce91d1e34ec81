"""Parse durations and dates of command-line options."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from codeindex.errors import QueryError

_UNITS = {"m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}


def parse_duration(text: str) -> float:
    """Parse a duration like `90m`, `1h`, `7d` or `2w` to seconds; raise QueryError if invalid."""
    match = re.fullmatch(r"(\d{1,6})([mhdw])", text.strip())
    if match is None:
        raise QueryError(f"{text!r} is no length of time: write 90m, 1h, 7d or 2w.")
    return int(match[1]) * _UNITS[match[2]]


def parse_moment(text: str, *, at_end: bool = False) -> float:
    """Parse a local date, or date with time, to seconds since the epoch.

    A date without time means the start of the day; with `at_end`, its end. Raise QueryError if the
    text is not a date.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
        is_day = len(text.strip()) <= len("2026-01-15")
        return (moment + timedelta(days=1) if is_day and at_end else moment).timestamp()
    except (ValueError, OverflowError, OSError):
        raise QueryError(f"{text!r} is no date: write 2026-01-15 or 2026-01-15T09:30.") from None
