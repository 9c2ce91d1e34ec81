"""A line on stderr for long work, redrawn in place; nothing where stderr is no terminal."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Self

_REDRAW_SECONDS = 0.1  # ten times a second is as often as one can read
_UNITS = {"structure": "files", "embedding": "chunks", "export": "steps", "questions": "questions"}
_BAR = 20  # characters
_MB = 1_000_000


class Bar:
    """What `Index.sync` and `pull` call with (phase, done, total)."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._phase = ""
        self._began = self._drawn = 0.0
        self._first = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def __call__(self, phase: str, done: int, total: int) -> None:
        if not self._live:
            return
        now = time.monotonic()
        if phase != self._phase:
            self._phase, self._began, self._first, self._drawn = phase, now, done, 0.0
        if now - self._drawn < _REDRAW_SECONDS:
            return
        self._drawn = now
        rate = (done - self._first) / max(now - self._began, 1e-3)
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write("\r" + bar_line(phase, done, total, rate=rate)[:width] + "\x1b[K")
        sys.stderr.flush()

    def clear(self) -> None:
        """Wipe the line, for whatever is printed next."""
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        self._phase, self._drawn = "", 0.0


def bar_line(phase: str, done: int, total: int, *, rate: float) -> str:
    """Write one state: a bar, how much is done, how fast it goes, and how long it will take."""
    if phase == "waiting":
        return "waiting for another process that is indexing this repository"
    share = min(done / total, 1.0) if total else 1.0
    bar = ("#" * round(share * _BAR)).ljust(_BAR, ".")
    unit = _UNITS.get(phase, "bytes")
    if unit == "bytes":
        amount, speed = f"{done / _MB:.1f}/{total / _MB:.1f} MB", f"{rate / _MB:.1f} MB/s"
    else:
        amount, speed = f"{done:,}/{total:,} {unit}", f"{rate:,.0f}/s"
    left = f"  {clock((total - done) / rate)} left" if rate > 0 and done < total else ""
    return f"{phase} [{bar}] {amount}" + (f"  {speed}{left}" if rate > 0 else "")


def clock(seconds: float) -> str:
    """Write a time as 0:05, 12:40 or 1:02:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
