"""The repositories of one server: found, opened, and indexed in the background."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from codeindex import git
from codeindex.config import environment
from codeindex.errors import (
    CodeIndexError,
    GitError,
    LockedError,
    QueryError,
    RootError,
    ScopeError,
)
from codeindex.index import Index
from codeindex.mcp.facts import Work, is_complete, version_of
from codeindex.store.places import locate, refuse_wide
from codeindex.types import Answer, SyncReport
from codeindex.workspace import Workspace

logger = logging.getLogger(__name__)

_AGAIN_SECONDS = 2.0
"""A repository that was synced less than this ago is not synced again for a question."""
_LOCKED_SECONDS = 5.0
"""How long the background leaves an index alone that another process is writing."""
_TURN_SECONDS, _LOOK_SECONDS = 20.0, 0.1
"""How long a sync that was asked for waits for its turn, and between two looks."""
_END_SECONDS = 3.0
"""How long the end waits for a sync to reach its next step."""


class _StoppedError(Exception):
    """The server ends: indexing goes on when it is started again."""


class Served:
    """Opens each repository once; safe to share between threads.

    `any_folder` allows folders without a repository, and whole disks; with `only_given` no client
    can name a repository that the server was not started for.
    """

    def __init__(
        self,
        roots: Iterable[str] = (),
        *,
        any_folder: bool = False,
        only_given: bool = False,
        allow_global: bool = False,
    ) -> None:
        self._workspace = Workspace(allow_global=allow_global or None)
        self._given = tuple(roots)
        self._any_folder = any_folder
        self._only_given = only_given
        self._lock = threading.Lock()
        self._open: dict[str, Index] = {}
        self._working: dict[str, Work] = {}
        self._synced: dict[str, float] = {}
        self._versions: dict[str, int] = {}
        self._listeners: list[Callable[[], object]] = []
        self._wanted: list[str] = []
        self._unfinished: list[str] = []
        self._wake = threading.Condition(self._lock)
        self._thread: threading.Thread | None = None
        self._closed = False

    @property
    def needs_roots(self) -> bool:
        """True until `adopt` has found something to serve."""
        return not self._open

    def adopt(self, roots: Iterable[str]) -> None:
        """Serve what was given when starting, else what the client is in, else this folder."""
        places = self._given or tuple(roots) or (environment().get("CLAUDE_PROJECT_DIR") or ".",)
        refused: list[str] = []
        for place in places:
            try:
                self._add(place)
            except CodeIndexError as error:
                refused.append(str(error))
        if refused and not self._open:
            raise RootError(" ".join(refused))

    def _add(self, place: str) -> Index:
        found = locate(place, root=self._any_folder)
        if not self._any_folder:
            refuse_wide(found.root)
            if not _has_git(found.root):
                raise RootError(
                    f"'{found.root}' is in no git repository: start the server with"
                    f" `codeindex serve --root {found.root}` if it is to be indexed all the same."
                )
        index = Index.open(found.root, root=True)
        version = version_of(index)
        self._workspace.add(index)
        with self._lock:
            known = self._open.setdefault(index.repository.name, index)
            self._versions.setdefault(index.repository.name, version)
        self.sync_soon(known)
        return known

    def names(self) -> list[str]:
        with self._lock:
            return list(self._open)

    def index(self, repo: str = "") -> Index:
        """Return an index by the repository's name or path; the first one if none is named."""
        served = self.served()
        if not repo:
            return served[0]
        with self._lock:
            if repo in self._open:
                return self._open[repo]
            roots = {str(one.root): one for one in self._open.values()}
        if repo in roots:
            return roots[repo]
        known = ", ".join(self.names()) or "nothing"
        if self._only_given:
            raise ScopeError(f"There is no repository {repo!r} here. Served here: {known}.")
        try:
            return self._add(repo)
        except RootError as error:
            raise ScopeError(f"{error} Served here: {known}.") from error

    def working(self, index: Index) -> Work | None:
        """Return what is being done to an index, None while it is at rest."""
        with self._lock:
            name = index.repository.name
            if name in self._working:
                return self._working[name]
            if name in self._wanted:
                return Work("structure", 0, 0)
            return Work("embedding", 0, 0) if name in self._unfinished else None

    def caveat(self, index: Index) -> str:
        """Say that answers are not whole yet, in one line; nothing once they are."""
        if is_complete(index):
            return ""
        work = self.working(index)
        return f"Still being indexed ({work or 'interrupted'}): answers are partial."

    def sync_soon(self, index: Index) -> None:
        """Have an index synced in the background, if that was not just done."""
        name = index.repository.name
        with self._wake:
            recent = time.monotonic() - self._synced.get(name, -_AGAIN_SECONDS) < _AGAIN_SECONDS
            if self._closed or name in self._wanted or name in self._working or recent:
                return
            self._wanted.append(name)
            if self._thread is None:
                self._thread = threading.Thread(target=self._sync_all, daemon=True)
                self._thread.start()
            self._wake.notify()

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
            name = (self._wanted or self._unfinished).pop(0)
            self._working[name] = Work("structure", 0, 0)
            return self._open[name], structure_only

    def _sync(self, index: Index, structure_only: bool) -> None:
        """Bring an index up to date; what fails is tried again when it is asked for."""
        name = index.repository.name
        try:
            report = index.sync(
                structure_only=structure_only, progress=lambda *step: self._note(index, *step)
            )
            self._note_version(name, report.version)
            if structure_only:
                self._finish_later(name)
        except _StoppedError:
            logger.debug("stopped while %s was indexed", name)
        except LockedError as error:
            logger.info("%s", error)
            time.sleep(_LOCKED_SECONDS)
        except CodeIndexError as error:
            logger.warning("%s could not be indexed: %s", name, error)
        finally:
            with self._lock:
                self._working.pop(name, None)
                self._synced[name] = time.monotonic()

    def _finish_later(self, name: str) -> None:
        with self._lock:
            if name not in self._unfinished:
                self._unfinished.append(name)

    def _note(self, index: Index, phase: str, done: int, total: int) -> None:
        if self._closed:
            raise _StoppedError  # what was done is kept
        with self._lock:
            self._working[index.repository.name] = Work(phase, done, total)

    def sync_now(self, index: Index) -> SyncReport:
        """Look for changed files at once, and have the vectors made in the background.

        LockedError if somebody has been at it for long.
        """
        report = _patiently(lambda: index.sync(structure_only=True))
        self._note_version(index.repository.name, report.version)
        self.sync_soon(index)
        return report

    @contextmanager
    def telling(self, listener: Callable[[], object]) -> Iterator[None]:
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

    def close(self) -> None:
        """Stop indexing at its next step; what takes longer than that ends with the process."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join(timeout=_END_SECONDS)
            if self._thread.is_alive():
                return
        self._workspace.close()

    def search(
        self,
        query: str,
        *,
        scope: Mapping[str, Any] | None = None,
        repo: str = "",
        sync: bool = False,
        **asked: Any,
    ) -> Answer:
        """Ask `Workspace.search`; without a scope, of all that is served.

        What changed since the last look is found beside the question, or before it with `sync`.
        """
        indexes = [self.index(name) for name in self._named(scope, repo)]
        for index in indexes:
            if sync:
                self.sync_now(index)
            else:
                self.sync_soon(index)
        names = [one.repository.name for one in indexes]
        if len(names) == 1:
            scope = {"type": "repo", "repo": names[0]}
        elif names:
            scope = {"type": "repos", "repos": names}
        return self._workspace.search(query, scope=scope, **asked)

    def _named(self, scope: Mapping[str, Any] | None, repo: str) -> list[str]:
        """Return what a request names; nothing for all that is indexed, or for no scope at all."""
        match scope:
            case None:
                return [repo] if repo else [one.repository.name for one in self.served()]
            case {"type": "repo", "repo": str(name)}:
                return [name]
            case {"type": "repos", "repos": [*names]}:
                return [str(one) for one in names]
            case {"type": "all"} if self._only_given:
                return self.names()
        return []

    def served(self) -> list[Index]:
        """Return the indexes that are open; what was to be served is opened first."""
        if self.needs_roots:
            self.adopt(())
        return self.indexes()

    def member_path(self, repo: str, member: str) -> str:
        """Return the folder of a workspace's member; QueryError names the others."""
        members = self.index(repo).members().members
        for one in members:
            if one.name == member:
                return one.path
        known = ", ".join(one.name for one in members) or "none"
        raise QueryError(f"No member of the workspace is called {member!r}: there are {known}.")

    def indexes(self) -> list[Index]:
        with self._lock:
            return list(self._open.values())


def _patiently(sync: Callable[[], SyncReport]) -> SyncReport:
    """Sync, if need be after whoever is doing it."""
    started = time.monotonic()
    while True:
        try:
            return sync()
        except LockedError:
            if time.monotonic() - started > _TURN_SECONDS:
                raise
        time.sleep(_LOOK_SECONDS)


def _has_git(root: Path) -> bool:
    try:
        return git.top(root) is not None
    except GitError:
        return False
