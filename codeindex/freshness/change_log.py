"""Log the paths that change after a scan of the whole tree: the next scan compares only these."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os.path import isabs
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeindex.freshness.inotify_watcher import InotifyWatcher

_TRUSTED_SECONDS = 60.0
"""After this time the whole tree is scanned again, because inotify does not report every change. A
scan takes 10 µs a file, so it costs .1 % of the time in a tree of 5,000 files."""
_MAX_PATHS = 64
"""Most paths that are kept: to compare more of them one by one is no cheaper than a scan."""


@dataclass(frozen=True, slots=True)
class LoggedChanges:
    """The paths that may have changed since a generation; all others are unchanged."""

    paths: frozenset[str]
    """Paths relative to the root."""
    generation: tuple[int, float]
    """Number and time of the generation that the whole tree was compared with."""


class ChangeLog:
    """Logs the changes of a tree that inotify reports; safe to share between threads."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = threading.Lock()
        self._watcher: InotifyWatcher | None = None
        self._may_watch = True
        self._scan_count = 0
        """Number of scans so far, by which scans and events are ordered."""
        self._valid_from = 0
        """Scans with a lower number prove nothing: changes since then may not be logged."""
        self._paths: dict[str, int] = {}
        """{changed path: number of scans when it last changed}."""
        self._scanned: tuple[int, float, tuple[int, float]] | None = None
        """Number and clock of the last whole scan, and the generation it compared with."""

    def changes(self) -> LoggedChanges | None:
        """Return the changes since the last whole scan; None if a new whole scan is needed.

        A whole scan is needed if inotify is not available, if events were lost, or if the last
        whole scan is too old.
        """
        with self._lock:
            self._read_events()
            if self._scanned is None or time.monotonic() >= self._scanned[1] + _TRUSTED_SECONDS:
                return None
            return LoggedChanges(frozenset(self._paths), self._scanned[2])

    def watches(self, folders: Iterable[str]) -> bool:
        """Tell whether changes in all these folders are logged."""
        with self._lock:
            return self._watcher is not None and self._watcher.watches(folders)

    def begin_scan(self, folders: Sequence[str]) -> int:
        """Note that a scan of the whole tree begins, and return a number to pass to `end_scan`.

        From the second scan on, `folders` (absolute or relative to the root) are watched; a process
        that scans once needs no watches.
        """
        with self._lock:
            if self._scan_count and self._may_watch:
                self._watch(folders)
            self._read_events()
            self._scan_count += 1
            return self._scan_count

    def end_scan(self, begun: int, paths: Iterable[str], generation: tuple[int, float]) -> None:
        """Note that a scan has compared the whole tree; `begun` is the number from `begin_scan`.

        `generation` is the (number, time) of the catalog's generation that was compared, and
        `paths` are the paths that differ from it.
        """
        with self._lock:
            is_late = self._scanned is not None and self._scanned[0] > begun
            if self._watcher is None or begun < self._valid_from or is_late:
                return
            later = {path: at for path, at in self._paths.items() if at >= begun}
            self._paths = dict.fromkeys(paths, begun) | later
            self._scanned = begun, time.monotonic(), generation

    def close(self) -> None:
        """Stop watching for good."""
        with self._lock:
            self._may_watch = False
            self._stop_watching()

    def _watch(self, folders: Sequence[str]) -> None:
        from codeindex.freshness.inotify_watcher import open_inotify_watcher

        if self._watcher is None:
            self._watcher = open_inotify_watcher(self._root, len(folders))
            self._may_watch = self._watcher is not None
            self._valid_from = self._scan_count + 1
        if self._watcher is not None and not self._watcher.watch(folders):
            self._stop_watching()
            self._may_watch = False

    def _read_events(self) -> None:
        if self._watcher is None:
            return
        paths = self._watcher.changed_paths()
        if paths is None:
            self._stop_watching()  # the next scan watches all folders that there are then
            return
        self._paths.update((path, self._scan_count) for path in paths if not isabs(path))  # noqa: PTH117
        if len(self._paths) > _MAX_PATHS:
            self._forget()

    def _stop_watching(self) -> None:
        if self._watcher is not None:
            self._watcher.close()
        self._watcher = None
        self._forget()

    def _forget(self) -> None:
        """Discard the logged changes, and ignore `end_scan` for scans that have already begun.

        It is called when events may have been lost: the next scan must compare the whole tree.
        """
        self._scanned, self._valid_from = None, self._scan_count + 1
        self._paths.clear()
