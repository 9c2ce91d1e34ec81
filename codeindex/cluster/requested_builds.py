"""Run the builds that clients of a cluster request, outside of the threads that answer."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError

from codeindex.cluster.build import BuildOutcome
from codeindex.errors import CodeIndexError

logger = logging.getLogger(__name__)

_BUILDS = 4
"""Most builds at once; Ray queues them, too, until there are processors."""
_WAITING = 2
"""Most requests that wait for their build: a server answers in eight threads."""
_WAIT_SECONDS = 20.0
"""Longest wait of a request; a small repository takes 10 s."""


class RequestedBuilds:
    """Builds of repositories by name, each at most once at a time; thread-safe.

    Requests for a build that has not begun share it. One that comes while the repository is built
    has it built again afterwards, since it may be about a newer commit.
    """

    def __init__(self, build: Callable[[str], BuildOutcome]) -> None:
        self._build = build
        self._lock = threading.Lock()
        self._requested: dict[str, Future[BuildOutcome]] = {}
        self._running: set[str] = set()
        self._threads = 0
        self._waiting = threading.BoundedSemaphore(_WAITING)

    def run(self, name: str) -> BuildOutcome | None:
        """Build a repository, and return the outcome; None if it goes on after this call.

        That is so after 20 seconds, and at once if two other calls are waiting.
        """
        future = self._request(name)
        if not self._waiting.acquire(blocking=False):
            return None
        try:
            return future.result(_WAIT_SECONDS)
        except FutureTimeoutError:
            return None
        finally:
            self._waiting.release()

    def _request(self, name: str) -> Future[BuildOutcome]:
        with self._lock:
            future = self._requested.setdefault(name, Future())
            if self._threads < _BUILDS:
                self._threads += 1
                threading.Thread(target=self._work, daemon=True).start()
            return future

    def _work(self) -> None:
        while True:
            with self._lock:
                name = next((n for n in self._requested if n not in self._running), None)
                if name is None:
                    self._threads -= 1
                    return
                future = self._requested.pop(name)
                self._running.add(name)
            try:
                future.set_result(self._build(name))
            except CodeIndexError as error:
                logger.warning("%s could not be built: %s", name, error)
                future.set_exception(error)
            except Exception as error:
                logger.exception("%s could not be built", name)
                future.set_exception(error)
            with self._lock:
                self._running.discard(name)
