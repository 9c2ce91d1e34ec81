"""Draw a progress bar on standard error, if that is a terminal."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Self

_REDRAW_SECONDS = 0.1  # redrawing more often is not readable
_UNITS = {
    "structure": "files",
    "bundle": "parts",
    "embedding": "chunks",
    "export": "steps",
    "questions": "questions",
}
"""The unit that each phase counts; other phases are downloads and count bytes."""
_BAR_WIDTH = 20
_MEGABYTE = 1_000_000


class ProgressBar:
    """A progress bar for syncs and downloads, which call it with (phase, done, total)."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._phase = ""
        self._phase_start = self._last_drawn = 0.0
        self._first_done = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def __call__(self, phase: str, done: int, total: int) -> None:
        if not self._is_terminal:
            return
        now = time.monotonic()
        if phase != self._phase:
            self._phase, self._phase_start = phase, now
            self._first_done, self._last_drawn = done, 0.0
        if now - self._last_drawn < _REDRAW_SECONDS:
            return
        self._last_drawn = now
        rate = (done - self._first_done) / max(now - self._phase_start, 1e-3)
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write("\r" + format_progress(phase, done, total, rate=rate)[:width] + "\x1b[K")
        sys.stderr.flush()

    def clear(self) -> None:
        """Erase the bar, so that other output can follow."""
        if self._last_drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        self._phase, self._last_drawn = "", 0.0


def format_progress(phase: str, done: int, total: int, *, rate: float) -> str:
    """Return the text of the bar, with amount, rate per second and remaining time.

    Amounts of downloads are bytes; a `rate` of 0 is not shown.
    """
    if phase == "waiting":
        return "waiting for another process that is indexing this repository"
    share = min(done / total, 1.0) if total else 1.0
    bar = ("#" * round(share * _BAR_WIDTH)).ljust(_BAR_WIDTH, ".")
    unit = _UNITS.get(phase, "bytes")
    if unit == "bytes":
        amount = f"{done / _MEGABYTE:.1f}/{total / _MEGABYTE:.1f} MB"
        speed = f"{rate / _MEGABYTE:.1f} MB/s"
    else:
        amount, speed = f"{done:,}/{total:,} {unit}", f"{rate:,.0f}/s"
    left = f"  {format_duration((total - done) / rate)} left" if rate > 0 and done < total else ""
    return f"{phase} [{bar}] {amount}" + (f"  {speed}{left}" if rate > 0 else "")


def format_duration(seconds: float) -> str:
    """Return a duration in the form 0:05, 12:40 or 1:02:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
