"""Measure the white space that lines begin with."""

from __future__ import annotations

from collections.abc import Iterable


def indentation(line: str) -> int:
    """Return how many characters of white space a line begins with."""
    return len(line) - len(line.lstrip())


def common_indentation(lines: Iterable[str]) -> int:
    """Return the least indentation of lines that are not blank; 0 if there are none."""
    return min((indentation(line) for line in lines if line.strip()), default=0)
