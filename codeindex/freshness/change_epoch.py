"""Decide whether a tree can have changed since the last scan, so that scans can be skipped."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from os.path import join
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codeindex.freshness.inotify_watcher import InotifyWatcher

_TRUSTED_SECONDS = 5.0
"""After this time the tree is scanned even without events, because inotify does not report every
change."""


class ChangeEpoch:
    """Numbers the periods without an inotify event in a tree; safe to share between threads.

    An event or a new scan begins a new epoch. If a scan finds no change, the tree counts as
    unchanged until the epoch of the scan ends.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = threading.Lock()
        self._watcher: InotifyWatcher | None = None
        self._may_watch = True
        self._scans = 0
        self._epoch, self._unchanged_epoch = 0, -1
        self._trusted_until = 0.0

    def is_unchanged(self) -> bool:
        """Tell whether the last scan found no change and no event has come since.

        Also False without inotify, or if the last scan is too long ago.
        """
        with self._lock:
            if self._watcher is None:
                return False
            if self._watcher.has_events():
                self._epoch += 1
            is_current = self._unchanged_epoch == self._epoch
            return is_current and time.monotonic() < self._trusted_until

    def begin_scan(self, folders: Sequence[str]) -> int:
        """Begin a new epoch for a scan and return its number.

        From the second scan on, the folders are watched; a process that scans once needs no
        watches. Paths of folders are absolute or relative to the root.
        """
        with self._lock:
            self._scans += 1
            if self._scans > 1 and self._may_watch:
                self._watch(folders)
            self._epoch += 1
            return self._epoch

    def mark_unchanged(self, epoch: int) -> None:
        """Record that the scan of an epoch has found no change."""
        with self._lock:
            self._unchanged_epoch = epoch
            self._trusted_until = time.monotonic() + _TRUSTED_SECONDS

    def close(self) -> None:
        """Stop watching for good."""
        with self._lock:
            self._may_watch = False
            if self._watcher is not None:
                self._watcher.close()
            self._watcher = None

    def _watch(self, folders: Sequence[str]) -> None:
        from codeindex.freshness.inotify_watcher import open_inotify_watcher

        if self._watcher is None:
            self._watcher = open_inotify_watcher(self._root, len(folders))
            self._may_watch = self._watcher is not None
        root = str(self._root)
        paths = (join(root, folder) for folder in folders)  # noqa: PTH118 (thousands)
        if self._watcher is not None and not self._watcher.watch(paths):
            self._watcher.close()
            self._watcher, self._may_watch = None, False
