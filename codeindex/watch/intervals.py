"""How soon changes are noticed, and what is done about them beside a sync."""

from __future__ import annotations

from dataclasses import dataclass

DRAFT_DEBOUNCE_MS = 30_000
"""Quiet before drafts are written: whoever changes code is seldom done after one save."""


@dataclass(frozen=True, slots=True)
class DraftCommand:
    """The command that drafts pages of the wiki, as words, and the quiet that it waits for."""

    words: tuple[str, ...]
    debounce_ms: int = DRAFT_DEBOUNCE_MS


@dataclass(frozen=True, slots=True)
class WatchIntervals:
    """After which quiet a burst of changes ends, as set if None; or, if not 0, how often to look.

    Both in the units of the settings: milliseconds and seconds. Without `drafts` the wiki is left
    to people.
    """

    debounce_ms: int | None = None
    interval: float = 0.0
    drafts: DraftCommand | None = None
