"""Limit the time and memory of a child process, and end it with its parent."""

from __future__ import annotations

import gc
import os
import signal
from typing import IO

_MIN_CPU_SECONDS, _CPU_SECONDS_PER_MEGABYTE = 8.0, 16.0
"""Seconds of processor time for every file, and for each megabyte of it. The slowest text took 2 s
a megabyte on the machine that measured it; other machines are slower, so the limit is eight times
that."""
_MEGABYTE = 1024 * 1024
DOCUMENT_TIME_FACTOR = 6
"""Time limit of documents as a multiple of the setting for other files: a PDF page takes 20 to 40
ms."""
HAS_CPU_TIMER = hasattr(signal, "setitimer")
"""Whether processor time can be limited; False on Windows, which has only the wall-clock
deadline."""
_COLLECT_THRESHOLD = 50_000
"""Allocated objects between two garbage collections: as many as the matches of 150 KB of source,
which have no cycles."""


def relax_garbage_collection() -> None:
    """Collect garbage less often and exempt existing objects; this saves an eighth of the time."""
    gc.freeze()
    gc.set_threshold(_COLLECT_THRESHOLD)


def reserve_stdout() -> IO[bytes]:
    """Return a stream to the real standard output, and redirect standard output to standard error.

    The stream carries the replies to the parent, so that a `print` in a library cannot corrupt
    them.
    """
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return replies


def cpu_seconds_for(size: int, *, most: float, is_document: bool = False) -> float:
    """Return how many CPU seconds a child may take to read a file of `size` bytes.

    The limit grows with `size` up to `most`; for a document it is always a fixed multiple of
    `most`.
    """
    if is_document:  # size says little: PDFs are compressed
        return most * DOCUMENT_TIME_FACTOR
    return min(_MIN_CPU_SECONDS + _CPU_SECONDS_PER_MEGABYTE * size / _MEGABYTE, most)


def limit_cpu_time(seconds: float) -> None:
    """Let the kernel kill this process after `seconds` more of processor time; 0 removes the limit.

    The default action of SIGPROF needs no Python code, which a hanging grammar would block by
    holding the GIL. Processor time makes the result independent of the machine's load.
    """
    if HAS_CPU_TIMER:
        signal.setitimer(signal.ITIMER_PROF, seconds)


def set_orphan_alarm(seconds: int) -> None:
    """Let the kernel kill this process after `seconds`, in case it hangs and its parent is gone.

    0 removes the alarm.
    """
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def limit_memory(megabytes: int) -> None:
    """Limit the address space of this process, so that a hostile file cannot use up the memory.

    Without effect on Windows.
    """
    try:
        import resource
    except ImportError:  # Windows has no rlimits; only the deadline applies
        return
    size = megabytes * _MEGABYTE
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or size < hard:
        resource.setrlimit(resource.RLIMIT_AS, (size, hard))
