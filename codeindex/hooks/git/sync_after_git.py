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
"""How long to wait for another process that writes to the index."""
_NICENESS = 10
"""Lower priority than the git commands of the user."""


class _InterruptedByWaiterError(Exception):
    """Another process waits for the index."""


def sync_after_git(name: str, words: Sequence[str]) -> SyncReport | None:
    """Sync the index of the current folder, if it has one that follows the checked-out branch.

    `name` and `words` are the name of the hook and its arguments from git. None without a sync.
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
    """Return False for a checkout of files, whose third argument is 0."""
    return name != "post-checkout" or tuple(words[2:3]) != ("0",)


def _is_branch_followed(index: Index) -> bool:
    branch = index.settings.config.default_branch
    return not branch or git.read_head(index.root).branch == branch


def _detach() -> None:
    """Outlive the terminal of the git command, with low priority."""
    if os.name == "posix":
        with contextlib.suppress(OSError):
            os.setsid()
        os.nice(_NICENESS)


def _sync_structure_in_turn(index: Index) -> SyncReport | None:
    """Sync the structure after the current writer; None if another process waits already.

    The waiting process will read the files later than now, so one is enough: a rebase of a hundred
    commits leaves one process behind.
    """
    started = time.monotonic()
    while time.monotonic() - started < _MAX_WAIT_SECONDS and _wait_for_writer(index):
        with contextlib.suppress(LockedError):
            return index.sync(structure_only=True)
    return None


def _waiting_lock(index: Index) -> filelock.BaseFileLock:
    """Return the lock that the one waiting process holds."""
    return filelock.FileLock(index.repository.folder / "waiting.lock", timeout=0, mode=0o600)


def _wait_for_writer(index: Index) -> bool:
    """Wait until no process writes; False at once if another process waits already."""
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
    """Run the embedding phase until another process waits; embedded chunks are kept."""
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
