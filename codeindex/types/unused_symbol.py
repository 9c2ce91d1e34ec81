"""Define `UnusedSymbol`, a row of the report of unused symbols."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Literal

UnusedConfidence = Literal["likely", "possible"]


@dataclass(frozen=True, slots=True)
class UnusedSymbol:
    """A symbol that no code is known to use; `confidence` tells how likely it is really unused.

    `likely`: nothing was found that may use it. `possible`: something may; `reason` tells what.
    `possible_calls` counts calls of a method of its name on receivers of unknown type, `mentions`
    other places that have its name.
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
    """Why the symbol counts as unused, for `likely`; what may use it, for `possible`."""


UnusedByFile = MutableMapping[tuple[int, bool], tuple[UnusedSymbol, ...]]
"""The unused symbols of files: {(file id, whether exported symbols count): symbols}."""
