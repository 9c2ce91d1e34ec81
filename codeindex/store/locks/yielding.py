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
from codeindex.files.write import create_private_file
from codeindex.store.locks.writer_lock import SetPhase, writer_lock

Waiting = Callable[[], object]
"""A function that `take_lock` calls once, before it waits."""


_OFFER_FILE = "writer.patient"
_REQUEST_PREFIX = "writer.wish-"
_EXPIRY_SECONDS = 30.0
"""Age at which a request is ignored: its process must have been killed."""
_RENEW_SECONDS = 10.0
"""Seconds between two renewals of a request, well below `_EXPIRY_SECONDS`."""
_CHECK_SECONDS = 0.02


@contextlib.contextmanager
def offer_lock(folder: Path) -> Iterator[None]:
    """Let other processes ask for the writer lock, which the caller holds, during the block.

    A file in `folder` tells them that the owner will soon release the lock on request.
    """
    mark = folder / _OFFER_FILE
    create_private_file(mark)
    try:
        yield
    finally:
        mark.unlink(missing_ok=True)


def is_lock_offered(folder: Path) -> bool:
    """Tell whether the process that holds the writer lock releases it on request.

    It has then called `offer_lock`.
    """
    return (folder / _OFFER_FILE).exists()


@contextlib.contextmanager
def take_lock(
    folder: Path, wait_seconds: Callable[[], float], waiting: Waiting = lambda: None
) -> Iterator[SetPhase]:
    """Hold the writer lock in the block; if another process has it, request it and wait.

    Yield a function that records the phase of the sync. `wait_seconds` is called only if the caller
    must wait, and returns for how long. `waiting` is called once before waiting. Raise LockedError
    if the lock is not free in time.
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
    """Ask the owner of the writer lock in `folder` to release it, for the length of the block.

    The block does not hold the lock: take it inside. An owner that has called `offer_lock` releases
    it, and may take it back only after the block.
    """
    mark = folder / f"{_REQUEST_PREFIX}{os.getpid()}-{threading.get_ident()}"
    ended = threading.Event()

    def renew() -> None:
        while not ended.wait(_RENEW_SECONDS):
            with contextlib.suppress(OSError):
                mark.touch(mode=0o600)

    renewal = threading.Thread(target=renew, daemon=True)
    create_private_file(mark)
    renewal.start()
    try:
        yield
    finally:
        ended.set()
        renewal.join()  # else it could write the mark again
        mark.unlink(missing_ok=True)


def is_lock_requested(folder: Path) -> bool:
    """Tell whether any process asks for the writer lock by `request_lock`."""
    return any(map(_is_alive, folder.glob(f"{_REQUEST_PREFIX}*")))


def _is_alive(mark: Path) -> bool:
    try:
        alive = abs(time.time() - mark.stat().st_mtime) < _EXPIRY_SECONDS
    except OSError:
        return False
    if not alive:
        mark.unlink(missing_ok=True)
    return alive


def wait_for_requests(folder: Path) -> None:
    """Wait until no process asks for the writer lock any more. The caller must have released it."""
    while is_lock_requested(folder):
        time.sleep(_CHECK_SECONDS)
