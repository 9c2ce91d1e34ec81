"""Send a search to the shares that hold its repositories, and collect answers until a deadline.

Each repository is held by several shares; the later ones are called if the first one is slow or
lost.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any, Protocol

from codeindex.api.requests.core import SearchRequest
from codeindex.cluster.share import ShareAnswers
from codeindex.errors import CodeIndexError, NotReadyError, QueryError
from codeindex.types import Answer

_FIRST_COPY = 0.5
"""Share of the time limit after which the next copy of a repository is asked, too, if the first one
has not replied."""
_AVOID_SECONDS = 10.0
"""Time for which a lost or late share is called after all others; Ray restarts an actor within."""
RETRY_SECONDS = 0.2
"""Pause before a lost share is called again; Ray reconnects to an actor, or restarts it, in .5
s."""


class Share(Protocol):
    """A handle to a share: a process that serves some of the repositories of a cluster."""

    @property
    def name(self) -> str:
        """The name of the share.

        `place_repository` computes from it which repositories the share holds.
        """

    def submit(self, method: str, *values: Any) -> Future[Any]:
        """Call a method of the share's `RepositoryShare` without waiting; return a future.

        The future has the result or error of the method, or NotReadyError if the share is lost.
        """


class Suspects:
    """Remembers which shares were lost or late in the last seconds; thread-safe.

    Such shares are called only after other shares with the same repositories.
    """

    def __init__(self) -> None:
        self._since: dict[str, float] = {}
        self._lock = threading.Lock()

    def note(self, share: str, *, is_late: bool) -> None:
        """Record whether a share was late or lost (`is_late`), or replied in time."""
        with self._lock:
            if is_late:
                self._since[share] = time.monotonic()
            else:
                self._since.pop(share, None)

    def order_shares(self, shares: Sequence[str]) -> tuple[str, ...]:
        """Return `shares` in their order, but those that were recently late or lost at the end."""
        now = time.monotonic()
        with self._lock:
            late = {name for name, at in self._since.items() if now - at < _AVOID_SECONDS}
        return tuple(sorted(shares, key=lambda share: share in late))


@dataclass(frozen=True, slots=True)
class SharedQuery:
    """A search request for several shares.

    `cursors` maps repositories to the cursors at which their results continue, and `seconds` is the
    time limit.
    """

    request: SearchRequest
    cursors: Mapping[str, str]
    seconds: float


def search_shares(
    shares: Mapping[str, Share],
    copies: Mapping[str, Sequence[str]],
    query: SharedQuery,
    *,
    suspects: Suspects,
) -> ShareAnswers:
    """Search each repository in the first of its shares that answers in time.

    `copies` maps each repository to the names of the shares that hold it. If no other share
    answers, a lost one is called again until the time limit, since it may reconnect or restart. If
    all shares of a repository are lost, late or still loading, `failed` has the reason. Raise
    QueryError if the request is invalid.
    """
    search = _Search(shares, query, suspects)
    search.order = {name: list(suspects.order_shares(holders)) for name, holders in copies.items()}
    search.ask(tuple(copies))
    search.collect(query.seconds * _FIRST_COPY)
    search.ask(search.unanswered())
    search.collect(query.seconds)
    search.give_up()
    return search.result()


class _Search:
    """The state of one search: calls in progress, answers, and shares to call next."""

    def __init__(self, shares: Mapping[str, Share], query: SharedQuery, suspects: Suspects) -> None:
        self._shares, self._query, self._suspects = shares, query, suspects
        self._started = time.monotonic()
        self.order: dict[str, list[str]] = {}
        """{repository: shares that hold it and have not been called yet}."""
        self._running: dict[Future[Any], tuple[str, tuple[str, ...]]] = {}
        self._lost: dict[str, list[str]] = defaultdict(list)
        """{repository: shares to call again}: lost ones, and restarted ones that are still
        loading."""
        self._restarted: set[str] = set()
        """Shares that were lost in this search. After their restart they load their repositories
        soon."""
        self._answers: dict[str, Answer] = {}
        self._commits: dict[str, str] = {}
        self._failed: dict[str, str] = {}

    def unanswered(self) -> tuple[str, ...]:
        """Return the repositories without an answer."""
        return tuple(name for name in self.order if name not in self._answers)

    def ask(self, names: Sequence[str]) -> None:
        """Send each of these repositories to its next share, if there is one.

        A share that gets several repositories is called once.
        """
        calls: dict[str, dict[str, str]] = defaultdict(dict)
        for name in names:
            if self.order[name]:
                calls[self.order[name].pop(0)][name] = self._query.cursors.get(name, "")
        left = max(self._started + self._query.seconds - time.monotonic(), 0.0)
        for share, cursors in calls.items():
            future = self._shares[share].submit("search", cursors, self._query.request, left)
            self._running[future] = (share, tuple(cursors))

    def collect(self, seconds: float) -> None:
        """Collect results of calls until `seconds` after the start of the search.

        If a call fails, the repositories are sent to their next share.
        """
        until = self._started + seconds
        while unanswered := self.unanswered():
            lost = [name for name in unanswered if self._lost[name]]
            if not (self._running or lost):
                return
            left = max(until - time.monotonic(), 0.0)
            ended = self._ended(min(left, RETRY_SECONDS) if lost else left)
            for future in ended:
                share, names = self._running.pop(future)
                self._take(future, share, names)
                self.ask([name for name in names if name not in self._answers])
            if not ended:
                if not left:
                    return
                self._ask_again(lost)

    def _ended(self, seconds: float) -> set[Future[Any]]:
        """Wait up to `seconds` until a call ends, and return the calls that have ended."""
        if self._running:
            return wait(self._running, seconds, return_when=FIRST_COMPLETED).done
        time.sleep(seconds)
        return set()

    def _ask_again(self, lost: Sequence[str]) -> None:
        """Send the repositories `lost` again to the shares that were lost; they may be back now."""
        for name in lost:
            self.order[name] += self._lost.pop(name)
        self.ask(lost)

    def _take(self, future: Future[Any], share: str, names: Sequence[str]) -> None:
        try:
            result: ShareAnswers = future.result()
        except QueryError:
            raise
        except CodeIndexError as error:
            self._failed.update(dict.fromkeys(names, str(error)))
            self._suspects.note(share, is_late=True)
            if isinstance(error, NotReadyError):
                self._restarted.add(share)
                self._note_lost(share, names)
            return
        self._suspects.note(share, is_late=False)
        if share in self._restarted:
            self._note_lost(share, result.loading)
        self._failed.update(result.failed)
        self._commits = {**result.commits, **self._commits}
        self._answers = {**result.answers, **self._answers}

    def _note_lost(self, share: str, names: Iterable[str]) -> None:
        for name in names:
            self._lost[name].append(share)

    def give_up(self) -> None:
        """Record which shares have not answered, and an error for each repository sent to them."""
        for share, names in self._running.values():
            if late := [name for name in names if name not in self._answers]:
                self._suspects.note(share, is_late=True)
                why = f"Its machine did not answer within {self._query.seconds:.1f} s."
                self._failed |= {name: self._failed.get(name, why) for name in late}

    def result(self) -> ShareAnswers:
        """Return the answers, and an error message for each repository that has not answered."""
        failed = {name: self._failed.get(name, "No share has it.") for name in self.unanswered()}
        return ShareAnswers(self._answers, self._commits, failed)
