"""Hand over the writer lock on request, so that a short refresh can interrupt a long embedding.

Otherwise a search would wait for minutes while another process embeds. The owner marks the lock
with `offer_lock`. The other process requests it with `request_lock`. Then the owner releases the
lock and waits until the request ends.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from codeindex.errors import LockedError
from codeindex.store.datadir.home import create_private_file
from codeindex.store.locks.writer_lock import SetPhase, writer_lock

Waiting = Callable[[], object]
"""A function that `take_lock` calls once, before it waits."""


_PATIENT = "writer.patient"
_WISH = "writer.wish-"
_LIFE_SECONDS = 30.0
"""Age at which a request is ignored: its process must have been killed."""
_LOOK_SECONDS = 0.02


@contextlib.contextmanager
def offer_lock(folder: Path) -> Iterator[None]:
    """Mark the lock as offered within the block: its owner soon releases it on request.

    The caller holds the lock.
    """
    mark = folder / _PATIENT
    create_private_file(mark)
    try:
        yield
    finally:
        mark.unlink(missing_ok=True)


def is_lock_offered(folder: Path) -> bool:
    """Tell whether the owner of the lock has offered to release it (see `offer_lock`)."""
    return (folder / _PATIENT).exists()


@contextlib.contextmanager
def take_lock(
    folder: Path, wait_seconds: Callable[[], float], waiting: Waiting = lambda: None
) -> Iterator[SetPhase]:
    """Hold the writer lock; if another process has it, request it and wait.

    `wait_seconds` is called only in that case, and returns the longest time to wait. Raise
    LockedError if the lock is not free in time.
    """
    with contextlib.ExitStack() as held:
        try:
            tell = held.enter_context(writer_lock(folder))
        except LockedError:
            held.enter_context(request_lock(folder))
            wait = wait_seconds()
            tell = held.enter_context(writer_lock(folder, wait_seconds=wait, waiting=waiting))
        yield tell


@contextlib.contextmanager
def request_lock(folder: Path) -> Iterator[None]:
    """Request the lock from its owner until the block ends.

    An owner that has offered the lock releases it, and takes it back after the block.
    """
    mark = folder / f"{_WISH}{os.getpid()}-{threading.get_ident()}"
    create_private_file(mark)
    try:
        yield
    finally:
        mark.unlink(missing_ok=True)


def is_lock_requested(folder: Path) -> bool:
    """Tell whether any process requests the lock."""
    return any(map(_is_alive, folder.glob(f"{_WISH}*")))


def _is_alive(mark: Path) -> bool:
    try:
        alive = abs(time.time() - mark.stat().st_mtime) < _LIFE_SECONDS
    except OSError:
        return False
    if not alive:
        mark.unlink(missing_ok=True)
    return alive


def wait_for_requests(folder: Path) -> None:
    """Wait until no process requests the lock; the caller has released it."""
    while is_lock_requested(folder):
        time.sleep(_LOOK_SECONDS)
