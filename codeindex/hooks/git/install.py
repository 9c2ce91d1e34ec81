"""Insert our lines into git's hooks, and remove them."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from codeindex.config import data_home, is_home_overridden
from codeindex.errors import GitError
from codeindex.files.write import write_atomically
from codeindex.hooks.git.hooks_folder import HooksFolder
from codeindex.hooks.git.script_block import (
    hook_commands,
    insert_block,
    remove_block,
    script_has_block,
    script_shell,
)

HOOK_NAMES = ("post-merge", "post-checkout", "post-rewrite", "post-commit")
"""All hooks that git runs after it moved HEAD; `git pull` runs those of a merge or a rebase."""
HookState = Literal["installed", "outdated", "absent", "refused"]
_NEW_MODE = 0o755


@dataclass(frozen=True, slots=True)
class GitHook:
    """A git hook, and whether our lines, which start a sync, are in its script (`state`).

    `why` is the reason for the state `refused`. `shared` means that the script also has other
    lines.
    """

    name: str
    path: Path
    state: HookState
    why: str = ""
    shared: bool = False


def read_hooks(folder: HooksFolder) -> list[GitHook]:
    """Return the state of each hook in `HOOK_NAMES`, in this order."""
    return [_read_hook(folder, name) for name in HOOK_NAMES]


def _read_hook(folder: HooksFolder, name: str) -> GitHook:
    path = folder.path / name
    script = _read_script(path)
    has_block = script is not None and script_has_block(script)
    shared = script is not None and remove_block(script) is not None
    refusal = "" if has_block else folder.refusal or _refusal(path, script)
    if refusal:
        return GitHook(name, path, "refused", refusal, shared)
    if not has_block or script is None:
        return GitHook(name, path, "absent", shared=shared)
    is_current = insert_block(script, _commands(name)) == script
    return GitHook(name, path, "installed" if is_current else "outdated", shared=shared)


def _refusal(path: Path, script: bytes | None) -> str:
    """Return why our lines cannot be inserted into a hook's script; '' if they can."""
    if path.is_symlink():
        return f"'{path}' is a link to '{path.readlink()}', a file that codeindex did not write."
    if script is None:
        return ""
    if not script_shell(script):
        return f"'{path}' is not a shell script: call `codeindex index` in it."
    if os.name == "posix" and not path.stat().st_mode & stat.S_IXUSR:
        return f"'{path}' is not executable, so git does not run it: remove it or allow it to run."
    return ""


def install_hook(hook: GitHook) -> GitHook:
    """Insert or renew our lines in a hook and return its new state.

    A hook that is installed already or refused is returned unchanged. Raise GitError if the script
    cannot be written.
    """
    if hook.state not in {"absent", "outdated"}:
        return hook
    script = _read_script(hook.path)
    _write_script(hook.path, insert_block(script, _commands(hook.name)))
    return replace(hook, state="installed")


def uninstall_hook(hook: GitHook) -> GitHook:
    """Remove our lines from a hook and return its new state.

    The script is deleted if we created it and nobody added other lines.
    """
    script = _read_script(hook.path)
    if hook.state not in {"installed", "outdated"} or script is None:
        return hook
    _write_script(hook.path, remove_block(script))
    return replace(hook, state="absent")


def _write_script(path: Path, script: bytes | None) -> None:
    """Write a hook's script and keep its file mode; None as `script` deletes the file."""
    try:
        if script is None:
            path.unlink()
            return
        path.parent.mkdir(exist_ok=True)
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else _NEW_MODE
        write_atomically(path, script, mode=mode)
    except OSError as error:
        raise GitError(
            f"The hook '{path}' cannot be written ({error.strerror}): see who owns its folder."
        ) from error


def _read_script(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise GitError(f"The hook '{path}' cannot be read ({error.strerror}).") from error


def _commands(name: str) -> bytes:
    """Return the shell lines that we add to the hook `name`.

    They set CODEINDEX_HOME if it is set in this process.
    """
    variables = {"CODEINDEX_HOME": str(data_home())} if is_home_overridden() else {}
    return hook_commands(name, variables)
