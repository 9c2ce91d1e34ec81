"""Hold the writer lock, which allows one process at a time to write an index."""

from __future__ import annotations

import contextlib
import errno
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.errors import LockedError, StoreError, refuse_shortage
from codeindex.store.datadir.home import refuse_other_owner
from codeindex.store.locks import owner

if TYPE_CHECKING:
    import filelock

SetPhase = Callable[[str], None]
"""A function that records the phase of the sync; waiting processes can show it."""
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}


@contextlib.contextmanager
def writer_lock(
    folder: Path, *, wait_seconds: float = 0.0, waiting: Callable[[], object] = lambda: None
) -> Iterator[SetPhase]:
    """Hold the writer lock of an index in the `with` block; raise LockedError if it is not free.

    The lock is tried for `wait_seconds`; `waiting` is called once before waiting. Yield a function
    that records the phase of the sync, for others to read. The operating system releases the lock
    when its owner dies. An OSError in the block is raised as StoreError; published generations stay
    intact. Raise StoreError, too, if the index belongs to another user.
    """
    with explain_disk_errors(folder):
        refuse_other_owner(folder)
        lock = _acquired(folder, wait_seconds, waiting)
        tell = partial(owner.write_lock_owner, folder, since=time.time())
        try:
            tell("")
            yield tell
        finally:
            owner.clear_lock_owner(folder)
            lock.release()


def _acquired(
    folder: Path, wait_seconds: float, waiting: Callable[[], object]
) -> filelock.BaseFileLock:
    import filelock

    lock = filelock.FileLock(folder / "writer.lock", mode=0o600)
    for seconds in (0.0, wait_seconds):
        try:
            lock.acquire(timeout=seconds)
        except filelock.Timeout:
            if seconds < wait_seconds:
                waiting()
        else:
            return lock
    raise LockedError(owner.describe_lock_owner(owner.lock_owner(folder)))


@contextlib.contextmanager
def explain_disk_errors(folder: Path) -> Iterator[None]:
    """Turn an OSError in the block into a StoreError that says what to do.

    Typical causes are a full or read-only disk, and a filesystem without locks.
    """
    try:
        yield
    except OSError as error:
        refuse_shortage(error)
        if error.errno in _NO_LOCKS:
            raise StoreError(
                f"The filesystem of '{folder}' has no locks: set CODEINDEX_HOME to a folder of a"
                " local disk."
            ) from error
        raise StoreError(
            f"The index '{folder}' cannot be written ({error.strerror or error}):"
            " free some disk space or see who owns it."
        ) from error
