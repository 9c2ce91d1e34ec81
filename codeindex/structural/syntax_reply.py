"""Define what the child process replies."""

from __future__ import annotations

from typing import NamedTuple

ANYTHING = "anything"
"""Reply for a pattern of metavariables alone."""
TOO_DEEP = "too deep"
"""Reply for a pattern that nests too deeply."""


class SyntaxMatch(NamedTuple):
    """A match: 0-based rows of its ends, and the columns in its first row, in characters."""

    row: int
    end_row: int
    start: int
    end: int
