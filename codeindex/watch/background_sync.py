"""Sync indexes in a background thread."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from codeindex.api.index import Index
from codeindex.errors import CodeIndexError, LockedError, unexpected_error
from codeindex.types import MIN_REORDERED_FILES, SyncReport
from codeindex.watch.first_questions import FirstQuestions
from codeindex.watch.state import PhaseProgress, has_unstored_files, index_version

logger = logging.getLogger(__name__)

_RECENT_SECONDS = 2.0
"""Seconds after a sync of an index in which `sync_soon` does not request another one."""
_LOCKED_SECONDS = 1.0
"""Seconds before another attempt to sync an index that another process is writing."""
_INTERRUPTIBLE_PHASES = {"embedding", "export"}
"""Phases that a new request interrupts; they keep their results and continue later."""
_REQUESTED_WAIT_SECONDS = 20.0
"""Seconds that a requested sync waits for the writer lock."""
_JOIN_SECONDS = 3.0
"""Seconds that `close` waits for a sync to reach its next progress report."""


SyncListener = Callable[[Index, SyncReport | CodeIndexError], object]
"""Called with the report or the error of each sync, in the thread that syncs.

An exception that it raises is logged and has no other effect.
"""


AfterSync = Callable[[Index, SyncReport], object]
"""Called after each successful sync, in the thread that syncs; exceptions are logged."""


class _StoppedError(Exception):
    """Raised inside a sync when the process is closing; the next process continues the sync."""


class _InterruptedError(Exception):
    """Raised inside a sync that embeds or exports chunks when another sync is requested.

    The requested sync runs first: all structures (everything but vectors) are updated before any
    vectors.
    """


class BackgroundSync:
    """Syncs indexes in a background thread; all structures are updated before any vectors.

    The structure of an index is everything but its vectors. The object is thread-safe. The
    background thread starts with the first request.
    """

    def __init__(
        self, report: SyncListener | None = None, *, after: AfterSync | None = None
    ) -> None:
        self._report = report or _log
        self._after = after
        self._lock = threading.Lock()
        self._wake = threading.Condition(self._lock)
        self._thread: threading.Thread | None = None
        self._closed = False
        self._questions = FirstQuestions()
        self._requested: dict[str, Index] = {}
        self._unfinished: dict[str, Index] = {}
        self._working: dict[str, PhaseProgress] = {}
        self._synced: dict[str, float] = {}
        self._embedded_versions: dict[str, int] = {}
        self._versions: dict[str, int] = {}
        self._failures: dict[str, CodeIndexError] = {}
        self._waits: dict[str, str] = {}
        self._warm: set[str] = set()
        self._listeners: list[Callable[[], object]] = []

    def add(self, index: Index) -> None:
        """Record the current version of an index, and request a sync of it."""
        version = index_version(index)
        with self._lock:
            self._versions.setdefault(index.repository.name, version)
        self.sync_soon(index)

    def current_work(self, index: Index) -> PhaseProgress | None:
        """Return the progress of an index's running or waiting sync; None if there is none.

        A waiting sync has `done` and `total` 0.
        """
        with self._lock:
            name = index.repository.name
            if name in self._working:
                return self._working[name]
            if name in self._requested:
                return PhaseProgress("structure", 0, 0)
            return PhaseProgress("embedding", 0, 0) if name in self._unfinished else None

    def prefer(self, index: Index, question: str) -> bool:
        """Ask the first sync of an index to store the files for a question before all others.

        These are the files that are likeliest to answer it; `is_answerable` tells when they can be
        searched. Do nothing and return False if no first sync of the index runs in this process, if
        it has almost ended, or if too many questions wait.
        """
        name = index.repository.name
        work = self._working.get(name)
        is_storing = work is not None and work.phase == "structure"
        is_long = work is not None and work.total - work.done >= MIN_REORDERED_FILES
        is_first = is_storing and is_long and has_unstored_files(index)
        return is_first and self._questions.add(name, question)

    def is_answerable(self, index: Index, question: str) -> bool:
        """Tell whether the files for a question that was given to `prefer` can be searched."""
        return self._questions.are_stored(index.repository.name, question)

    def has_likely_files(self, index: Index) -> bool:
        """Tell whether a first sync has stored the files for at least one question early."""
        return self._questions.has_stored(index.repository.name)

    def failure(self, index: Index) -> CodeIndexError | None:
        """Return the error of the last sync of an index; None if it succeeded or none has ended.

        If the index was locked, that is no error, because the sync is repeated.
        """
        return self._failures.get(index.repository.name)

    def sync_soon(self, index: Index) -> None:
        """Request a sync of an index, unless one is running or ended less than 2 seconds ago."""
        name = index.repository.name
        with self._wake:
            is_recent = (
                time.monotonic() - self._synced.get(name, -_RECENT_SECONDS) < _RECENT_SECONDS
            )
            if not (name in self._working or is_recent):
                self._request(index)

    def sync_changed(self, index: Index) -> None:
        """Request a sync after a file change.

        It is requested even while a sync is running, because that sync may miss the change.
        """
        with self._wake:
            self._request(index)

    def _request(self, index: Index) -> None:
        if self._closed:
            return
        self._requested.setdefault(index.repository.name, index)
        if self._thread is None:
            self._thread = threading.Thread(target=self._sync_all, daemon=True)
            self._thread.start()
        self._wake.notify()

    def sync_now(self, index: Index) -> SyncReport:
        """Sync the structure of an index (all but vectors) in the calling thread.

        Then request a background sync of the vectors. Raise LockedError if another process holds
        the lock for 20 seconds.
        """
        report = index.sync(structure_only=True, wait_seconds=_REQUESTED_WAIT_SECONDS)
        self._note_version(index.repository.name, report.version)
        self.sync_soon(index)
        return report

    def _sync_all(self) -> None:
        """Run requested syncs until `close` is called.

        Structures come first, so that all indexes can soon be searched.
        """
        while (job := self._next_job()) is not None:
            if self._sync(*job):
                self._warm_up(job[0])

    def _warm_up(self, index: Index) -> None:
        """Load once what the first search of an index needs, so that this search is fast.

        The structure of the index must be synced.
        """
        name = index.repository.name
        if self._closed or name in self._warm or name in self._failures:
            return
        self._warm.add(name)
        try:
            index.warm_up()
        except Exception as error:  # noqa: BLE001 (searches work without it)
            logger.debug("%s is not warmed up: %s", name, error)

    def _next_job(self) -> tuple[Index, bool] | None:
        """Wait for a request; return (index, whether to sync only its structure).

        The structure is everything but the vectors. Return None after `close`.
        """
        with self._wake:
            while not (self._requested or self._unfinished or self._closed):
                self._wake.wait()
            if self._closed:
                return None
            structure_only = bool(self._requested)
            waiting = self._requested or self._unfinished
            name = next(iter(waiting))
            self._working[name] = PhaseProgress("structure", 0, 0)
            return waiting.pop(name), structure_only

    def _sync(self, index: Index, structure_only: bool) -> bool:
        """Sync an index and report the result; return whether it succeeded.

        With `structure_only`, vectors are not updated. After an error, the index is synced again
        only if that is requested; a locked index is tried again.
        """
        name = index.repository.name
        try:
            report = index.sync(
                structure_only=structure_only,
                next_question=partial(self._questions.next_of, name),
                progress=partial(self._note, name),
            )
            self._questions.forget(name)
            self._note_done(index, report, structure_only)
        except _StoppedError:
            logger.debug("stopped while %s was indexed", name)
        except _InterruptedError:
            self._put_back(index, structure_only=False)
        except LockedError as error:
            self._put_back(index, structure_only=structure_only)
            self._wait_for_lock(name, str(error))
        except CodeIndexError as error:
            self._note_failure(index, error)
        except Exception as error:  # else no index would be synced any more
            logger.exception("%s could not be synced", name)
            self._note_failure(index, unexpected_error(error, "a sync"))
        else:
            return True
        finally:
            with self._lock:
                self._working.pop(name, None)
                self._synced[name] = time.monotonic()
        return False

    def _wait_for_lock(self, name: str, reason: str) -> None:
        """Wait a little before a locked index is tried again; log each reason once."""
        if reason != self._waits.get(name):
            logger.info("%s", reason)
        self._waits[name] = reason
        with self._wake:
            self._wake.wait(_LOCKED_SECONDS)

    def _note_done(self, index: Index, report: SyncReport, structure_only: bool) -> None:
        """Record the report of a sync.

        If only the structure was synced and the vectors are of an older version, a sync of the
        vectors is requested.
        """
        name = index.repository.name
        self._failures.pop(name, None)
        self._note_version(name, report.version)
        if not structure_only:
            self._embedded_versions[name] = report.version
        elif self._embedded_versions.get(name) != report.version:
            self._put_back(index, structure_only=False)
        self._notify(index, report)

    def _note_failure(self, index: Index, error: CodeIndexError) -> None:
        self._failures[index.repository.name] = error
        self._notify(index, error)

    def _notify(self, index: Index, result: SyncReport | CodeIndexError) -> None:
        """Pass the result of a sync to the callbacks of the constructor; log their exceptions."""
        try:
            self._report(index, result)
            if self._after is not None and isinstance(result, SyncReport):
                self._after(index, result)
        except Exception:  # else no index would be synced any more
            logger.exception("what follows a sync of %s failed", index.repository.name)

    def _put_back(self, index: Index, *, structure_only: bool) -> None:
        with self._lock:
            waiting = self._requested if structure_only else self._unfinished
            waiting.setdefault(index.repository.name, index)

    def _note(self, name: str, phase: str, done: int, total: int) -> None:
        """Record the progress of a sync, or end it: what it has stored stays."""
        if self._closed:
            raise _StoppedError
        if phase == "first":
            self._questions.mark_next_stored(name)
            return
        if phase in _INTERRUPTIBLE_PHASES and self._requested:
            raise _InterruptedError
        with self._lock:
            self._working[name] = PhaseProgress(phase, done, total)

    @contextmanager
    def listening(self, listener: Callable[[], object]) -> Iterator[None]:
        """In the block, call `listener` whenever a new version of an index is noticed.

        It is called while this object's lock is held, in the thread that notices the version. So it
        must not wait, and must not call this object.
        """
        with self._lock:
            self._listeners.append(listener)
        try:
            yield
        finally:
            with self._lock:
                self._listeners.remove(listener)

    def _note_version(self, name: str, version: int) -> None:
        """Record the version of an index, and call the listeners if it is new.

        Versions that other processes published count, too.
        """
        with self._lock:
            if self._versions.get(name) == version:
                return
            self._versions[name] = version
            for listener in self._listeners:
                listener()

    def close(self) -> bool:
        """End the background thread at its next progress report; return whether it has ended.

        It waits for the thread at most 3 seconds.
        """
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join(timeout=_JOIN_SECONDS)
        return self._thread is None or not self._thread.is_alive()


def _log(index: Index, result: SyncReport | CodeIndexError) -> None:
    if isinstance(result, CodeIndexError):
        logger.warning("%s could not be indexed: %s", index.repository.name, result)
