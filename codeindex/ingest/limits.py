"""What keeps a child process from outliving its parent or taking the machine with it."""

from __future__ import annotations

import gc
import os
import signal
from typing import IO

_COLLECTED_AFTER = 50_000
"""Objects, what a query catches in 150 KB of source; they are no part of a cycle."""


def spare_collections() -> None:
    """Look for cycles less often, and not in what stays: it took an eighth of the time, or more."""
    gc.freeze()
    gc.set_threshold(_COLLECTED_AFTER)


def private_output() -> IO[bytes]:
    """Take standard output for the protocol alone: whatever prints goes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return replies


def alarm(seconds: int) -> None:
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
