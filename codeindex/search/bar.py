"""What a question must reach to be answered, as it was learned of one published state."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

LOWEST, USUAL, HIGHEST = 0.25, 0.35, 0.45
"""Least, usual and most share of a question's idf that counts as an answer. Set on flask, sidekiq
and plug."""
_ANY = 1e-6


@dataclass(frozen=True, slots=True)
class Bar:
    """The least share of a question's idf in one chunk, and the least cosine of the nearest.

    An index with too little text to learn from takes any word of a question for an answer.
    """

    words: float = _ANY
    dense: float = math.inf


class Learned:
    """Keeps the bar once it was needed; two threads may learn it at once and come to the same."""

    def __init__(self) -> None:
        self._bar: Bar | None = None

    def bar(self, learn: Callable[[], Bar]) -> Bar:
        if self._bar is None:
            self._bar = learn()
        return self._bar
