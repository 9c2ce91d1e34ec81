"""What is kept beside an index while it is watched: INDEX.md, and drafts for the wiki."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from codeindex.api.index import Index
from codeindex.errors import CodeIndexError
from codeindex.types import SyncReport
from codeindex.watch.intervals import DraftCommand

logger = logging.getLogger(__name__)

Notify = Callable[[Index, str], object]
_END_SECONDS = 1.0


class PostSyncTasks:
    """Done after syncs: INDEX.md at once, drafts in a thread of their own when it is quiet."""

    def __init__(self, drafts: DraftCommand | None = None, *, say: Notify | None = None) -> None:
        self._drafts = drafts
        self._say = say or _log
        self._versions: dict[str, int] = {}
        self._wake = threading.Condition()
        self._due: dict[str, tuple[float, Index]] = {}
        self._closed = False
        self._thread: threading.Thread | None = None

    def after(self, index: Index, report: SyncReport) -> None:
        """Do what a sync asks for that has published something new."""
        name = index.repository.name
        if self._versions.get(name) == report.version:
            return
        self._versions[name] = report.version
        try:
            if index.overview.keep_index_file():
                self._say(index, "INDEX.md is regenerated")
        except (CodeIndexError, OSError) as error:
            self._say(index, f"INDEX.md was left as it is: {error}")
        if self._drafts is not None:
            self._schedule(index, self._drafts)

    def close(self) -> None:
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join(_END_SECONDS)

    def _schedule(self, index: Index, drafts: DraftCommand) -> None:
        with self._wake:
            at = time.monotonic() + drafts.debounce_ms / 1000
            self._due[index.repository.name] = (at, index)
            if self._thread is None:
                self._thread = threading.Thread(target=self._draft, args=(drafts,), daemon=True)
                self._thread.start()
            self._wake.notify_all()

    def _draft(self, drafts: DraftCommand) -> None:
        while (index := self._next()) is not None:
            try:
                for one in index.wiki.drafts(drafts.words):
                    outcome = one.reason or f"is drafted, version {one.version}"
                    self._say(index, f"wiki page {one.page!r}: {outcome}")
            except (CodeIndexError, OSError) as error:
                self._say(index, f"no drafts for the wiki: {error}")

    def _next(self) -> Index | None:
        """Wait for an index whose time has come; None at the end."""
        with self._wake:
            while not self._closed:
                name, (at, index) = min(
                    self._due.items(), key=lambda one: one[1][0], default=("", (0.0, None))
                )
                if index is None:
                    self._wake.wait()
                elif at > time.monotonic():
                    self._wake.wait(at - time.monotonic())
                else:
                    del self._due[name]
                    return index
        return None


def _log(index: Index, sentence: str) -> None:
    logger.info("%s: %s", index.repository.name, sentence)
