"""Write and read the file `writer.json`, which names the process that holds the writer lock.

It is for messages and hooks; locking never depends on it. It may be missing or malformed, and it
may name a dead process whose pid was reused, or a process of another machine that shares the
folder.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from codeindex.files.write import create_private_file

_NAME = "writer.json"
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_STOPPED = frozenset("tT")
"""State letters of a stopped or traced process in `/proc/PID/stat`."""


@dataclass(frozen=True, slots=True)
class LockOwner:
    """The process that holds the writer lock of an index, as its file `writer.json` says.

    `birth` (boot id and start time) distinguishes processes with the same pid; it is set only on
    Linux. `since` is in seconds since the epoch, and `doing` is the phase of the sync.
    """

    pid: int
    host: str
    birth: str
    since: float
    doing: str = ""

    @property
    def is_here(self) -> bool:
        """Whether the process runs on this machine."""
        return self.host == _machine()


def write_lock_owner(folder: Path, doing: str, *, since: float) -> None:
    """Write `writer.json` for this process; `doing` is the phase of its sync.

    `since` is when it got the lock, in seconds since the epoch. Errors are ignored.
    """
    pid = os.getpid()
    mine = LockOwner(pid, _machine(), _state(pid)[1], since, doing)
    create_private_file(folder / _NAME)
    with contextlib.suppress(OSError):
        (folder / _NAME).write_text(json.dumps(asdict(mine)), encoding="utf-8")


def clear_lock_owner(folder: Path) -> None:
    """Delete `writer.json`; ignore errors.

    If the file cannot be deleted, it is ignored after its process has ended.
    """
    with contextlib.suppress(OSError):
        (folder / _NAME).unlink(missing_ok=True)


def lock_owner(folder: Path) -> LockOwner | None:
    """Return the process named in `writer.json`; None without the file or if it is dead."""
    try:
        found: dict[str, Any] = json.loads((folder / _NAME).read_text(encoding="utf-8"))
        pid, since = int(found["pid"]), float(found["since"])
        holder = LockOwner(pid, str(found["host"]), str(found["birth"]), since, str(found["doing"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return holder if _lives(holder) else None


def is_locked(folder: Path) -> bool:
    """Tell whether `writer.json` in `folder` names a living process of this machine.

    The lock itself is not tested.
    """
    holder = lock_owner(folder)
    return holder is not None and holder.is_here


def describe_lock_owner(holder: LockOwner | None) -> str:
    """Return a message that says which process writes the index, since when, and what to do."""
    if holder is None:
        return "Another process is indexing this repository: wait for it to finish."
    since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(holder.since))
    doing = f", in the phase `{holder.doing}`" if holder.doing else ""
    what = f"{_who(holder)} is indexing this repository since {since}{doing}"
    if holder.is_here and _state(holder.pid)[0] in _STOPPED:
        return f"{what}, but is stopped: resume it with `kill -CONT {holder.pid}`, or end it."
    return f"{what}: wait for it to finish."


def _who(holder: LockOwner) -> str:
    if not holder.is_here:
        return f"Another process (pid {holder.pid} of the machine '{holder.host}')"
    if holder.pid == os.getpid():
        return "Another thread of this process"
    return f"Another process (pid {holder.pid})"


def _lives(holder: LockOwner) -> bool:
    """Tell whether the process of a lock owner is alive.

    Return True if this cannot be known, as for a process of another machine.
    """
    if not holder.is_here:
        return True
    birth = _state(holder.pid)[1]
    if birth or holder.birth:
        return birth == holder.birth
    if os.name != "posix":  # on Windows os.kill(pid, 0) would end the process
        return True
    try:
        os.kill(holder.pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def _machine() -> str:
    if hasattr(os, "uname"):
        return os.uname().nodename
    import platform  # 5 ms, which hooks have to wait for

    return platform.node()


def _state(pid: int) -> tuple[str, str]:
    """Return (state letter, "boot id/start time") of a process on Linux.

    Return ("", "") if this cannot be read.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text("ascii", "replace")
        boot = _BOOT.read_text("ascii").strip()
    except OSError:
        return "", ""
    fields = text.rpartition(")")[2].split()  # the program's name in front may contain anything
    return fields[0], f"{boot}/{fields[19]}"
