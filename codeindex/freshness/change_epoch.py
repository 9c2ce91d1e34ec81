"""How long a tree is known to be as the last look found it, so that it is not looked at again."""

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
"""A look is due after that whatever the wires say: it sees what no wire is told of."""


class ChangeEpoch:
    """Eras of a tree, each ended by whatever is touched; safe to share between threads.

    A look that began an era and found nothing speaks for all of it. Each begins its own: the one
    before may have been without wires.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = threading.Lock()
        self._wire: InotifyWatcher | None = None
        self._may_wire = True
        self._looks = 0
        self._era, self._still = 0, -1
        self._until = 0.0

    def holds(self) -> bool:
        """Tell whether nothing was touched since a look found all as it should be."""
        with self._lock:
            if self._wire is None:
                return False
            if self._wire.tripped():
                self._era += 1
            return self._still == self._era and time.monotonic() < self._until

    def begin(self, folders: Sequence[str]) -> int:
        """Return the era that a look begins, with wires over the folders from the second on.

        They are below the root or absolute. Whoever asks once has no use for wires.
        """
        with self._lock:
            self._looks += 1
            if self._looks > 1 and self._may_wire:
                self._stretch(folders)
            self._era += 1
            return self._era

    def found(self, era: int) -> None:
        """Take in that the look of an era has found nothing."""
        with self._lock:
            self._still, self._until = era, time.monotonic() + _TRUSTED_SECONDS

    def close(self) -> None:
        """Take the wires away, for good."""
        with self._lock:
            self._may_wire = False
            if self._wire is not None:
                self._wire.close()
            self._wire = None

    def _stretch(self, folders: Sequence[str]) -> None:
        from codeindex.freshness.inotify_watcher import open_inotify_watcher

        if self._wire is None:
            self._wire = open_inotify_watcher(self._root, len(folders))
            self._may_wire = self._wire is not None
        root = str(self._root)
        if self._wire is not None and not self._wire.stretch(join(root, one) for one in folders):  # noqa: PTH118 (thousands)
            self._wire.close()
            self._wire, self._may_wire = None, False
