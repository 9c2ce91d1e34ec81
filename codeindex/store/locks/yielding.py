"""Hand over the writer lock early: a long embedding lets in a short refresh.

Without this a search would wait for minutes while another process embeds. The owner marks the lock
with `offer_lock`, the other process asks with `request_lock`, the owner releases and waits.
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
"""Called once before waiting."""


_PATIENT = "writer.patient"
_WISH = "writer.wish-"
_LIFE_SECONDS = 30.0
"""Older requests are of killed processes."""
_LOOK_SECONDS = 0.02


@contextlib.contextmanager
def offer_lock(folder: Path) -> Iterator[None]:
    """While holding the lock: mark that it is released soon on request."""
    mark = folder / _PATIENT
    create_private_file(mark)
    try:
        yield
    finally:
        mark.unlink(missing_ok=True)


def is_lock_offered(folder: Path) -> bool:
    """Tell whether the owner answers requests for the lock."""
    return (folder / _PATIENT).exists()


@contextlib.contextmanager
def take_lock(
    folder: Path, wait_seconds: Callable[[], float], waiting: Waiting = lambda: None
) -> Iterator[SetPhase]:
    """Hold the writer lock; request it from an owner that only embeds.

    `wait_seconds` is called only if another process has the lock.
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
    """Request the lock; the last owner waits until the block ends."""
    mark = folder / f"{_WISH}{os.getpid()}-{threading.get_ident()}"
    create_private_file(mark)
    try:
        yield
    finally:
        mark.unlink(missing_ok=True)


def is_lock_requested(folder: Path) -> bool:
    """Tell whether another process requests the lock."""
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
    """Wait, without the lock, until nobody requests it."""
    while is_lock_requested(folder):
        time.sleep(_LOOK_SECONDS)
