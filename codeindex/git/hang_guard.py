"""Detect what makes git hang: a pipe or device where git expects one of its own files."""

from __future__ import annotations

import os
import stat
import subprocess
import time
from pathlib import Path

from codeindex.errors import GitError
from codeindex.git.folders import GitFolders

_GIT_DIR_FILES = ("HEAD", "commondir", "gitdir", "index", "config.worktree", "info/sparse-checkout")
_COMMON_DIR_FILES = (
    *("HEAD", "config", "packed-refs", "shallow", "info/exclude", "info/attributes"),
    *("info/grafts", "objects/info/alternates", "objects/info/commit-graph"),
)
"""Files that git opens for the commands of `process`."""
_REFS = ("refs", "refs/heads", "refs/tags", "refs/remotes")
"""Folders that git reads recursively."""
_SPECIAL_FILE_TESTS = (stat.S_ISFIFO, stat.S_ISSOCK, stat.S_ISCHR, stat.S_ISBLK)
_STALL_SECONDS, _POLL_SECONDS = 2.0, 0.25
"""Seconds that git may sleep without work before it counts as hanging, and seconds between
checks."""


def refuse_special_files(folders: GitFolders) -> None:
    """Raise GitError if a file that git would read is a pipe, socket or device.

    Raise it also if a folder of references is a link to a folder of another name: through a link to
    `/`, git would read every file. A link to a folder of the same name is accepted, because tools
    share references by such links.
    """
    named = [folders.own / name for name in _GIT_DIR_FILES]
    named += [folders.common / name for name in _COMMON_DIR_FILES]
    for path in named:
        try:
            mode = path.stat().st_mode
        except (OSError, ValueError):
            continue
        if any(is_special(mode) for is_special in _SPECIAL_FILE_TESTS):
            raise GitError(
                f"'{path}' is a pipe or a device, and git would wait for it for ever: remove it."
            )

    for path in {folders.own / "refs", *(folders.common / name for name in _REFS)}:
        if path.is_symlink() and Path(os.path.realpath(path)).name != path.name:
            raise GitError(
                f"'{path}' is a link to another kind of folder, and git would read everything"
                " there: remove it."
            )


def communicate_or_abort(process: subprocess.Popen[bytes], timeout: float) -> tuple[bytes, bytes]:
    """Return (stdout, stderr) of a process; raise TimeoutExpired if it hangs or exceeds `timeout`.

    A process hangs if it sleeps for two seconds without work, or if two consecutive checks find
    that it reads a device, which may be endless.
    """
    deadline = time.monotonic() + timeout
    last_cpu_time, idle_since, reads_device = -1, time.monotonic(), False
    while True:
        try:
            return process.communicate(timeout=_POLL_SECONDS)
        except subprocess.TimeoutExpired:
            now, cpu_time = time.monotonic(), _sleeping_cpu_time(process.pid)
            if cpu_time is None or cpu_time != last_cpu_time:
                last_cpu_time, idle_since = cpu_time or 0, now
            did_read, reads_device = reads_device, _reads_device(process.pid)
            is_stalled = now - idle_since > _STALL_SECONDS
            if now > deadline or is_stalled or (did_read and reads_device):
                raise


def _sleeping_cpu_time(pid: int) -> int | None:
    """Return the CPU time of a process in nanoseconds if it sleeps; None otherwise (Linux only).

    A process that waits for a disk or for a child does not count as sleeping.
    """
    total = 0
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            state = (task / "stat").read_text("ascii", "replace").rpartition(")")[2].split()[0]
            if state != "S" or (task / "children").read_text().strip():
                return None
            total += int((task / "schedstat").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None
    return total


def _reads_device(pid: int) -> bool:
    """Tell whether a process has a device other than /dev/null open (Linux only)."""
    try:
        for handle in Path(f"/proc/{pid}/fd").iterdir():
            status = handle.stat()
            is_device = stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode)
            if is_device and status.st_rdev != Path(os.devnull).stat().st_rdev:
                return True
    except OSError:  # the process ended or closed a handle
        return False
    return False
