"""The sync that a hook of git's has started, in a process that nobody waits for."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence
from pathlib import Path

from codeindex import git
from codeindex.api.index import Index
from codeindex.config import data_home
from codeindex.errors import LockedError
from codeindex.store.datadir.home import repository_at_root
from codeindex.store.locks.owner import is_locked
from codeindex.types import SyncReport

_LOOK_SECONDS = 0.2
_LONGEST_SECONDS = 3600.0
"""How long another process may be writing before its turn is not waited for any more."""
_NICE = 10
"""Whoever works with git has the processor first."""


class _LaterError(Exception):
    """Somebody waits for the index."""


def run(name: str, words: Sequence[str]) -> SyncReport | None:
    """Sync the index of the current folder, if it has one that follows this branch.

    `name` and `words` are the hook's and its arguments, as git has given them.
    """
    root = git.find_work_tree(Path.cwd())
    known = repository_at_root(data_home(), root) if root else None
    if known is None or not known.catalog.exists() or not _moves_head(name, words):
        return None
    _step_aside()
    with Index.open(known.root, root=True) as index:
        if not _is_followed(index):
            return None
        report = _in_turn(index)
        if report is not None:
            with contextlib.suppress(LockedError, _LaterError):
                _embed(index)
        return report


def _moves_head(name: str, words: Sequence[str]) -> bool:
    """Tell whether a branch was checked out, and not some files of a commit."""
    return name != "post-checkout" or tuple(words[2:3]) != ("0",)


def _is_followed(index: Index) -> bool:
    wanted = index.settings.config.default_branch
    return not wanted or git.read_head(index.root).branch == wanted


def _step_aside() -> None:
    """Outlive the terminal that git was called in, and leave it the processor."""
    if os.name == "posix":
        with contextlib.suppress(OSError):
            os.setsid()
        os.nice(_NICE)


def _in_turn(index: Index) -> SyncReport | None:
    """Sync the structure after whoever is writing; None if another process waits to do the same.

    One that waits will look at the files after now, so nobody else has to: a rebase of a hundred
    commits leaves one behind, not a hundred.
    """
    began = time.monotonic()
    while time.monotonic() - began < _LONGEST_SECONDS and _is_next(index):
        with contextlib.suppress(LockedError):
            return index.sync(structure_only=True)
    return None


def _is_next(index: Index) -> bool:
    import filelock

    folder = index.repository.folder
    try:
        with filelock.FileLock(folder / "waiting.lock", timeout=0, mode=0o600):
            began = time.monotonic()
            while is_locked(folder) and time.monotonic() - began < _LONGEST_SECONDS:
                time.sleep(_LOOK_SECONDS)
    except filelock.Timeout:
        return False
    return True


def _embed(index: Index) -> None:
    """Make the vectors, unless another process comes to wait for its turn."""
    import filelock

    lock = filelock.FileLock(index.repository.folder / "waiting.lock", timeout=0, mode=0o600)

    def give_way(phase: str, _done: int, _total: int) -> None:
        if phase == "structure":
            return
        try:
            with lock:
                pass
        except filelock.Timeout:
            raise _LaterError from None  # what was embedded is kept

    index.sync(progress=give_way)
