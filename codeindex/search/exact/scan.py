"""Find the lines of a text that match, and the columns of the matches."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

MatchSpan = tuple[int, int]


class CompiledPattern(NamedTuple):
    """A compiled pattern.

    `alone` is true if each line must be matched by itself, instead of the whole text at once.
    """

    pattern: re.Pattern[str]
    alone: bool


def compile_pattern(source: str, *, ignore_case: bool, alone: bool) -> CompiledPattern:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about syntax that later Pythons may interpret otherwise
        flags = re.MULTILINE | (re.IGNORECASE if ignore_case else 0)
        return CompiledPattern(re.compile(source, flags), alone)


def matching_lines(text: str, patterns: Sequence[CompiledPattern]) -> list[int]:
    """Return the indexes, from 0, of the lines that match at least one pattern."""
    numbers: set[int] = set()
    for pattern in patterns:
        numbers.update(
            _one_by_one(text, pattern.pattern) if pattern.alone else _at_once(text, pattern.pattern)
        )
    return sorted(numbers)


def pattern_spans(line: str, patterns: Sequence[CompiledPattern]) -> list[MatchSpan]:
    """Return the (start, end) columns of the matches in a line; no empty or overlapping ones."""
    return outermost_spans(
        match.span() for pattern in patterns for match in pattern.pattern.finditer(line)
    )


def outermost_spans(spans: Iterable[MatchSpan]) -> list[MatchSpan]:
    """Return the spans that are not empty, without those that begin inside an earlier one."""
    kept: list[MatchSpan] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start < end and (not kept or start >= kept[-1][1]):
            kept.append((start, end))
    return kept


def _one_by_one(text: str, pattern: re.Pattern[str]) -> Iterator[int]:
    for number, line in enumerate(text.split("\n")):
        if pattern.search(line):
            yield number


def _at_once(text: str, pattern: re.Pattern[str]) -> Iterator[int]:
    """Yield the indexes of matching lines: search the whole text, then confirm each match.

    This is faster than searching line by line. Matches that cross the end of their line do not
    count. No line is missed: if a line matches by itself, the text has a match that begins in this
    line or earlier.
    """
    number, at = 0, 0
    while match := pattern.search(text, at):
        start = text.rfind("\n", 0, match.start()) + 1
        end = text.find("\n", match.start())
        number += text.count("\n", at, start)
        if pattern.search(text[start:] if end < 0 else text[start:end]):
            yield number
        if end < 0:
            return
        number, at = number + 1, end + 1
