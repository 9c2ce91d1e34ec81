"""Run tasks after the sync of a watched index: regenerate INDEX.md, draft wiki pages."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from codeindex.api.index import Index
from codeindex.errors import CodeIndexError, unexpected_error
from codeindex.types import SyncReport
from codeindex.watch.options import DraftCommand

logger = logging.getLogger(__name__)

Notify = Callable[[Index, str], object]
_JOIN_SECONDS = 1.0
"""Seconds that `close` waits for the drafting thread, a daemon that ends with the process."""


class PostSyncTasks:
    """Runs the tasks of a watcher after a sync: writes INDEX.md, and drafts wiki pages.

    Drafts are written in a background thread, once no more syncs follow.
    """

    def __init__(self, drafts: DraftCommand | None = None, *, notify: Notify | None = None) -> None:
        self._drafts = drafts
        self._notify = notify or _log
        self._versions: dict[str, int] = {}
        self._wake = threading.Condition()
        self._due: dict[str, tuple[float, Index]] = {}
        self._closed = False
        self._thread: threading.Thread | None = None

    def run(self, index: Index, report: SyncReport) -> None:
        """Write INDEX.md again and schedule drafts of wiki pages after the sync with this `report`.

        Do nothing if an earlier call had a report with the same version. Errors are passed to
        `notify`.
        """
        name = index.repository.name
        if self._versions.get(name) == report.version:
            return
        self._versions[name] = report.version
        try:
            if index.overview.keep_index_file():
                self._notify(index, "INDEX.md is regenerated")
        except (CodeIndexError, OSError) as error:
            self._notify(index, f"INDEX.md was not updated: {error}")
        if self._drafts is not None:
            self._schedule(index, self._drafts)

    def close(self) -> None:
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join(_JOIN_SECONDS)

    def _schedule(self, index: Index, drafts: DraftCommand) -> None:
        with self._wake:
            due = time.monotonic() + drafts.debounce_ms / 1000
            self._due[index.repository.name] = (due, index)
            if self._thread is None:
                self._thread = threading.Thread(target=self._draft, args=(drafts,), daemon=True)
                self._thread.start()
            self._wake.notify_all()

    def _draft(self, drafts: DraftCommand) -> None:
        while (index := self._next()) is not None:
            try:
                for draft in index.wiki.drafts(drafts.words):
                    outcome = draft.reason or f"is drafted, version {draft.version}"
                    self._notify(index, f"wiki page {draft.page!r}: {outcome}")
            except (CodeIndexError, OSError) as error:
                self._notify(index, f"no wiki page was drafted: {error}")
            except Exception as error:  # else no page would be drafted any more
                logger.exception("no wiki page of %s was drafted", index.repository.name)
                reason = unexpected_error(error, "a draft")
                self._notify(index, f"no wiki page was drafted: {reason}")

    def _next(self) -> Index | None:
        """Wait until the debounce time after an index's last sync is over; return the index.

        Return None if this object was closed meanwhile.
        """
        with self._wake:
            while not self._closed:
                name, (due, index) = min(
                    self._due.items(), key=lambda item: item[1][0], default=("", (0.0, None))
                )
                if index is None:
                    self._wake.wait()
                elif due > time.monotonic():
                    self._wake.wait(due - time.monotonic())
                else:
                    del self._due[name]
                    return index
        return None


def _log(index: Index, sentence: str) -> None:
    logger.info("%s: %s", index.repository.name, sentence)
