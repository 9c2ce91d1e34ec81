"""Summarize the settings that decide which files git ignores, to notice when they change."""

from __future__ import annotations

import os
from pathlib import Path

from codeindex.config import environment
from codeindex.git.process import run_git

_EXCLUDES_FILE = b"core.excludesfile"


def ignore_settings(root: Path) -> tuple[bytes, str]:
    """Return (output of `git config --list`, state of the user's ignore file as a text).

    The text has the file's path, size and times. If either value changes, git may ignore other
    files than before. The configuration may hold secrets, so do not store it. Raise GitError if git
    cannot read it.
    """
    settings = run_git("config", "-z", "--list", cwd=root)
    pairs = (entry.partition(b"\n") for entry in settings.split(b"\0"))
    named = [value for name, _, value in pairs if name == _EXCLUDES_FILE]
    return settings, _state(_ignore_file(named))


def _ignore_file(named: list[bytes]) -> str:
    """Return the path of the user's ignore file, which need not exist.

    `named` has the values of `core.excludesFile`; without any, the path is git's default
    (gitignore(5)).
    """
    if named:
        return os.path.expanduser(os.fsdecode(named[-1]))  # noqa: PTH111 (`~` alone has a meaning)
    variables = environment()
    folder = variables.get("XDG_CONFIG_HOME") or f"{variables.get('HOME', '')}/.config"
    return f"{folder}/git/ignore"


def _state(path: str) -> str:
    try:
        state = Path(path).stat()
    except OSError:
        return f"{path}: absent"
    return f"{path}: {state.st_size} {state.st_mtime_ns} {state.st_ctime_ns} {state.st_ino}"
