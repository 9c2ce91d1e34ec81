"""The lines of a text that have a match, and where in them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from typing import NamedTuple

MatchSpan = tuple[int, int]


class CompiledPattern(NamedTuple):
    """A pattern, and whether each line is to be looked at by itself."""

    pattern: re.Pattern[str]
    alone: bool


def compile_pattern(source: str, *, ignore_case: bool, alone: bool) -> CompiledPattern:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what may mean something else in a later Python
        flags = re.MULTILINE | (re.IGNORECASE if ignore_case else 0)
        return CompiledPattern(re.compile(source, flags), alone)


def matching_lines(text: str, patterns: Sequence[CompiledPattern]) -> list[int]:
    """Return which lines have a match of one of the patterns; the first is 0."""
    found: set[int] = set()
    for one in patterns:
        found.update(_one_by_one(text, one.pattern) if one.alone else _at_once(text, one.pattern))
    return sorted(found)


def match_spans(line: str, patterns: Sequence[CompiledPattern]) -> list[MatchSpan]:
    """Return where in a line the matches are, without those that others cover or that are empty."""
    found = sorted(
        (match.span() for one in patterns for match in one.pattern.finditer(line)),
        key=lambda span: (span[0], -span[1]),
    )
    kept: list[MatchSpan] = []
    for start, end in found:
        if start < end and (not kept or start >= kept[-1][1]):
            kept.append((start, end))
    return kept


def _one_by_one(text: str, pattern: re.Pattern[str]) -> Iterator[int]:
    for number, line in enumerate(text.split("\n")):
        if pattern.search(line):
            yield number


def _at_once(text: str, pattern: re.Pattern[str]) -> Iterator[int]:
    """Look for matches in the whole text, which is faster, and again in the line of each.

    A line with a match of its own has one in the text that begins there or sooner; those that run
    over the end of their line are none.
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
