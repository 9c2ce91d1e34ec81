"""What keeps a child process from outliving its parent or taking the machine with it."""

from __future__ import annotations

import gc
import os
import signal
from typing import IO

_LEAST_SECONDS, _SECONDS_A_MEGABYTE = 8.0, 16.0
"""Of processor time. The slowest text takes 2 s a megabyte where this was measured; other machines
are slower."""
_MEGABYTE = 1024 * 1024
DOCUMENT_TIME_FACTOR = 6
"""How many times as long a document may take: pages of a PDF take 20 to 40 ms each."""
HAS_CPU_TIMER = hasattr(signal, "setitimer")
"""Windows has none: there a deadline is by the clock on the wall."""
_COLLECTED_AFTER = 50_000
"""Objects, what a query catches in 150 KB of source; they are no part of a cycle."""


def relax_garbage_collection() -> None:
    """Look for cycles less often, and not in what stays: it took an eighth of the time, or more."""
    gc.freeze()
    gc.set_threshold(_COLLECTED_AFTER)


def reserve_stdout() -> IO[bytes]:
    """Take standard output for the protocol alone: whatever prints goes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return replies


def cpu_seconds_for(size: int, *, most: float, is_document: bool = False) -> float:
    """Return the seconds that the preparation of a file of so many bytes may take."""
    if is_document:  # their size says little
        return most * DOCUMENT_TIME_FACTOR
    return min(_LEAST_SECONDS + _SECONDS_A_MEGABYTE * size / _MEGABYTE, most)


def limit_cpu_time(seconds: float) -> None:
    """Have the kernel end this process after so much processor time; 0 is never.

    By SIGPROF, whose default no Python has to run for: a grammar that hangs holds the GIL. What is
    parsed does not depend so on how many others share the processor.
    """
    if HAS_CPU_TIMER:
        signal.setitimer(signal.ITIMER_PROF, seconds)


def set_orphan_alarm(seconds: int) -> None:
    """Let the kernel end a hanging child whose parent is no longer there to do it; 0 is never."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


def limit_memory(megabytes: int) -> None:
    """Bound the address space, so that a hostile file ends this process and not the machine."""
    try:
        import resource
    except ImportError:  # Windows has no rlimits; the deadline alone has to do
        return
    size = megabytes * 1024 * 1024
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or size < hard:
        resource.setrlimit(resource.RLIMIT_AS, (size, hard))
