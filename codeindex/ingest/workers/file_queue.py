"""A queue of files whose order can change while workers take files from it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Sequence

from codeindex.types import SourceFile


class FileQueue:
    """Files that wait to be prepared; thread-safe."""

    def __init__(self, files: Iterable[SourceFile]) -> None:
        """Make a queue of `files` in their order."""
        self._lock = threading.Lock()
        self._waiting = deque(files)

    def __len__(self) -> int:
        return len(self._waiting)

    def size(self) -> int:
        """Return the size of all files that wait, in bytes."""
        with self._lock:
            return sum(file.size for file in self._waiting)

    def take(self) -> SourceFile | None:
        """Remove the first file and return it; None if no file waits."""
        with self._lock:
            return self._waiting.popleft() if self._waiting else None

    def move_to_front(self, files: Sequence[SourceFile]) -> None:
        """Put those of `files` that still wait before all others, in the order of `files`."""
        ranks = {file.path: rank for rank, file in enumerate(files)}
        last = len(ranks)
        with self._lock:  # sorting is stable: the others keep their order
            order = sorted(self._waiting, key=lambda file: ranks.get(file.path, last))
            self._waiting = deque(order)
