"""What would make git wait for ever: a pipe or a device where it expects a file of its own."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import time
from pathlib import Path

from codeindex.errors import GitError

_OWN = ("HEAD", "commondir", "gitdir", "index", "config.worktree", "info/sparse-checkout")
_COMMON = (
    *("HEAD", "config", "packed-refs", "shallow", "info/exclude", "info/attributes"),
    *("info/grafts", "objects/info/alternates", "objects/info/commit-graph"),
)
"""Files that git opens for the commands that are run here."""
_REFS = ("refs", "refs/heads", "refs/tags", "refs/remotes")
"""Folders that git reads with all that is below them."""
_ODD = (stat.S_ISFIFO, stat.S_ISSOCK, stat.S_ISCHR, stat.S_ISBLK)
_STALL_SECONDS, _LOOK_SECONDS = 2.0, 0.25
"""How long git may sleep without any work before it is taken to wait for a pipe."""


def git_folders(top: Path) -> tuple[Path, Path]:
    """Return where git keeps the files of a work tree, its own and those that others share.

    They may not be there. Where `.git` or `commondir` names what can be no path, it is `.git`.
    """
    entry = top / ".git"
    named = read_first_line(entry).removeprefix("gitdir:").strip()
    if not named:
        return entry, entry
    own = top / named
    common = own / read_first_line(own / "commondir")
    return (own, common) if _can_be(own) and _can_be(common) else (entry, entry)


def _can_be(path: Path) -> bool:
    """Tell whether there may be such a path: not where it is longer than any."""
    try:
        path.lstat()
    except OSError as error:
        return error.errno in {errno.ENOENT, errno.ENOTDIR, errno.EACCES}
    return True


def enclosing_git_folders(folder: Path) -> tuple[Path, Path] | None:
    """Return the folders of git for the work tree that a folder lies in."""
    above = (one for one in (folder, *folder.parents) if os.path.lexists(one / ".git"))
    top = next(above, None)
    return git_folders(top) if top else None


def refuse_special_files(own: Path, common: Path) -> None:
    """Raise GitError for a pipe, socket or device in place of a file that git would read.

    So is a folder of references that leads elsewhere: of a link to `/`, git would read every file.
    Tools that share a repository's references link to folders of the same names.
    """
    named = [own / one for one in _OWN] + [common / one for one in _COMMON]
    for path in named:
        try:
            mode = path.stat().st_mode
        except (OSError, ValueError):
            continue
        if any(is_odd(mode) for is_odd in _ODD):
            raise GitError(
                f"'{path}' is a pipe or a device, and git would wait for it for ever: remove it."
            )

    for path in {own / "refs", *(common / one for one in _REFS)}:
        if path.is_symlink() and Path(os.path.realpath(path)).name != path.name:
            raise GitError(
                f"'{path}' is a link to no such folder of git, which would read all that is there:"
                " remove it."
            )


def read_first_line(path: Path, most: int = 8_192) -> str:
    """Return the first line of a plain file, '' for anything else; no pipe is waited for."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return ""
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return ""
            line = file.readline(most).decode().strip()
    except (OSError, ValueError):  # ValueError: a NUL in the path, or a line that is no text
        return ""
    return "" if "\0" in line else line


def communicate_or_abort(process: subprocess.Popen[bytes], timeout: float) -> tuple[bytes, bytes]:
    """Return what a process prints; TimeoutExpired where it sleeps for ever, or takes too long.

    Reading a device without an end is neither asleep nor ever done: twice seen, it is ended.
    """
    until = time.monotonic() + timeout
    worked, since, reads = -1, time.monotonic(), False
    while True:
        try:
            return process.communicate(timeout=_LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            now, work = time.monotonic(), _work_of(process.pid)
            if work is None or work != worked:
                worked, since = work or 0, now
            did, reads = reads, _reads_device(process.pid)
            if now > until or now - since > _STALL_SECONDS or (did and reads):
                raise


def _work_of(pid: int) -> int | None:
    """Return the processor time of a process that sleeps, in nanoseconds, as Linux tells it.

    None while it works, waits for a disk or for a child of its own, and on other systems.
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
    """Tell whether a process has a device open, as Linux tells it, apart from the empty one."""
    try:
        for one in Path(f"/proc/{pid}/fd").iterdir():
            found = one.stat()
            is_device = stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode)
            if is_device and found.st_rdev != Path(os.devnull).stat().st_rdev:
                return True
    except OSError:  # it ended, or closed one of them
        return False
    return False
