"""Sync an index after git moved HEAD, in the background process that a hook started."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence
from pathlib import Path

import filelock

from codeindex import git
from codeindex.api.index import Index
from codeindex.config import data_home
from codeindex.errors import LockedError
from codeindex.store.datadir.home import repository_at_root
from codeindex.store.locks.owner import is_locked
from codeindex.types import SyncReport

_POLL_SECONDS = 0.2
_MAX_WAIT_SECONDS = 3600.0
"""Most seconds to wait for another process that writes to the index."""
_NICENESS = 10
"""Added to the niceness of the process, so that the user's git commands come first."""


class _InterruptedByWaiterError(Exception):
    """Raised to stop the embedding phase, because another process waits for the index."""


def sync_after_git(name: str, words: Sequence[str]) -> SyncReport | None:
    """Sync the index of the current folder after a git hook; return None if nothing was synced.

    Nothing is synced without an index, after a checkout of single files, if the setting
    `default_branch` names another branch, or if another process already waits to sync. `name` is
    the hook's name, and `words` are the arguments that git gave it.
    """
    root = git.find_work_tree(Path.cwd())
    repository = repository_at_root(data_home(), root) if root else None
    if repository is None or not repository.catalog.exists() or not _moved_head(name, words):
        return None
    _detach()
    with Index.open(repository.root, root=True) as index:
        if not _is_branch_followed(index):
            return None
        report = _sync_structure_in_turn(index)
        if report is not None:
            with contextlib.suppress(LockedError, _InterruptedByWaiterError):
                _embed(index)
        return report


def _moved_head(name: str, words: Sequence[str]) -> bool:
    """Tell whether the hook was run because HEAD moved.

    A checkout of single files does not move HEAD; git then gives `post-checkout` 0 as third
    argument.
    """
    return name != "post-checkout" or tuple(words[2:3]) != ("0",)


def _is_branch_followed(index: Index) -> bool:
    branch = index.settings.config.default_branch
    return not branch or git.read_head(index.root).branch == branch


def _detach() -> None:
    """Detach this process from the terminal of the git command, and lower its priority."""
    if os.name == "posix":
        with contextlib.suppress(OSError):
            os.setsid()
        os.nice(_NICENESS)


def _sync_structure_in_turn(index: Index) -> SyncReport | None:
    """Sync everything but vectors once no other process writes the index, and return the report.

    Return None if another process already waits. One waiting process is enough, since it will read
    the files later than now: a rebase of a hundred commits leaves one process behind.
    """
    started = time.monotonic()
    while time.monotonic() - started < _MAX_WAIT_SECONDS and _wait_for_writer(index):
        with contextlib.suppress(LockedError):
            return index.sync(structure_only=True)
    return None


def _waiting_lock(index: Index) -> filelock.BaseFileLock:
    """Return the lock that the one process that waits to sync holds.

    Acquiring it fails at once if another process holds it.
    """
    return filelock.FileLock(index.repository.folder / "waiting.lock", timeout=0, mode=0o600)


def _wait_for_writer(index: Index) -> bool:
    """Wait until no other process writes the index; return True.

    Return False at once if another process already waits.
    """
    try:
        with _waiting_lock(index):
            started = time.monotonic()
            while is_locked(index.repository.folder):
                if time.monotonic() - started >= _MAX_WAIT_SECONDS:
                    break
                time.sleep(_POLL_SECONDS)
    except filelock.Timeout:
        return False
    return True


def _embed(index: Index) -> None:
    """Compute the missing vectors; stop, and keep those done, as soon as another process waits."""
    lock = _waiting_lock(index)

    def stop_for_waiter(phase: str, _done: int, _total: int) -> None:
        if phase == "structure":
            return
        try:
            with lock:
                pass
        except filelock.Timeout:
            raise _InterruptedByWaiterError from None

    index.sync(progress=stop_for_waiter)
