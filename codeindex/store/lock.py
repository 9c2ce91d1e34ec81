"""One writer at a time for each index."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from codeindex.errors import LockedError, StoreError
from codeindex.store.home import private_file


@contextlib.contextmanager
def writer_lock(folder: Path, *, wait_seconds: float = 0.0) -> Iterator[None]:
    """Hold the index for writing; LockedError names the process that has it.

    The lock is the operating system's, so a holder that dies lets go of it.
    """
    import filelock

    lock = filelock.FileLock(folder / "writer.lock", timeout=wait_seconds, mode=0o600)
    holder = folder / "writer.pid"
    try:
        lock.acquire()
    except filelock.Timeout:
        raise LockedError(
            f"Another {_who(holder)} is indexing this repository: wait for it to finish."
        ) from None
    except OSError as error:
        raise StoreError(
            f"The index folder '{folder}' cannot be written ({error.strerror}): see who owns it."
        ) from error
    try:
        private_file(holder)
        holder.write_text(str(os.getpid()), encoding="ascii")
        yield
    finally:
        holder.unlink(missing_ok=True)
        lock.release()


def is_held(folder: Path) -> bool:
    """Tell whether a process seems to be writing, without asking for the lock."""
    try:
        pid = int((folder / "writer.pid").read_text(encoding="ascii"))
        if os.name == "posix":  # elsewhere the signal 0 is one
            os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def _who(holder: Path) -> str:
    try:
        pid = int(holder.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return "process"
    return "thread of this process" if pid == os.getpid() else f"process (pid {pid})"
