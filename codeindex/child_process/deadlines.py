"""Kill a child process that exceeds the time for a request.

One thread watches all requests. A `threading.Timer` for each request would start a thread, and a
thread that starts has to wait for the GIL while another one computes.
"""

from __future__ import annotations

import contextlib
import logging
import math
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(slots=True, eq=False)
class ProcessDeadline:
    """A time, by `time.monotonic`, at which a process is killed."""

    process: subprocess.Popen[bytes]
    at: float
    is_late: bool = False
    """Whether the process was killed at this deadline."""


class DeadlineWatch:
    """Kills processes at their deadlines, in a thread that starts with the first one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._open: set[ProcessDeadline] = set()
        self._wakes = math.inf
        """When the thread checks the deadlines next; none of them is earlier."""
        self._thread = threading.Thread()

    @contextlib.contextmanager
    def kill_after(
        self, seconds: float, process: subprocess.Popen[bytes]
    ) -> Iterator[ProcessDeadline]:
        """Kill the process if the `with` block takes more than `seconds`."""
        deadline = ProcessDeadline(process, time.monotonic() + seconds)
        with self._changed:
            self._open.add(deadline)
            if not self._thread.is_alive():  # nor after a fork
                self._thread = threading.Thread(target=self._watch, daemon=True)
                self._thread.start()
            elif deadline.at < self._wakes:
                self._changed.notify()
        try:
            yield deadline
        finally:
            with self._changed:
                self._open.discard(deadline)

    def _watch(self) -> None:
        with self._changed:
            while True:
                now = time.monotonic()
                for deadline in [each for each in self._open if each.at <= now]:
                    deadline.is_late = True
                    self._open.discard(deadline)
                    _kill(deadline.process)
                self._wakes = min((each.at for each in self._open), default=math.inf)
                self._changed.wait(None if self._wakes == math.inf else self._wakes - now)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process; log why if the system refuses, so that other deadlines are kept."""
    try:
        process.kill()
    except OSError as error:
        logging.getLogger(__name__).warning("Process %d is not killed: %s", process.pid, error)


DEADLINES = DeadlineWatch()
"""The deadlines of this process."""
