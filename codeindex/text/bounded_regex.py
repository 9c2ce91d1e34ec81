"""Search with regular expressions that repositories or clients supply, under a time limit.

`re` cannot be interrupted; the `regex` package ends a search after a given processor time.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

SECONDS = 1.0
"""Seconds of processor time for one pattern and one text; searching 1 MB of source takes 0.1."""
_too_slow: set[str] = set()
"""Patterns that exceeded their time in this process; they are not tried again."""


def is_valid_regex(pattern: str) -> bool:
    """Tell whether the module `regex` can compile a pattern."""
    import regex

    try:
        return bool(_compiled(pattern))
    except (regex.error, OverflowError, RecursionError):
        return False


def match_spans(
    pattern: str, text: str, *, group: str, seconds: float = SECONDS
) -> Iterator[tuple[int, int]]:
    """Yield the span of `group` in each match, or of the match if there is no such group.

    Raise TimeoutError if the pattern takes too long, or took too long before in this process.
    """
    if pattern in _too_slow:
        raise TimeoutError
    compiled = _compiled(pattern)
    wanted = group if group in compiled.groupindex else 0
    try:
        for match in compiled.finditer(text, timeout=seconds):
            yield match.span(wanted)
    except TimeoutError:
        _too_slow.add(pattern)
        raise


@functools.cache
def _compiled(pattern: str) -> regex.Pattern[str]:
    import regex  # 20 ms; most settings have no such pattern

    return regex.compile(pattern)
