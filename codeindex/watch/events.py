"""Collect file events of the operating system in bursts; only this module imports watchfiles."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from typing import Self

from codeindex.errors import CodeIndexError
from codeindex.watch.watch_scope import FileEvent

_POLL_MS = 100
"""Milliseconds between two collections of events; ten collections per second take 0.04 % of a
processor."""
_MAX_BURST_SECONDS, _MAX_GIT_BURST_SECONDS = 3.0, 60.0
"""Maximum duration of a burst, usually and while git is writing. The second limits the delay of a
sync by an abandoned git lock."""
_MAX_BURST_EVENTS = 2_000
"""Maximum number of events of a burst that are kept; a larger burst always requires a rescan."""
_RECURSIVE = sys.platform in {"darwin", "win32"}
"""Whether the system can watch whole trees. Elsewhere each folder needs a watch, of which a user
has a limited number."""


class EventsUnavailableError(CodeIndexError):
    """Raised if the system cannot report events of these folders; the message says why."""


class FileEvents:
    """Reports file events in folders; a context manager that releases the watches at its end.

    Subfolders are included on macOS and Windows only. The constructor raises EventsUnavailableError
    if the folders cannot be watched, and FileNotFoundError if one is missing.
    """

    def __init__(self, folders: Iterable[str], *, debounce_ms: int) -> None:
        from watchfiles import _rust_notify  # 60 ms; `watchfiles.watch` may poll

        self._debounce_ms = max(debounce_ms, 1)
        self._poll_ms = min(_POLL_MS, self._debounce_ms)
        try:
            self._notify = _rust_notify.RustNotify(
                list(folders), False, False, 0, _RECURSIVE, False
            )
        except FileNotFoundError:
            raise
        except (OSError, _rust_notify.WatchfilesRustInternalError) as error:
            raise EventsUnavailableError(_reason(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._notify.close()

    def next_burst(self, *, seconds: float, git_is_writing: Callable[[], bool]) -> set[FileEvent]:
        """Wait for file events and return them as one burst; empty if none comes within `seconds`.

        A burst ends after a pause of the debounce time, but not while git is writing.
        """
        events = self._next(round(seconds * 1000))
        began = time.monotonic()
        while events:
            more = self._next(self._debounce_ms)
            is_writing = git_is_writing()
            if not (more or is_writing):
                break
            if len(events) < _MAX_BURST_EVENTS:
                events |= more
            if time.monotonic() - began > (
                _MAX_GIT_BURST_SECONDS if is_writing else _MAX_BURST_SECONDS
            ):
                break
        return events

    def _next(self, milliseconds: int) -> set[FileEvent]:
        events = self._notify.watch(self._poll_ms, self._poll_ms, max(milliseconds, 1), None)
        return events if isinstance(events, set) else set()


def _reason(error: Exception) -> str:
    """Return the reason why events are unavailable and, if known, a remedy."""
    if "limit reached" in str(error):
        return (
            "the system's limit of watched folders is reached (raise it by `sysctl"
            " fs.inotify.max_user_watches=524288`)"
        )
    return f"the system cannot report file changes here ({str(error).split(' about ')[0]})"
