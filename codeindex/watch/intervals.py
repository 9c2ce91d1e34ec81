"""Define the settings of a watcher: debounce time, polling interval, drafting command."""

from __future__ import annotations

from dataclasses import dataclass

DRAFT_DEBOUNCE_MS = 30_000
"""Milliseconds without a sync before drafts are written: several saves usually follow each
other."""


@dataclass(frozen=True, slots=True)
class DraftCommand:
    """The command that drafts wiki pages, as words, and the quiet time before it runs."""

    words: tuple[str, ...]
    debounce_ms: int = DRAFT_DEBOUNCE_MS


@dataclass(frozen=True, slots=True)
class WatchIntervals:
    """How a watcher notices changes.

    `debounce_ms` is the quiet time that ends a burst of events, None for the configured time. If
    `interval` is not 0, the tree is polled every `interval` seconds instead. Without `drafts`, no
    wiki pages are drafted.
    """

    debounce_ms: int | None = None
    interval: float = 0.0
    drafts: DraftCommand | None = None
