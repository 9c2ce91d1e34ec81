"""Define the replies of the child process that matches syntax."""

from __future__ import annotations

from typing import NamedTuple

ANYTHING = "anything"
"""Reply for a pattern that consists of metavariables only."""
TOO_DEEP = "too deep"
"""Reply for a pattern that nests too deeply."""


class SyntaxMatch(NamedTuple):
    """A match: its first and last row from 0, and its columns (in characters) in the first row."""

    row: int
    end_row: int
    start: int
    end: int
