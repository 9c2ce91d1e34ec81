"""Split a file with syntax errors, so that code after an error is parsed on its own.

After an error, a parser can take the definitions that follow for a part of the broken one. A
paragraph that starts in the first column most likely starts a definition of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from codeindex.secrets import REDACTION_MARK
from codeindex.text.blanks import blank_bytes

RowRange = tuple[int, int]
"""0-based rows; the end is excluded."""
_CONTINUATION = re.compile(
    rb"\s|$|[)}\]{]|(?:end|else|elif|elsif|except|finally|rescue|ensure|catch|fi|done|esac|then|do)\b"
)
"""Lines that start no definition: indented and empty lines, ends and branches of blocks."""


_REPLACEMENTS = {
    "end": b";",
    "zero": b"0",
    "wildcard": b"_",
    "symbol": b"#",
    "open": b"(",
    "close": b")",
    "dot": b".",
    "assign": b"=",
    "redacted": b"_REDACTED_",
}
"""What replaces the text of groups with these names; that of other groups stays."""

REDACTED_VALUES = (rf"(?P<redacted>{re.escape(REDACTION_MARK)})",)
"""Matches redacted values: outside of a string most grammars need a name in place of the mark."""


def repair_rows(source: bytes, repairs: Sequence[str], rows: frozenset[int]) -> bytes:
    """Blank all matches of the patterns `repairs` in some rows and the rows next to them.

    Rows count from 0. No byte offset or row number changes. Text that a named group of a pattern
    matches is kept or replaced instead.
    """
    lines = source.split(b"\n")
    near = sorted({row + step for row in rows for step in (-1, 0, 1)} & {*range(len(lines))})

    def blank(match: re.Match[bytes]) -> bytes:
        blanks = bytearray(blank_bytes(match[0]))
        for name in match.re.groupindex:
            start, end = (at - match.start() for at in match.span(name))
            if start >= 0:
                blanks[start:end] = _REPLACEMENTS.get(name, match[name])
        return bytes(blanks)

    for first, end in consecutive_rows(near):
        text = b"\n".join(lines[first:end])
        for repair in repairs:
            text = re.sub(repair.encode(), blank, text)
        lines[first:end] = text.split(b"\n")
    return b"\n".join(lines)


def consecutive_rows(ordered: Sequence[int]) -> list[RowRange]:
    """Group sorted row numbers into (first, end) ranges of consecutive rows, ends excluded."""
    ends = [index for index in range(1, len(ordered)) if ordered[index] > ordered[index - 1] + 1]
    cuts = [0, *ends, len(ordered)]
    return [(ordered[first], ordered[end - 1] + 1) for first, end in pairwise(cuts) if first < end]


def split_at_errors(source: bytes, broken: Sequence[RowRange]) -> list[list[RowRange]]:
    """Split a file at its syntax errors; return the parts, each a list of row ranges to parse.

    The first part has all rows outside of the `broken` ranges; each paragraph of a broken range is
    one more part. Return [] if no broken range has more than one paragraph, since splitting would
    gain nothing.
    """
    lines = source.split(b"\n")
    starts = _paragraph_starts(lines)
    paragraphs: list[list[RowRange]] = []
    sound, last = [], 0
    for first, end in broken:
        sound.append((last, first))
        inner = starts[bisect_left(starts, first + 1) : bisect_left(starts, end)]
        cuts = [first, *inner, end]
        paragraphs += [[rows] for rows in pairwise(cuts)]
        last = end
    sound.append((last, len(lines)))
    if len(paragraphs) <= len(broken):
        return []
    return [[rows for rows in sound if rows[0] < rows[1]], *paragraphs]


def _paragraph_starts(lines: Sequence[bytes]) -> list[int]:
    starts = [not _CONTINUATION.match(line) for line in lines]
    return [row for row in range(len(lines)) if starts[row] and not (row and starts[row - 1])]
