"""Summarize the settings that decide which files git ignores, to notice when they change."""

from __future__ import annotations

import os
from pathlib import Path

from codeindex.config import environment
from codeindex.errors import GitError
from codeindex.git.process import TIMEOUT, git_error_message, git_process

_EXCLUDES_FILE = b"core.excludesfile"


def ignore_settings(root: Path) -> tuple[bytes, str]:
    """Return all settings of git in a work tree, and the state of the user's own ignore file.

    The settings may hold secrets, so do not store them. Raise GitError if git cannot read them.
    """
    process = git_process("config", "-z", "--list", cwd=root, timeout=TIMEOUT)
    if process.returncode:
        raise GitError(git_error_message("config", root, process.stderr))
    pairs = (entry.partition(b"\n") for entry in process.stdout.split(b"\0"))
    named = [value for name, _, value in pairs if name == _EXCLUDES_FILE]
    return process.stdout, _state(_ignore_file(named))


def _ignore_file(named: list[bytes]) -> str:
    """Return the path of the user's ignore file, as gitignore(5) finds it."""
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
