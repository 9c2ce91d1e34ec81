"""Sync an index after git moved HEAD, in the background process that a hook started."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

import filelock

from codeindex import git
from codeindex.api.index import Index
from codeindex.config import data_home
from codeindex.errors import LockedError
from codeindex.store.datadir.home import repository_at_root
from codeindex.store.locks.writer_lock import writer_lock
from codeindex.store.locks.yielding import request_lock
from codeindex.types import SyncReport

_MAX_WAIT_SECONDS = 3600.0
"""Most seconds to wait for another process that writes to the index."""
_NICENESS = 10
"""Added to the niceness of the process, so that the user's git commands come first."""


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
            with contextlib.suppress(LockedError):  # a process that embeds does ours too
                index.sync()
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
    """Wait until no other process writes the index, then sync all but vectors; return the report.

    A process that computes embeddings releases the index. Return None if another process already
    waits, or after an hour. One waiting process is enough, since it will read the files later than
    now: a rebase of a hundred commits leaves one process behind.
    """
    folder = index.repository.folder
    waiting = filelock.FileLock(folder / "waiting.lock", timeout=0, mode=0o600)
    try:
        with contextlib.ExitStack() as requested:
            with waiting:
                requested.enter_context(request_lock(folder))
                with writer_lock(folder, wait_seconds=_MAX_WAIT_SECONDS):
                    pass  # from here on, the next process may wait: it reads later than this one
            return index.sync(structure_only=True, wait_seconds=_MAX_WAIT_SECONDS)
    except (filelock.Timeout, LockedError):
        return None
