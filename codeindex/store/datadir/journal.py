"""Append lines to a log that several processes write, and rotate it when it is large.

There is no lock: each line is one write with O_APPEND, and the system does not interleave such
writes. A rotated file gets a unique name, so that two processes that rotate at once lose nothing. A
process that still has the old file open goes on writing there.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


def append_lines(path: Path, data: bytes) -> int:
    """Append `data` in one write; return the new size of the file. The folder must exist."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path, flags, 0o600)
    try:
        os.write(handle, data)
        return os.fstat(handle).st_size
    finally:
        os.close(handle)


@dataclass(frozen=True, slots=True)
class Journal:
    """A log file that is rotated: when it exceeds `most_bytes`, it is renamed and a new one begins.

    At most `most_files` files are kept, the current one included.
    """

    path: Path
    most_bytes: int
    most_files: int

    def add(self, line: str) -> None:
        """Append a line; raise OSError if the file cannot be written."""
        data = line.encode("utf-8", "backslashreplace") + b"\n"
        try:
            size = append_lines(self.path, data)
        except FileNotFoundError:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            size = append_lines(self.path, data)
        if size > self.most_bytes:
            self._turn()

    def _turn(self) -> None:
        """Rotate the log: rename its file, and delete the oldest rotated files.

        If renaming fails, as on Windows while the file is open, the next write tries again.
        """
        with suppress(OSError):
            self.path.rename(self.path.with_stem(f"{self.path.stem}-{time.time_ns():020}"))
            for path in self.turned()[self.most_files - 1 :]:
                path.unlink(missing_ok=True)

    def turned(self) -> list[Path]:
        """Return the paths of the renamed older files, newest first."""
        return sorted(self.path.parent.glob(f"{self.path.stem}-*{self.path.suffix}"), reverse=True)

    def lines(self) -> Iterator[str]:
        """Yield all lines, oldest first; the last one of a killed process may be incomplete."""
        for path in (*reversed(self.turned()), self.path):
            with suppress(OSError), path.open(encoding="utf-8", errors="replace") as file:
                for line in file:
                    yield line.rstrip("\n")
