"""A file of lines that several processes add to, turned when it is large.

Nobody waits for anybody: a line is one write, which the system does not mix with others, and a file
that is turned gets a name that no other has, so that two processes that turn it at once lose
nothing. Who has the old one open goes on in it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


def append_lines(path: Path, data: bytes) -> int:
    """Add lines in one write; return the size of the file then. The folder must be there."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path, flags, 0o600)
    try:
        os.write(handle, data)
        return os.fstat(handle).st_size
    finally:
        os.close(handle)


@dataclass(frozen=True, slots=True)
class Journal:
    """Lines in `path` and in the files that it was turned to, `most_files` of them in all."""

    path: Path
    most_bytes: int
    most_files: int

    def add(self, line: str) -> None:
        """Add a line; OSError if the disk is full, or the folder is not ours."""
        data = line.encode("utf-8", "backslashreplace") + b"\n"
        try:
            size = append_lines(self.path, data)
        except FileNotFoundError:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            size = append_lines(self.path, data)
        if size > self.most_bytes:
            self._turn()

    def _turn(self) -> None:
        """Begin a new file; where others keep the old one from being renamed, the next does it."""
        with suppress(OSError):
            self.path.rename(self.path.with_stem(f"{self.path.stem}-{time.time_ns():020}"))
            for path in self.turned()[self.most_files - 1 :]:
                path.unlink(missing_ok=True)

    def turned(self) -> list[Path]:
        """Return the files before the present one, newest first."""
        return sorted(self.path.parent.glob(f"{self.path.stem}-*{self.path.suffix}"), reverse=True)

    def lines(self) -> Iterator[str]:
        """Yield all lines, oldest first; half a line of a killed process is one too."""
        for path in (*reversed(self.turned()), self.path):
            with suppress(OSError), path.open(encoding="utf-8", errors="replace") as file:
                for line in file:
                    yield line.rstrip("\n")
