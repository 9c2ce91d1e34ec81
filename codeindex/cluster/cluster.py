"""Serve the repositories of a store from shares: assign them, search them, call their indexes.

A share is a Ray actor with the indexes of some repositories (`RepositoryShare`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, wait
from concurrent.futures import TimeoutError as FutureTimeoutError
from difflib import get_close_matches
from typing import Any

from codeindex.api.requests.core import SearchRequest
from codeindex.cluster.entries import StoredRepositories, StoredRepository, read_entries
from codeindex.cluster.fan_out import RETRY_SECONDS, Share, SharedQuery, Suspects, search_shares
from codeindex.cluster.placement import place_repository
from codeindex.cluster.share import CallReply, IndexCall, ShareAnswers, ShareState
from codeindex.errors import (
    ClusterError,
    CodeIndexError,
    NotReadyError,
    ScopeError,
    StoreAccessError,
)
from codeindex.text.urls import plain_url

DEADLINE_SECONDS = 10.0
"""Default time limit of an answer: agents give up after 60 s, and people earlier."""
_LOAD_POLL_SECONDS = 0.1
_STATE_SECONDS = 5.0
_ASSIGN_SECONDS = 60.0
"""Longest wait for an actor to start: importing the library on a busy machine takes ten."""


class Cluster:
    """The repositories of a store and the shares that serve them; thread-safe.

    A share is a process (a Ray actor, `RepositoryShare`) with the indexes of some of the
    repositories.
    """

    def __init__(
        self, place: str, shares: Sequence[Share], *, seconds: float = DEADLINE_SECONDS
    ) -> None:
        """Set the store's address, the shares, and the time limit of an answer; read nothing.

        Raise ClusterError without shares.
        """
        if not shares:
            raise ClusterError("A cluster needs at least one share.")
        self.place = place
        self._shares = {share.name: share for share in shares}
        self._seconds = seconds
        self._suspects = Suspects()
        self._lock = threading.Lock()
        self._entries: Mapping[str, StoredRepository] = {}
        self._assigned: list[Future[Any]] = []
        """The `assign` calls of the last `refresh`, which `wait_until_loaded` waits for."""

    def refresh(self) -> StoredRepositories:
        """Read the store, and make the shares load new bundles in the background.

        All repositories are assigned again, because a share may have been restarted. Raise
        SharingError if the store cannot be read, or if it lost all its repositories at once.
        """
        stored = read_entries(self.place)
        if self._entries and not (stored.by_name or stored.problems):
            raise StoreAccessError(
                f"'{plain_url(self.place)}' has no repositories any more; those loaded before are"
                " still served: see whether its disk is mounted, or end this program."
            )
        with self._lock:
            self._entries = stored.by_name
        held: dict[str, list[StoredRepository]] = {name: [] for name in self._shares}
        for name, entry in stored.by_name.items():
            for share in self.holders(name):
                held[share].append(entry)
        self._assigned = [
            self._shares[share].submit("assign", tuple(entries)) for share, entries in held.items()
        ]
        return stored

    def names(self) -> tuple[str, ...]:
        """Return the names of all repositories, sorted."""
        return tuple(self._entries)

    def entry(self, name: str) -> StoredRepository:
        """Return the entry of a repository; raise ScopeError for an unknown name."""
        if name not in self._entries:
            raise unknown_repository(name, self.names())
        return self._entries[name]

    def holders(self, name: str) -> tuple[str, ...]:
        """Return the names of the shares that hold a repository.

        The first is the one to ask first.
        """
        return place_repository(name, tuple(self._shares))

    def search(
        self, names: Sequence[str], request: SearchRequest, cursors: Mapping[str, str]
    ) -> ShareAnswers:
        """Search the repositories `names` in their shares, within the time limit.

        `cursors` maps names of repositories to cursors; the search of a repository without one
        begins at its first hit.
        """
        copies = {name: self.holders(name) for name in names}
        return search_shares(
            self._shares,
            copies,
            SharedQuery(request, cursors, self._seconds),
            suspects=self._suspects,
        )

    def call(self, call: IndexCall) -> CallReply:
        """Call a method of a repository's index, and return the reply.

        The call goes to the shares (processes) that serve the repository, one after another, until
        one replies. Those that are lost or still load it are called again until the time limit.
        Raise the error of the called method, or ClusterError if no share replies in time.
        """
        name = call.repository
        self.entry(name)
        deadline = time.monotonic() + self._seconds
        while True:
            problem, can_change = "", False
            for share in self._suspects.order_shares(self.holders(name)):
                left = max(deadline - time.monotonic(), 0)
                try:
                    return self._call_share(share, call, left)
                except ClusterError as error:
                    problem = str(error)
                    can_change |= isinstance(error, NotReadyError)
            if not can_change or time.monotonic() + RETRY_SECONDS > deadline:
                raise ClusterError(f"'{name}' cannot answer now: {problem} Try again.")
            time.sleep(RETRY_SECONDS)

    def _call_share(self, share: str, call: IndexCall, seconds: float) -> CallReply:
        """Return the reply of the share called `share` to a call, within `seconds`.

        Raise NotReadyError if the share is lost or still loading, ClusterError if it is late.
        """
        try:
            reply: CallReply = self._shares[share].submit("call", call).result(seconds)
        except ClusterError:
            self._suspects.note(share, is_late=True)
            raise
        except FutureTimeoutError:
            self._suspects.note(share, is_late=True)
            late = f"Its machine did not answer within {self._seconds:.1f} s."
            raise ClusterError(late) from None
        self._suspects.note(share, is_late=False)
        return reply

    def states(self) -> dict[str, ShareState | str]:
        """Return {share: its state}; a share that does not answer has a sentence instead."""
        futures = {name: share.submit("state") for name, share in self._shares.items()}
        states: dict[str, ShareState | str] = {}
        for name, future in futures.items():
            try:
                states[name] = future.result(_STATE_SECONDS)
            except CodeIndexError as error:
                states[name] = str(error)
            except FutureTimeoutError:
                states[name] = f"It did not answer within {_STATE_SECONDS:.0f} s."
        return states

    def damaged(self) -> tuple[str, ...]:
        """Return the repositories for which a share found a damaged bundle, sorted."""
        states = (state for state in self.states().values() if not isinstance(state, str))
        return tuple(sorted({name for state in states for name in state.damaged}))

    def wait_until_loaded(self) -> dict[str, str]:
        """Wait until every share has loaded its repositories; return {repository: load error}.

        Shares that do not reply are skipped.
        """
        wait(self._assigned, _ASSIGN_SECONDS)  # else a share has nothing to load yet
        while True:
            states = self.states()
            known = [state for state in states.values() if not isinstance(state, str)]
            if not any(state.waiting for state in known):
                return {name: why for state in known for name, why in state.problems.items()}
            time.sleep(_LOAD_POLL_SECONDS)


def unknown_repository(name: str, known: Sequence[str]) -> ScopeError:
    """Return the ScopeError for a repository that does not exist or that the client may not see.

    The message suggests the most similar of the names in `known`.
    """
    near = get_close_matches(name, known, n=3)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    return ScopeError(f"The cluster has no repository '{name[:200]}'.{hint}")
