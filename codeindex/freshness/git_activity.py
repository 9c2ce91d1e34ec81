"""Tell whether git changes files of a tree while a question is answered.

Git creates `index.lock` before it changes files, and renames it to `index` when it is done. Between
two commits of a rebase there is no lock, so the index of before and after is compared too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass

MAX_LOCK_AGE_SECONDS = 600.0
"""Age from which a lock counts as left behind by a git command that crashed. Git wrote the 6,519
files of Kafka in 0.8 s, so that in this time it can check out millions, and 200,000 on a disk that
is 20 times slower."""

_Times = tuple[int, int, int]
"""mtime and ctime in nanoseconds, and inode."""


@dataclass(frozen=True, slots=True)
class GitActivity:
    """The times of git indexes and the ages of their lock files at one moment.

    The times of a missing index are None.
    """

    indexes: tuple[_Times | None, ...]
    locks: tuple[tuple[str, float], ...]
    """(path, age in seconds) of the locks, of crashed commands too."""

    @property
    def lock(self) -> str:
        """Path of a lock file that a running git command holds; '' if there is none."""
        return next((path for path, age in self.locks if abs(age) < MAX_LOCK_AGE_SECONDS), "")

    @property
    def old_locks(self) -> tuple[tuple[str, float], ...]:
        """(path, age in seconds) of the locks of crashed commands."""
        return tuple(lock for lock in self.locks if abs(lock[1]) >= MAX_LOCK_AGE_SECONDS)


def git_activity(index_paths: Iterable[str]) -> GitActivity:
    """Return the present state of the git indexes at `index_paths`, which need not exist."""
    paths = tuple(index_paths)
    locks = [
        (lock, time.time() - times[0] / 1e9)
        for lock in (f"{path}.lock" for path in paths)
        if (times := _times(lock))
    ]
    return GitActivity(tuple(map(_times, paths)), tuple(locks))


def describe_changes(before: GitActivity, after: GitActivity) -> str:
    """Return a sentence if git changed files between two moments, or at one of them; '' if not."""
    if lock := after.lock or before.lock:
        return f"A git command may be changing files ('{lock}' is less than ten minutes old)"
    if before.indexes != after.indexes:
        return "Git changed files meanwhile"
    return ""


def _times(path: str) -> _Times | None:
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_ino
