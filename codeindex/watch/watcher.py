"""Watch the trees of indexes, one thread per index, and request syncs."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable

from codeindex.api.index import Index
from codeindex.errors import CodeIndexError, RootError, unexpected_error
from codeindex.files.folders import has_entries
from codeindex.store.datadir.filesystem import network_filesystem
from codeindex.watch.background_sync import BackgroundSync
from codeindex.watch.events import EventsUnavailableError, FileEvents
from codeindex.watch.options import WatchOptions
from codeindex.watch.watch_scope import BurstAction, WatchScope, missing_root_error

logger = logging.getLogger(__name__)

Notify = Callable[[Index, str], object]
"""Called with a sentence about the state of watching, in the thread that watches.

An exception that it raises is logged and has no other effect.
"""
_ROOT_CHECK_SECONDS = 1.0
"""Seconds between two checks whether the root was moved, or exists again."""
_RELIST_SECONDS = 0.1
"""Seconds before the folders are listed again, if one was deleted meanwhile."""
_RETRY_SECONDS = 10.0
"""Seconds after an unexpected error until the tree is watched again."""
_JOIN_SECONDS = 1.0
"""Seconds that `close` waits for a thread, which is a daemon and ends with the process."""


class Watcher:
    """Requests a sync of an index soon after one of its files has changed.

    The system reports changes; if it cannot, the watcher polls the tree. If a root is missing, the
    watcher keeps the index and waits until the root is back.
    """

    def __init__(
        self,
        background: BackgroundSync,
        options: WatchOptions,
        *,
        notify: Notify = lambda *_: None,
    ) -> None:
        self._background = background
        self._options = options
        self._notify = notify
        self._stop = threading.Event()
        self._threads: dict[str, threading.Thread] = {}

    def add(self, index: Index) -> None:
        """Watch an index, unless it is watched already."""
        name = index.repository.name
        if name not in self._threads:
            self._threads[name] = threading.Thread(target=self._watch, args=(index,), daemon=True)
            self._threads[name].start()

    def close(self) -> None:
        self._stop.set()
        for thread in self._threads.values():
            thread.join(_JOIN_SECONDS)

    def _watch(self, index: Index) -> None:
        requested = "as requested" if self._options.interval else ""
        why_polling, first = requested, True
        while not self._stop.is_set():
            try:
                if why_polling:
                    self._poll(index, why_polling)
                else:
                    self._follow(index, first=first)
            except FileNotFoundError:
                self._stop.wait(_RELIST_SECONDS)  # a folder was deleted before it was watched
                continue
            except RootError as error:
                self._wait_for_root(index, error)
                why_polling, first = requested, True  # the new root may be on another disk
                continue
            except EventsUnavailableError as error:
                why_polling = str(error)
            except CodeIndexError as error:
                self._pause(index, error)
            except Exception as error:
                logger.exception("%s is not watched for the moment", index.repository.name)
                self._pause(index, unexpected_error(error, "watching"))
            first = False

    def _pause(self, index: Index, error: CodeIndexError) -> None:
        self._tell(index, f"{error}; trying again in {_RETRY_SECONDS:g} s")
        self._stop.wait(_RETRY_SECONDS)

    def _tell(self, index: Index, sentence: str) -> None:
        try:
            self._notify(index, sentence)
        except Exception:  # else the index would be watched no more
            logger.exception("a message about %s was lost: %s", index.repository.name, sentence)

    def _follow(self, index: Index, *, first: bool) -> None:
        """Request a sync after each burst of events, until the folders must be listed again.

        With `first`, the user is told how many folders are watched.
        """
        scope = WatchScope(index.root, index.settings.config)
        kind = network_filesystem(index.root)
        poll_seconds = index.settings.config.watch.interval if kind else math.inf
        with FileEvents(scope.paths(), debounce_ms=self._debounce(index)) as events:
            if first:
                also = (
                    f", and checking every {poll_seconds:g} s for changes by other machines"
                    f" ({kind})"
                )
                self._tell(index, f"watching {scope.folder_count:,} folders{also if kind else ''}")
            self._background.sync_changed(index)  # for changes before the watch began
            synced = time.monotonic()
            while not (self._stop.is_set() or scope.is_root_replaced()):
                burst = events.next_burst(
                    seconds=_ROOT_CHECK_SECONDS, git_is_writing=scope.git_is_writing
                )
                action = scope.required_action(burst) if burst else BurstAction.NOTHING
                if action is BurstAction.RESCAN:
                    self._reload(index)
                    return
                is_poll_due = time.monotonic() - synced > poll_seconds
                if (action is BurstAction.SYNC or is_poll_due) and not scope.is_root_replaced():
                    self._background.sync_changed(index)
                    synced = time.monotonic()

    def _debounce(self, index: Index) -> int:
        debounce_ms = self._options.debounce_ms
        return index.settings.config.watch.debounce_ms if debounce_ms is None else debounce_ms

    def _poll(self, index: Index, why: str) -> None:
        """Request a sync at each interval until `close` is called.

        `why` says why file events cannot be used. Raise RootError if the root is missing.
        """
        seconds = self._options.interval or index.settings.config.watch.interval
        self._tell(index, f"checking every {seconds:g} s: {why}")
        while has_entries(index.root):
            self._reload(index)
            self._background.sync_changed(index)
            if self._stop.wait(seconds):
                return
        raise missing_root_error(index.root)

    def _wait_for_root(self, index: Index, error: RootError) -> None:
        """Wait until the root exists again, or until `close` is called."""
        self._tell(index, str(error))
        while not has_entries(index.root):
            if self._stop.wait(_ROOT_CHECK_SECONDS):
                return
        self._tell(index, f"'{index.root}' is back")

    def _reload(self, index: Index) -> None:
        """Load the settings again, because a settings file of the repository may have changed."""
        try:
            index.reload()
        except CodeIndexError as error:
            self._tell(index, str(error))
