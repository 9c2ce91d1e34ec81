"""Define the options of a watcher: debounce time, polling interval, drafting command."""

from __future__ import annotations

from dataclasses import dataclass

DRAFT_DEBOUNCE_MS = 30_000
"""Milliseconds without a sync before drafts are written, because files are usually saved several
times in succession."""


@dataclass(frozen=True, slots=True)
class DraftCommand:
    """The command (as words) that drafts wiki pages, and the quiet time before it runs."""

    words: tuple[str, ...]
    debounce_ms: int = DRAFT_DEBOUNCE_MS


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """How soon a watcher notices changes, and what drafts wiki pages after them.

    `debounce_ms` is the quiet time that ends a burst of events; None means the configured time. If
    `interval` is not 0, the watcher polls the tree every `interval` seconds instead of using
    events. Without `drafts`, no wiki pages are drafted.
    """

    debounce_ms: int | None = None
    interval: float = 0.0
    drafts: DraftCommand | None = None
