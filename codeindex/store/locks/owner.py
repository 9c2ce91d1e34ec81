"""A note beside the lock that says who writes, for people and for hooks.

The lock is the operating system's and never rests on this: the note may be gone or garbage, of a
process that died and whose number another has now, or of another machine that shares the folder.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from codeindex.store.datadir.home import create_private_file

_NAME = "writer.json"
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_STOPPED = frozenset("tT")
"""How Linux tells of a process that was stopped, and of one under a debugger."""


@dataclass(frozen=True, slots=True)
class LockOwner:
    """A process that has noted that it writes.

    `birth` tells it from a later one of the same number, and is empty where the system tells none.
    """

    pid: int
    host: str
    birth: str
    since: float
    doing: str = ""

    @property
    def is_here(self) -> bool:
        """Tell whether it is a process of this machine, of which more can be known."""
        return self.host == _machine()


def write_lock_owner(folder: Path, doing: str, *, since: float) -> None:
    """Write down that this process writes, and what; if the disk is full, nobody is told."""
    pid = os.getpid()
    mine = LockOwner(pid, _machine(), _state(pid)[1], since, doing)
    create_private_file(folder / _NAME)
    with contextlib.suppress(OSError):
        (folder / _NAME).write_text(json.dumps(asdict(mine)), encoding="utf-8")


def clear_lock_owner(folder: Path) -> None:
    """Take the note away; one that stays behind is known by its process to be none."""
    with contextlib.suppress(OSError):
        (folder / _NAME).unlink(missing_ok=True)


def lock_owner(folder: Path) -> LockOwner | None:
    """Return whoever noted that they write, unless they are known to be gone."""
    try:
        found: dict[str, Any] = json.loads((folder / _NAME).read_text(encoding="utf-8"))
        pid, since = int(found["pid"]), float(found["since"])
        holder = LockOwner(pid, str(found["host"]), str(found["birth"]), since, str(found["doing"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return holder if _lives(holder) else None


def is_locked(folder: Path) -> bool:
    """Tell whether a process of this machine seems to be writing, without asking for the lock."""
    holder = lock_owner(folder)
    return holder is not None and holder.is_here


def describe_lock_owner(holder: LockOwner | None) -> str:
    """Say in a sentence who writes, since when, and what to do about it."""
    if holder is None:
        return "Another process is indexing this repository: wait for it to finish."
    since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(holder.since))
    doing = f", in the phase `{holder.doing}`" if holder.doing else ""
    what = f"{_who(holder)} is indexing this repository since {since}{doing}"
    if holder.is_here and _state(holder.pid)[0] in _STOPPED:
        return f"{what}, but is stopped: let it go on with `kill -CONT {holder.pid}`, or end it."
    return f"{what}: wait for it to finish."


def _who(holder: LockOwner) -> str:
    if not holder.is_here:
        return f"Another process (pid {holder.pid} of the machine '{holder.host}')"
    if holder.pid == os.getpid():
        return "Another thread of this process"
    return f"Another process (pid {holder.pid})"


def _lives(holder: LockOwner) -> bool:
    """Tell whether a process is still the one that wrote its note, as far as can be known."""
    if not holder.is_here:
        return True
    birth = _state(holder.pid)[1]
    if birth or holder.birth:
        return birth == holder.birth
    if os.name != "posix":  # elsewhere the signal 0 is one
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
    """Return the letter of a process's state and its birth, as Linux tells them; else nothing."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("ascii", "replace")
        boot = _BOOT.read_text("ascii").strip()
    except OSError:
        return "", ""
    fields = text.rpartition(")")[2].split()  # the name before may hold anything
    return fields[0], f"{boot}/{fields[19]}"
