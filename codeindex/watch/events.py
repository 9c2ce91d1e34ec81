"""Changes of files as the system tells of them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from typing import Self

from codeindex.errors import CodeIndexError
from codeindex.watch.watch_scope import FileEvent

_STEP_MS = 100
"""Between two looks at what has come; ten a second cost 0.04 % of a processor."""
_LONGEST_SECONDS, _GIT_SECONDS = 3.0, 60.0
"""A burst that does not end is one after so long, while git is writing after the second; a lock
that a dead git has left holds up nobody for longer."""
_MOST = 2_000
"""Changes of a burst that are kept: what a switch of 100,000 files means is known by then."""
_RECURSIVE = sys.platform in {"darwin", "win32"}
"""These watch whole trees at no cost; elsewhere each folder takes one of the system's watches."""


class EventsUnavailableError(CodeIndexError):
    """The system cannot tell of changes here; the message says why."""


class FileEvents:
    """What changes in some folders, and on some systems below them; a context manager.

    NoEventsError if they cannot be watched, FileNotFoundError if one is gone.
    """

    def __init__(self, folders: Iterable[str], *, debounce_ms: int) -> None:
        from watchfiles import _rust_notify  # 60 ms; its `watch` would poll by variables

        self._debounce_ms = max(debounce_ms, 1)
        self._step_ms = min(_STEP_MS, self._debounce_ms)
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

    def burst(self, *, seconds: float, git_is_writing: Callable[[], bool]) -> set[FileEvent]:
        """Wait for a change, and until it is quiet again; empty if there was none for so long."""
        changes = self._next(round(seconds * 1000))
        began = time.monotonic()
        while changes:
            more = self._next(self._debounce_ms)
            writing = git_is_writing()
            if not (more or writing):
                break
            if len(changes) < _MOST:
                changes |= more
            if time.monotonic() - began > (_GIT_SECONDS if writing else _LONGEST_SECONDS):
                break
        return changes

    def _next(self, milliseconds: int) -> set[FileEvent]:
        found = self._notify.watch(self._step_ms, self._step_ms, max(milliseconds, 1), None)
        return found if isinstance(found, set) else set()


def _reason(error: Exception) -> str:
    """Say why, and what to do about it."""
    if "limit reached" in str(error):
        return (
            "the system's limit of watched folders is reached (raise it by `sysctl"
            " fs.inotify.max_user_watches=524288`)"
        )
    return f"the system does not tell of changes here ({str(error).split(' about ')[0]})"
