"""Define the replies of the child process that matches syntax."""

from __future__ import annotations

from typing import NamedTuple

ANYTHING = "anything"
"""Reply for a pattern that consists of metavariables only."""
TOO_DEEP = "too deep"
"""Reply for a pattern that nests too deeply."""


class SyntaxMatch(NamedTuple):
    """A match: its 0-based first and last row, and its columns in the first row, in characters."""

    row: int
    end_row: int
    start: int
    end: int
