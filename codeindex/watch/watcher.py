"""The threads that notice changes and have the indexes synced."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

from codeindex.api.index import Index
from codeindex.errors import CodeIndexError, RootError
from codeindex.store.datadir.filesystem import network_filesystem
from codeindex.watch.background_sync import BackgroundSync
from codeindex.watch.events import EventsUnavailableError, FileEvents
from codeindex.watch.intervals import WatchIntervals
from codeindex.watch.watch_scope import (
    BurstAction,
    WatchScope,
    missing_root_error,
    root_has_entries,
)

Notify = Callable[[Index, str], object]
"""Called with a sentence about how an index is watched, in the thread that watches it."""
_LOOK_SECONDS = 1.0
"""How often a root is looked at that may have been moved, or may have come back."""
_END_SECONDS = 1.0


class Watcher:
    """Has a background sync an index soon after a file of it changes; a thread for each.

    Changes are told by the system, or looked for at an interval, as they are where the system
    cannot tell. A root that is gone keeps its index, and is waited for.
    """

    def __init__(
        self,
        background: BackgroundSync,
        pace: WatchIntervals,
        *,
        say: Notify = lambda *_: None,
    ) -> None:
        self._background = background
        self._pace = pace
        self._say = say
        self._stop = threading.Event()
        self._threads: dict[str, threading.Thread] = {}

    def add(self, index: Index) -> None:
        """Watch an index, once."""
        name = index.repository.name
        if name not in self._threads:
            self._threads[name] = threading.Thread(target=self._watch, args=(index,), daemon=True)
            self._threads[name].start()

    def close(self) -> None:
        self._stop.set()
        for thread in self._threads.values():
            thread.join(_END_SECONDS)

    def _watch(self, index: Index) -> None:
        first = True
        while not self._stop.is_set():
            try:
                if self._pace.interval:
                    self._look(index, "as asked")
                else:
                    self._follow(index, first=first)
            except FileNotFoundError:
                continue  # a folder went between the survey and its watch
            except RootError as error:
                self._await(index, error)
            except EventsUnavailableError as error:
                self._look(index, str(error))
            first = False

    def _follow(self, index: Index, *, first: bool) -> None:
        """Sync after each burst, until the tree has to be surveyed again."""
        territory = WatchScope(index.root, index.settings.config)
        kind = network_filesystem(index.root)
        unseen = index.settings.config.watch.interval if kind else math.inf
        with FileEvents(territory.paths(), debounce_ms=self._debounce(index)) as events:
            if first:
                also = f", and looking every {unseen:g} s for what others change on {kind}"
                self._say(index, f"watching {territory.folders:,} folders{also if kind else ''}")
            self._background.sync_changed(index)  # whatever happened while nobody listened
            synced = time.monotonic()
            while not (self._stop.is_set() or territory.is_left()):
                changes = events.burst(
                    seconds=_LOOK_SECONDS, git_is_writing=territory.git_is_writing
                )
                meaning = territory.meaning(changes) if changes else BurstAction.NOTHING
                if meaning is BurstAction.SURVEY:
                    self._reload(index)
                    return
                late = time.monotonic() - synced > unseen
                if (meaning is BurstAction.SYNC or late) and not territory.is_left():
                    self._background.sync_changed(index)
                    synced = time.monotonic()

    def _debounce(self, index: Index) -> int:
        given = self._pace.debounce_ms
        return index.settings.config.watch.debounce_ms if given is None else given

    def _look(self, index: Index, why: str) -> None:
        """Sync again and again; a sync of what did not change costs its stats."""
        seconds = self._pace.interval or index.settings.config.watch.interval
        self._say(index, f"looking every {seconds:g} s: {why}")
        while root_has_entries(index.root):
            self._reload(index)
            self._background.sync_changed(index)
            if self._stop.wait(seconds):
                return
        raise missing_root_error(index.root)

    def _await(self, index: Index, error: RootError) -> None:
        """Wait until there is something at the root again: its index is kept."""
        self._say(index, str(error))
        while not root_has_entries(index.root):
            if self._stop.wait(_LOOK_SECONDS):
                return
        self._say(index, f"'{index.root}' is back")

    def _reload(self, index: Index) -> None:
        """Take in the settings: those of the repository may be what has changed."""
        try:
            index.reload()
        except CodeIndexError as error:
            self._say(index, str(error))
