"""Where a file with a syntax error is cut, so that what comes after the error is read for itself.

A parser that has lost its way takes definitions that follow for a part of what it was reading. What
begins a paragraph in the first column is most likely a beginning in its own right.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

RowRange = tuple[int, int]
"""A stretch of lines, counted from 0, without the last one."""
_GOING_ON = re.compile(
    rb"\s|$|[)}\]{]|(?:end|else|elif|elsif|except|finally|rescue|ensure|catch|fi|done|esac|then|do)\b"
)
"""Lines that do not begin anything: inner ones, empty ones, and the ends and branches of blocks."""


def split_at_errors(source: bytes, torn: Sequence[RowRange]) -> list[list[RowRange]]:
    """Cut what is torn into its paragraphs, after all that is not; nothing if there is but one."""
    lines = source.split(b"\n")
    starts = _starts(lines)
    found: list[list[RowRange]] = []
    sound, last = [], 0
    for first, end in torn:
        sound.append((last, first))
        inner = starts[bisect_left(starts, first + 1) : bisect_left(starts, end)]
        cuts = [first, *inner, end]
        found += [[one] for one in pairwise(cuts)]
        last = end
    sound.append((last, len(lines)))
    return [[one for one in sound if one[0] < one[1]], *found] if len(found) > len(torn) else []


def _starts(lines: Sequence[bytes]) -> list[int]:
    begins = [not _GOING_ON.match(line) for line in lines]
    return [row for row, one in enumerate(begins) if one and not (row and begins[row - 1])]
