"""The thread that keeps indexes up to date."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from codeindex.api.index import Index
from codeindex.errors import CodeIndexError, LockedError
from codeindex.types import SyncReport
from codeindex.watch.state import PhaseProgress, published_version

logger = logging.getLogger(__name__)

_AGAIN_SECONDS = 2.0
"""A repository that was synced less than this ago is not synced again for a question."""
_LOCKED_SECONDS = 1.0
"""How long the background leaves an index alone that another process is writing."""
_PUT_OFF = {"embedding", "export"}
"""Phases that are broken off for a changed file: what they did is kept, and they go on after."""
_TURN_SECONDS = 20.0
"""How long a sync that was asked for waits for its turn."""
_END_SECONDS = 3.0
"""How long the end waits for a sync to reach its next step."""


SyncListener = Callable[[Index, SyncReport | CodeIndexError], object]
"""Called with what each sync did, or failed of, in the thread that syncs."""


AfterSync = Callable[[Index, SyncReport], object]
"""Called after each sync that went well, in the thread that syncs."""


class _StoppedError(Exception):
    """The process ends: indexing goes on when it is started again."""


class _LaterError(Exception):
    """A file has changed: its words come before anybody's vectors."""


class BackgroundSync:
    """Syncs what it is told to: the structures of all, then the vectors; safe between threads.

    The thread starts with the first index that is wanted.
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
        self._wanted: dict[str, Index] = {}
        self._unfinished: dict[str, Index] = {}
        self._working: dict[str, PhaseProgress] = {}
        self._synced: dict[str, float] = {}
        self._whole: dict[str, int] = {}
        self._versions: dict[str, int] = {}
        self._failures: dict[str, CodeIndexError] = {}
        self._listeners: list[Callable[[], object]] = []

    @property
    def is_alive(self) -> bool:
        """False once the thread has ended, which it does by itself for a fault of ours alone."""
        return self._thread is None or self._thread.is_alive()

    def add(self, index: Index) -> None:
        """Know an index as it is now, and look for what has changed in its files."""
        version = published_version(index)
        with self._lock:
            self._versions.setdefault(index.repository.name, version)
        self.sync_soon(index)

    def current_work(self, index: Index) -> PhaseProgress | None:
        """Return what is being done to an index, None while it is at rest."""
        with self._lock:
            name = index.repository.name
            if name in self._working:
                return self._working[name]
            if name in self._wanted:
                return PhaseProgress("structure", 0, 0)
            return PhaseProgress("embedding", 0, 0) if name in self._unfinished else None

    def failure(self, index: Index) -> CodeIndexError | None:
        """Return why the last sync of an index failed, None if it did not."""
        return self._failures.get(index.repository.name)

    def sync_soon(self, index: Index) -> None:
        """Have an index synced, if that was not just done."""
        name = index.repository.name
        with self._wake:
            recent = time.monotonic() - self._synced.get(name, -_AGAIN_SECONDS) < _AGAIN_SECONDS
            if not (name in self._working or recent):
                self._want(index)

    def sync_changed(self, index: Index) -> None:
        """Have an index synced whose files have changed: a sync under way may not see it."""
        with self._wake:
            self._want(index)

    def _want(self, index: Index) -> None:
        if self._closed:
            return
        self._wanted.setdefault(index.repository.name, index)
        if self._thread is None:
            self._thread = threading.Thread(target=self._sync_all, daemon=True)
            self._thread.start()
        self._wake.notify()

    def sync_now(self, index: Index) -> SyncReport:
        """Look for changed files at once, and have the vectors made in the background.

        LockedError if somebody has been at it for long.
        """
        report = index.sync(structure_only=True, wait_seconds=_TURN_SECONDS)
        self._note_version(index.repository.name, report.version)
        self.sync_soon(index)
        return report

    def _sync_all(self) -> None:
        """Structures come before vectors, so that the words of all repositories answer soon."""
        while (job := self._next_job()) is not None:
            self._sync(*job)

    def _next_job(self) -> tuple[Index, bool] | None:
        """Wait for an index to sync, and whether for its structure alone; None at the end."""
        with self._wake:
            while not (self._wanted or self._unfinished or self._closed):
                self._wake.wait()
            if self._closed:
                return None
            structure_only = bool(self._wanted)
            waiting = self._wanted or self._unfinished
            name = next(iter(waiting))
            self._working[name] = PhaseProgress("structure", 0, 0)
            return waiting.pop(name), structure_only

    def _sync(self, index: Index, structure_only: bool) -> None:
        """Bring an index up to date; what fails is tried again when it is asked for."""
        name = index.repository.name
        try:
            report = index.sync(
                structure_only=structure_only, progress=lambda *step: self._note(name, *step)
            )
            self._note_done(index, report, structure_only)
        except _StoppedError:
            logger.debug("stopped while %s was indexed", name)
        except _LaterError:
            self._put_back(index, structure_only=False)
        except LockedError as error:
            logger.info("%s", error)
            self._put_back(index, structure_only=structure_only)
            with self._wake:
                self._wake.wait(_LOCKED_SECONDS)
        except CodeIndexError as error:
            self._failures[name] = error
            self._report(index, error)
        finally:
            with self._lock:
                self._working.pop(name, None)
                self._synced[name] = time.monotonic()

    def _note_done(self, index: Index, report: SyncReport, structure_only: bool) -> None:
        """Have the vectors made of a structure that differs from the one they were made of."""
        name = index.repository.name
        self._failures.pop(name, None)
        self._note_version(name, report.version)
        if not structure_only:
            self._whole[name] = report.version
        elif self._whole.get(name) != report.version:
            self._put_back(index, structure_only=False)
        self._report(index, report)
        if self._after is not None:
            self._after(index, report)

    def _put_back(self, index: Index, *, structure_only: bool) -> None:
        with self._lock:
            waiting = self._wanted if structure_only else self._unfinished
            waiting.setdefault(index.repository.name, index)

    def _note(self, name: str, phase: str, done: int, total: int) -> None:
        if self._closed:
            raise _StoppedError  # what was done is kept
        if phase in _PUT_OFF and self._wanted:
            raise _LaterError
        with self._lock:
            self._working[name] = PhaseProgress(phase, done, total)

    @contextmanager
    def listening(self, listener: Callable[[], object]) -> Iterator[None]:
        """Call a listener when an index is found changed, in whichever thread finds it.

        It must neither wait nor ask anything here: no other change is noted meanwhile.
        """
        with self._lock:
            self._listeners.append(listener)
        try:
            yield
        finally:
            with self._lock:
                self._listeners.remove(listener)

    def _note_version(self, name: str, version: int) -> None:
        """Tell of a version that was not known, whoever has published it."""
        with self._lock:
            if self._versions.get(name) == version:
                return
            self._versions[name] = version
            for listener in self._listeners:
                listener()

    def close(self) -> bool:
        """Stop at the next step; False if that takes longer, which then ends with the process."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join(timeout=_END_SECONDS)
        return self._thread is None or not self._thread.is_alive()


def _log(index: Index, what: SyncReport | CodeIndexError) -> None:
    if isinstance(what, CodeIndexError):
        logger.warning("%s could not be indexed: %s", index.repository.name, what)
