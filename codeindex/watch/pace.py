"""How soon changes are noticed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """After which quiet a burst of changes ends, as set if None; or, if not 0, how often to look.

    Both in the units of the settings: milliseconds and seconds.
    """

    debounce_ms: int | None = None
    interval: float = 0.0
