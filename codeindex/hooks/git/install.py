"""Putting our lines into git's hooks, and taking them out."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from codeindex.config import data_home, is_home_overridden
from codeindex.errors import GitError
from codeindex.hooks.git import script_block as block
from codeindex.hooks.git.hooks_folder import Folder
from codeindex.store.datadir.home import write_atomically

NAMES = ("post-merge", "post-checkout", "post-rewrite", "post-commit")
"""All that git calls after HEAD has moved; `pull` is a merge or a rebase."""
State = Literal["installed", "outdated", "absent", "refused"]
_NEW_MODE = 0o755


@dataclass(frozen=True, slots=True)
class Hook:
    """One of git's hooks: whether our lines are in it, and why they cannot be."""

    name: str
    path: Path
    state: State
    why: str = ""
    shared: bool = False
    """There are other lines too."""


def hooks_in(folder: Folder) -> list[Hook]:
    """Say of each hook how it is."""
    return [_hook(folder, name) for name in NAMES]


def _hook(folder: Folder, name: str) -> Hook:
    path = folder.path / name
    text = _text(path)
    known = text is not None and block.is_in(text)
    shared = text is not None and block.take(text) is not None
    refusal = "" if known else folder.refusal or _refusal(path, text)
    if refusal:
        return Hook(name, path, "refused", refusal, shared)
    if not known or text is None:
        return Hook(name, path, "absent", shared=shared)
    lines = block.put(text, _lines(name))
    return Hook(name, path, "installed" if lines == text else "outdated", shared=shared)


def _refusal(path: Path, text: bytes | None) -> str:
    """Say why a hook of somebody else cannot take our lines."""
    if path.is_symlink():
        return f"'{path}' is a link to '{path.readlink()}', which is somebody else's file."
    if text is None:
        return ""
    if not block.shell_of(text):
        return f"'{path}' is no shell script: have it call `codeindex index` itself."
    if os.name == "posix" and not path.stat().st_mode & stat.S_IXUSR:
        return f"'{path}' is not executable, so git does not run it: remove it or allow it to run."
    return ""


def install(hook: Hook) -> Hook:
    """Put our lines into a hook that can take them; GitError if it cannot be written."""
    if hook.state not in {"absent", "outdated"}:
        return hook
    before = _text(hook.path)
    _write(hook.path, block.put(before, _lines(hook.name)))
    return replace(hook, state="installed")


def uninstall(hook: Hook) -> Hook:
    """Take our lines out again; a hook that was made for them goes with them."""
    text = _text(hook.path)
    if hook.state not in {"installed", "outdated"} or text is None:
        return hook
    _write(hook.path, block.take(text))
    return replace(hook, state="absent")


def _write(path: Path, text: bytes | None) -> None:
    try:
        if text is None:
            path.unlink()
            return
        path.parent.mkdir(exist_ok=True)
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else _NEW_MODE
        write_atomically(path, text, mode=mode)
    except OSError as error:
        raise GitError(
            f"The hook '{path}' cannot be written ({error.strerror}): see who owns its folder."
        ) from error


def _text(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise GitError(f"The hook '{path}' cannot be read ({error.strerror}).") from error


def _lines(name: str) -> bytes:
    """Return our lines; a data folder that only this shell's variable names is in them."""
    return block.program(name, {"CODEINDEX_HOME": str(data_home())} if is_home_overridden() else {})
