"""A symbol without known uses."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Literal

UnusedConfidence = Literal["likely", "possible"]


@dataclass(frozen=True, slots=True)
class UnusedSymbol:
    """A symbol without known uses, and how sure it is that there are none.

    The confidence is `likely` if its name occurs nowhere else. It is `possible` if calls by name
    (`possible_calls`) or other words (`mentions`) may refer to it.
    """

    file: str
    name: str
    kind: str
    line: int
    lines: int
    confidence: UnusedConfidence
    possible_calls: int
    mentions: int
    reason: str
    """Why the symbol counts as unused or, if that is only `possible`, what may use it."""


UnusedByFile = MutableMapping[tuple[int, bool], tuple[UnusedSymbol, ...]]
"""The unused symbols of files: {(file id, whether exported symbols count): symbols}."""
