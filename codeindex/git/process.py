"""Start git without running programs from a repository's configuration."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.config import environment
from codeindex.errors import GitError
from codeindex.git.folders import enclosing_git_folders
from codeindex.git.hang_guard import communicate_or_abort, refuse_special_files

if TYPE_CHECKING:
    import subprocess

TIMEOUT = 60.0
"""Seconds after which a git command is aborted; listing a million files takes 10."""
_VERSION_TIMEOUT = 5.0
"""Seconds after which `git version` is aborted: it reads no repository."""

_SETTINGS = (
    *("core.fsmonitor=false", "core.hooksPath=/dev/null", "core.untrackedCache=false"),
    *("core.pager=cat", "core.askPass=", "core.sshCommand=false", "credential.helper="),
    *("diff.external=", "diff.submodule=short", "diff.ignoreSubmodules=all"),
    *("gpg.program=false", "gpg.ssh.program=false", "gpg.x509.program=false"),
    *("log.showSignature=false", "protocol.allow=never", "submodule.recurse=false"),
    *("color.ui=false", "core.quotePath=false", "gc.auto=0", "maintenance.auto=false"),
    # otherwise git misses an edit that keeps size and mtime
    *("core.trustctime=true", "core.checkStat=default"),
)
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",  # a partial clone would fetch missing objects
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",  # `git_error_message` parses messages
}
_NO_PROGRAMS = ("--no-ext-diff", "--no-textconv")
# "dirty": checking a submodule's work tree would start a git there without these settings
_DIFF = (*_NO_PROGRAMS, "--no-color", "--ignore-submodules=dirty", "--submodule=short")
_COMMANDS: Mapping[str, tuple[str, ...]] = {
    "blame": ("--no-textconv",),
    "cat-file": (),
    "check-ignore": (),
    "config": (),
    "diff": _DIFF,
    "diff-tree": _DIFF,
    "for-each-ref": (),
    "log": (*_DIFF, "--no-show-signature"),
    "ls-files": (),
    "ls-tree": (),
    "merge-base": (),
    "rev-list": (),
    "rev-parse": (),
    "show": (*_DIFF, "--no-show-signature"),
    "symbolic-ref": (),
    "worktree": (),
}
"""The allowed commands, each with the options that keep it from starting programs."""
_WORK_TREE_READERS = frozenset({"blame", "diff"})
"""Commands that pass files of the work tree through the repository's filters."""
_FILTER = re.compile(rb"filter\.(.*)\.(?:clean|smudge|process|required)", re.DOTALL)


def run_git(command: str, *args: str, cwd: Path, timeout: float = TIMEOUT) -> bytes:
    """Run a git command and return its output; raise GitError if it fails.

    `command` is a key of `_COMMANDS`, for example `diff`.
    """
    process = git_process(command, *args, cwd=cwd, timeout=timeout)
    if process.returncode:
        raise GitError(git_error_message(command, cwd, process.stderr))
    return process.stdout


def git_version() -> str:
    """Return the version of git, like `2.43.0`; raise GitError if git cannot be started."""
    output = _start(
        ("version",), cwd=Path(Path(require_git()).anchor), timeout=_VERSION_TIMEOUT
    ).stdout
    return output.decode(errors="replace").strip().removeprefix("git version ")


def git_process(
    command: str, *args: str, cwd: Path, timeout: float
) -> subprocess.CompletedProcess[bytes]:
    options = _COMMANDS[command]
    settings = {} if command not in _WORK_TREE_READERS else _without_filters(cwd, timeout)
    return _start((command, *options, *args), cwd=cwd, timeout=timeout, settings=settings)


def _without_filters(cwd: Path, timeout: float) -> dict[str, str]:
    """Return environment variables by which git runs no filter that a repository configures.

    Variables are used because `-c` cannot express a filter name with an equals sign.
    """
    listing = _start(("config", "-z", "--name-only", "--list"), cwd=cwd, timeout=timeout).stdout
    names = {match[1] for key in listing.split(b"\0") if (match := _FILTER.fullmatch(key))}
    pairs = [
        (f"filter.{name.decode(errors='surrogateescape')}.{key}", value)
        for name in sorted(names)
        for key, value in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
    ]
    settings = {"GIT_CONFIG_COUNT": str(len(pairs))}
    for number, (key, value) in enumerate(pairs):
        settings |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return settings


def _start(
    arguments: tuple[str, ...],
    *,
    cwd: Path,
    timeout: float,
    settings: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    import subprocess  # 6 ms, and most queries do not start git

    program = require_git()
    _refuse_stalled(cwd)
    command = [program, "--no-pager", "--no-optional-locks", "--no-replace-objects"]
    command += [part for setting in (*_SETTINGS, *_case_setting(cwd)) for part in ("-c", setting)]
    try:
        with subprocess.Popen(
            [*command, *arguments],
            cwd=cwd,
            env=environment(**_ENVIRONMENT, **(settings or {})),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            try:
                out, err = communicate_or_abort(process, timeout)
            except BaseException:
                process.kill()
                raise
            return subprocess.CompletedProcess(process.args, process.returncode, out, err)
    except subprocess.TimeoutExpired as error:
        _STALLED[cwd] = time.monotonic()
        raise GitError(_hang_message(arguments[0], cwd)) from error
    except OSError as error:
        raise GitError(f"git cannot be started in '{cwd}': {error.strerror}.") from error


def _case_setting(cwd: Path) -> tuple[str, ...]:
    """Return `core.ignoreCase=false` where the file system tells `.git` from `.GIT`, else ().

    A repository that was copied from another system can have the setting `true`. There git
    takes `LIB/a.py`, which it does not track, for its `lib/a.py`, and lists only the latter.
    """
    for folder in (cwd, *cwd.parents):
        if os.path.lexists(folder / ".git"):
            return () if os.path.lexists(folder / ".GIT") else ("core.ignoreCase=false",)
    return ()


_STALLED: dict[Path, float] = {}
"""The monotonic time at which git hung in a folder, by folder."""
_RETRY_SECONDS = 30.0
"""Seconds for which git is not started again in a folder in which it hung."""


def _refuse_stalled(cwd: Path) -> None:
    """Raise GitError if git would hang in `cwd`.

    Git would hang if a command hung there in the last 30 seconds, or if one of git's files is a
    pipe or a device.
    """
    if time.monotonic() - _STALLED.get(cwd, -_RETRY_SECONDS) < _RETRY_SECONDS:
        raise GitError(_hang_message("", cwd))
    folders = enclosing_git_folders(cwd)
    if folders is not None:
        refuse_special_files(folders)


def _hang_message(command: str, cwd: Path) -> str:
    name = f"git {command}" if command else "git"
    return (
        f"{name} does not end in '{cwd}': it may be waiting for a pipe in '.git' or for a slow"
        " disk. Try `git status` there."
    )


def find_git() -> str | None:
    """Return the absolute path of git; None if no absolute folder of PATH has it."""
    import shutil

    program = shutil.which("git")
    return program if program and Path(program).is_absolute() else None


def require_git() -> str:
    """Return the absolute path of git; raise GitError if PATH has no git."""
    program = find_git()
    if program is None:
        raise GitError("git is not on the PATH: install it.")
    return program


def git_error_message(command: str, cwd: Path, stderr: bytes) -> str:
    message = stderr.decode(errors="replace").strip()
    if "dubious ownership" in message:
        return (
            f"git does not read '{cwd}', which belongs to another user; if you trust it, run"
            f" `git config --global --add safe.directory {cwd}`."
        )
    first = message.removeprefix("fatal: ").split("\n", 1)[0] or "it did not say why"
    return f"git {command} failed in '{cwd}': {first}."
