"""Turns at the writer lock: who holds it for long lets in those who need it for a moment.

Whoever answers a question would wait for minutes otherwise while another process embeds. The
holder says that it is `patient`, the other makes a `request_lock`, and the lock changes hands.
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
"""Called once where there is anybody to wait for."""


def _quietly() -> None:
    """Tell nobody."""


_PATIENT = "writer.patient"
_WISH = "writer.wish-"
_LIFE_SECONDS = 30.0
"""A wish that is older is that of a process that was killed."""
_LOOK_SECONDS = 0.02


@contextlib.contextmanager
def offer_lock(folder: Path) -> Iterator[None]:
    """Say, while holding the lock, that it is given up soon if somebody wishes so."""
    mark = folder / _PATIENT
    create_private_file(mark)
    try:
        yield
    finally:
        mark.unlink(missing_ok=True)


def is_lock_offered(folder: Path) -> bool:
    """Tell whether a wish for the lock will be heard, or the lock is free."""
    return (folder / _PATIENT).exists()


@contextlib.contextmanager
def take_lock(
    folder: Path, wait_seconds: Callable[[], float], waiting: Waiting = _quietly
) -> Iterator[SetPhase]:
    """Hold the writer lock, which a process that only embeds hands over when it is asked to.

    How long another one is waited for is asked when somebody has the lock.
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
    """Ask for the lock, and keep its last holder waiting, for as long as the block lasts."""
    mark = folder / f"{_WISH}{os.getpid()}-{threading.get_ident()}"
    create_private_file(mark)
    try:
        yield
    finally:
        mark.unlink(missing_ok=True)


def is_lock_requested(folder: Path) -> bool:
    """Tell whether anybody has asked for the lock lately."""
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
    """Wait, without the lock, until nobody asks for it any more."""
    while is_lock_requested(folder):
        time.sleep(_LOOK_SECONDS)
