"""Tell whether a file's times, found unchanged later, will prove that its text is unchanged."""

from __future__ import annotations

_GRAIN_NS = 2_000_000_000
"""Resolution of timestamps: two seconds on FAT, which has the coarsest. A file that changed less
than this before it was read may change again and keep its times."""
UNPROVEN_CTIME = 0
"""Stored instead of a ctime that proves nothing. No file has this ctime, so the file is read
again."""


def is_settled(mtime_ns: int, ctime_ns: int, *, read_at_ns: int) -> bool:
    """Tell whether a file with the same times at a later check will have the same text.

    `read_at_ns` is when the file was read. True if the times are older than that by more than the
    resolution of timestamps: a file that changes within it can keep its times. False for times in
    the future: the clock was set back, so a later change can get the same times.
    """
    return max(mtime_ns, ctime_ns) + _GRAIN_NS <= read_at_ns


def provable_ctime(mtime_ns: int, ctime_ns: int, *, read_at_ns: int) -> int:
    """Return the ctime to store for a file: its own, or `UNPROVEN_CTIME` if it proves nothing.

    A ctime proves nothing if the file can change again without a change of its times. `read_at_ns`
    is the time when reading of the file began.
    """
    return ctime_ns if is_settled(mtime_ns, ctime_ns, read_at_ns=read_at_ns) else UNPROVEN_CTIME
