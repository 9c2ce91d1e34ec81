"""Serve some repositories of a cluster on one machine: load, search, and call their indexes.

This runs as a Ray actor. Its indexes are files in the machine's data folder, so that a share which
is restarted on the same machine can answer at once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from codeindex import __version__
from codeindex.api.index import Index
from codeindex.api.requests.core import SearchRequest
from codeindex.api.resources import OpenModels
from codeindex.cluster.checkout import INDEX_FLAGS, locked_checkout
from codeindex.cluster.entries import StoredRepository, bundle_place, read_entries
from codeindex.cluster.open_indexes import OpenIndexes, most_open_indexes
from codeindex.cluster.placement import place_repository
from codeindex.errors import (
    ClusterError,
    CodeIndexError,
    NotReadyError,
    QueryError,
    SharingError,
    StoreAccessError,
)
from codeindex.metrics.record import suppress_metrics
from codeindex.search.pack.merge_repositories import merge_hits
from codeindex.types import Answer, RefreshResult

logger = logging.getLogger(__name__)

NOT_LOADED = "It is still being loaded."
_CHECKOUT_SECONDS = 10.0
"""Seconds to wait for the checkout of a repository before the next one is loaded in parallel.
Fetching one commit mostly takes a few seconds; if the git server does not answer, git is stopped
after an hour."""


@dataclass(frozen=True, slots=True)
class ShareState:
    """The state of a share: which of its repositories are loaded.

    `commits` maps repositories to loaded commits, `problems` to load errors. `damaged` has the
    repositories with a damaged bundle, not those whose store could not be reached; `waiting` counts
    those still to be loaded.
    """

    commits: Mapping[str, str]
    problems: Mapping[str, str]
    damaged: tuple[str, ...]
    waiting: int


@dataclass(frozen=True, slots=True)
class ShareAnswers:
    """The results of a search in a share, each by repository.

    `answers` are the answers and `commits` the commits of the searched indexes. `failed` has the
    error messages of repositories without an answer; `loading` has those of them that are not
    loaded yet.
    """

    answers: Mapping[str, Answer] = field(default_factory=dict)
    commits: Mapping[str, str] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)
    loading: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class IndexCall:
    """A call of a public method of the index `repository`, or of one of its components.

    `component` is an attribute of `Index`, such as `graph`, "" for the index itself. `method` may
    name a property; then the arguments are not used.
    """

    repository: str
    component: str
    method: str
    values: Sequence[Any] = ()
    named: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CallReply:
    """What a method of a remote index returned.

    It includes the commit of the index, and the files that the method read again.
    """

    value: Any
    commit: str
    refreshed: RefreshResult


class RepositoryShare:
    """A Ray actor that loads and searches some repositories of a cluster; thread-safe."""

    def __init__(
        self, place: str, version: str = __version__, name: str = "", shares: Sequence[str] = ()
    ) -> None:
        """Set the store's address; with `name` and `shares`, load the repositories of this share.

        `name` is the name of this share, `shares` are the names of all shares. With them, an actor
        that Ray has restarted loads its repositories without a call of `assign`. Raise ClusterError
        if the caller has another `version` of codeindex.
        """
        if version != __version__:
            raise ClusterError(
                f"A machine of the cluster has codeindex {__version__}, this one {version}:"
                " install the same version on all machines."
            )
        self._place = place
        self._lock = threading.Lock()
        self._wanted: dict[str, StoredRepository] = {}
        self._indexes = OpenIndexes(most_open_indexes())
        self._commits: dict[str, str] = {}
        self._problems: dict[str, str] = {}
        self._damaged: set[str] = set()
        self._models = OpenModels()
        self._loader: threading.Thread | None = None
        self._loading: set[str] = set()
        self._indexing = threading.Lock()
        self._queue: dict[str, StoredRepository] = {}
        if shares:
            threading.Thread(target=self._load_own, args=(name, shares), daemon=True).start()

    def _load_own(self, name: str, shares: Sequence[str]) -> None:
        try:
            entries = read_entries(self._place).by_name.values()
        except SharingError as error:
            logger.warning("%s", error)
            return
        self.assign([entry for entry in entries if name in place_repository(entry.name, shares)])

    def assign(self, entries: Sequence[StoredRepository]) -> None:
        """Set the repositories that the share holds.

        New and changed ones are loaded in the background; indexes of others are closed.
        """
        with self._lock:
            wanted = {entry.name: entry for entry in entries}
            for name in self._indexes.names() - wanted.keys():
                self._commits.pop(name, None)
                self._indexes.remove(name)
            for name, entry in wanted.items():
                if self._wanted.get(name) != entry:
                    self._damaged.discard(name)  # that was another bundle
                    self._queue[name] = entry
                elif name in self._problems:
                    self._queue[name] = entry
            self._wanted = wanted
            self._problems = {n: why for n, why in self._problems.items() if n in wanted}
            self._damaged &= wanted.keys()
            self._queue = {name: self._queue[name] for name in self._queue if name in wanted}
            self._start_loader()

    def _start_loader(self) -> None:
        """Start the thread that loads the queue if none runs; the caller must hold `_lock`."""
        if self._loader is None and self._queue.keys() - self._loading:
            self._loader = threading.Thread(target=self._load_all, daemon=True)
            self._loader.start()

    def state(self) -> ShareState:
        """Return which repositories are loaded, failed, damaged or still to be loaded."""
        with self._lock:
            damaged = tuple(sorted(self._damaged))
            waiting = len(self._queue.keys() | self._loading)
            return ShareState(dict(self._commits), dict(self._problems), damaged, waiting)

    def search(
        self, cursors: Mapping[str, str], request: SearchRequest, seconds: float
    ) -> ShareAnswers:
        """Search the repositories in `cursors` one after the other, for at most `seconds`.

        `cursors` maps repositories to cursors, '' for the first page. Hits that cannot be among the
        first `request.limit` of all shares are left out.
        """
        deadline = time.monotonic() + seconds
        answers: dict[str, Answer] = {}
        failed: dict[str, str] = {}
        loading: set[str] = set()
        with suppress_metrics():
            for name, cursor in cursors.items():
                if time.monotonic() > deadline:
                    failed[name] = f"It was not reached within {seconds:.1f} s."
                    continue
                try:
                    with self._index(name) as index:
                        answers[name] = index.run(replace(request, cursor=cursor))
                except QueryError:
                    raise
                except CodeIndexError as error:
                    failed[name] = str(error)
                    if isinstance(error, NotReadyError):
                        loading.add(name)
                except Exception as error:  # else no other repository of this share would answer
                    logger.exception("%s could not be searched", name)
                    failed[name] = f"Unexpected {type(error).__name__}: see the log of Ray."
        commits = {name: self._commits.get(name, "") for name in answers}
        first = keep_first_hits(answers, request.limit)
        return ShareAnswers(first, commits, failed, frozenset(loading))

    def call(self, call: IndexCall) -> CallReply:
        """Call a method of an index, or read a property.

        Return the value with the commit of the index. Raise the error of the method, NotReadyError
        while the repository loads, and ClusterError if it could not be loaded.
        """
        if call.method.startswith("_"):
            raise ClusterError(f"'{call.method}' is not a public method.")
        with self._index(call.repository) as index:
            owner = getattr(index, call.component) if call.component else index
            value = getattr(owner, call.method)
            if callable(value):
                value = value(*call.values, **call.named)
            return CallReply(value, self._commits.get(call.repository, ""), index.refreshed())

    @contextmanager
    def _index(self, name: str) -> Iterator[Index]:
        """Yield the index of a loaded repository.

        Raise NotReadyError while it loads, and ClusterError with the reason if loading failed.
        """
        with ExitStack() as stack:
            try:
                index = stack.enter_context(self._indexes.using(name))
            except KeyError:
                if problem := self._problems.get(name):
                    raise ClusterError(problem) from None
                raise NotReadyError(NOT_LOADED) from None
            yield index

    def _load_all(self) -> None:
        """Load the repositories in the queue, one after another, until the queue is empty.

        If a checkout takes longer than `_CHECKOUT_SECONDS`, its thread goes on alone, so that a git
        server that does not answer holds up no other repository.
        """
        while True:
            with self._lock:
                name = next((name for name in self._queue if name not in self._loading), None)
                if name is None:
                    self._loader = None
                    return
                entry = self._queue.pop(name)
                self._loading.add(name)
            checked_out = threading.Event()
            thread = threading.Thread(target=self._load, args=(entry, checked_out), daemon=True)
            thread.start()
            if checked_out.wait(_CHECKOUT_SECONDS):
                thread.join()

    def _load(self, entry: StoredRepository, checked_out: threading.Event) -> None:
        """Load the index of a repository, and record it, or the problem that prevented it.

        With a problem, the commit that was loaded before stays in use. `checked_out` is set as soon
        as the commit is checked out, or when loading has failed.
        """
        problem, is_damaged = "", False
        loaded: tuple[Index, str] | None = None
        try:
            loaded = self._open(entry, checked_out)
        except StoreAccessError as error:
            problem = str(error)
        except SharingError as error:
            problem, is_damaged = str(error), True
        except CodeIndexError as error:
            problem = str(error)
        except Exception as error:
            logger.exception("%s could not be loaded", entry.name)
            problem = f"Unexpected {type(error).__name__} while it was loaded: see the log of Ray."
        with self._lock:
            self._loading.discard(entry.name)
            checked_out.set()
            self._start_loader()  # for a newer commit of this repository
            if entry.name not in self._wanted:
                return  # it was removed from the store meanwhile
            if loaded is None:
                self._problems[entry.name] = problem
            else:
                self._problems.pop(entry.name, None)
                self._indexes.add(entry.name, loaded[0])
                self._commits[entry.name] = loaded[1]
            (self._damaged.add if is_damaged else self._damaged.discard)(entry.name)

    def _open(self, entry: StoredRepository, checked_out: threading.Event) -> tuple[Index, str]:
        """Return (index, commit) of the commit in `entry`; load the stored index if necessary."""
        with locked_checkout(entry.source, entry.commit) as folder:
            checked_out.set()
            # not the object that answers later: its processes end with the block
            with self._indexing, self._new_index(entry, folder) as loader:
                if not loader.is_indexed or loader.status().head != entry.commit:
                    loader.sync(source=bundle_place(self._place, entry.name), may_fetch=False)
                head = loader.status().head
        return self._new_index(entry, folder), head

    def _new_index(self, entry: StoredRepository, folder: Path) -> Index:
        index = Index.open(folder, root=True, name=entry.name, flags=INDEX_FLAGS)
        index.use_models(self._models)
        return index

    def close(self) -> None:
        """Close the files of all indexes, and the models; later calls open them again."""
        self._indexes.close()
        self._models.close()


def keep_first_hits(answers: Mapping[str, Answer], limit: int) -> dict[str, Answer]:
    """Return the answers without hits that cannot be among the first `limit` of the whole search.

    A hit is left out if it comes after the first `limit` when the hits of these answers are merged.
    """
    kept = merge_hits([answer.hits for answer in answers.values()], limit)
    counts: dict[str, int] = {}
    for hit in kept:
        counts[hit.repo] = counts.get(hit.repo, 0) + 1
    return {
        name: replace(answer, hits=answer.hits[: counts.get(name, 0)])
        for name, answer in answers.items()
    }
