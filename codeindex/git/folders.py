"""Find the folders in which git keeps a repository, without starting git."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path

_GIT_DIR = ("HEAD", "objects", "refs")
"""By these git itself recognises a git dir."""


@dataclass(frozen=True, slots=True)
class GitFolders:
    """The git dir of a work tree (`own`) and the dir that linked work trees share (`common`)."""

    own: Path
    common: Path


def read_git_folders(top: Path) -> GitFolders:
    """Return the git folders of the work tree `top` without starting git; they need not exist.

    Every sync calls this function, and a process would take too long. Both folders are `top/.git`
    if `.git` or `commondir` names an impossible path.
    """
    entry = top / ".git"
    named = _read_first_line(entry).removeprefix("gitdir:").strip()
    if not named:
        return GitFolders(entry, entry)
    own = top / named
    common = own / _read_first_line(own / "commondir")
    if _is_possible(own) and _is_possible(common):
        return GitFolders(own, common)
    return GitFolders(entry, entry)


def _is_possible(path: Path) -> bool:
    """Tell whether the system accepts a path, existing or not; for example, it may be too long."""
    try:
        path.lstat()
    except OSError as error:
        return error.errno in {errno.ENOENT, errno.ENOTDIR, errno.EACCES}
    return True


def enclosing_git_folders(folder: Path) -> GitFolders | None:
    """Return the git folders of the work tree around `folder`; None outside a work tree."""
    above = (path for path in (folder, *folder.parents) if os.path.lexists(path / ".git"))
    top = next(above, None)
    return read_git_folders(top) if top else None


def find_git_dir(folder: Path) -> Path | None:
    """Return the git dir, as `.git` or a bare repository is, that is or contains `folder`."""
    above = (folder, *folder.parents)
    return next((path for path in above if all((path / name).exists() for name in _GIT_DIR)), None)


def _read_first_line(path: Path, most: int = 8_192) -> str:
    """Return the first line of a regular file without blocking; '' if it cannot be read as text."""
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
