"""List files that git tracks or ignores, and read the settings that decide which it ignores."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from codeindex.config import environment
from codeindex.errors import GitError
from codeindex.git.hunks import unquote_path
from codeindex.git.process import TIMEOUT, git_error_message, git_process, run_git
from codeindex.git.work_tree import has_repository

_TRACKED = re.compile(rb"(\d{6}) [0-9a-f]{40,64} \d\t", re.DOTALL)
_SUBMODULE = b"160000"
_EXCLUDES_FILE = b"core.excludesfile"


def list_files(root: Path, only: Iterable[str] = ()) -> Iterator[bytes]:
    """Yield the paths below `root` that git tracks, or neither tracks nor ignores.

    Files of submodules are included. Paths are relative bytes as git stores them; they can be
    missing on disk, and hostile. A nested repository that is no submodule, and a submodule that is
    not checked out, are one path with a trailing slash. `only` limits the listing to these files
    and folders, which must not lie in a submodule.
    """
    listed = set()
    arguments = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--stage", "--")
    listing = run_git(*arguments, *(f":(literal){path}" for path in only), cwd=root)
    for entry in listing.split(b"\0"):
        tracked = _TRACKED.match(entry)
        path = entry[tracked.end() :] if tracked else entry
        if not path or path in listed:  # git lists an unmerged file once for each side
            continue
        listed.add(path)
        if tracked and tracked[1] == _SUBMODULE:
            yield from _submodule_files(root, path)
        else:
            yield path


class TrackedPath(NamedTuple):
    """An entry of git's index; a submodule is one entry.

    `is_skipped` is set by `--skip-worktree`, as in a sparse checkout, and `is_assumed_unchanged` by
    `--assume-unchanged`.
    """

    path: bytes
    is_submodule: bool
    is_skipped: bool
    is_assumed_unchanged: bool


def list_tracked(root: Path) -> Iterator[TrackedPath]:
    """Yield the entries of git's index below `root`, sorted by path.

    A path with a merge conflict has up to three entries.
    """
    listing = run_git("ls-files", "-z", "-v", "--cached", "--stage", cwd=root)
    for entry in listing.split(b"\0"):
        tracked = _TRACKED.match(entry, 2)
        if tracked:
            mark, is_submodule = entry[:1], tracked[1] == _SUBMODULE
            path = entry[tracked.end() :]
            yield TrackedPath(path, is_submodule, mark in b"Ss", mark.islower())


def list_unchecked_files(root: Path) -> frozenset[bytes]:
    """Return the tracked paths that a sparse checkout leaves out of the work tree at `root`."""
    return frozenset(tracked.path for tracked in list_tracked(root) if tracked.is_skipped)


def list_ignored_files(root: Path, only: Iterable[str] = ()) -> Iterator[bytes]:
    """Yield the untracked files that git ignores below `root`, or below the paths `only`."""
    arguments = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--")
    listing = run_git(*arguments, *(f":(literal){path}" for path in only), cwd=root)
    return filter(None, listing.split(b"\0"))


def list_ignored_folders(root: Path) -> frozenset[str]:
    """Return the outermost untracked folders below `root` that git ignores as a whole."""
    arguments = ("-z", "--others", "--ignored", "--exclude-standard", "--directory")
    listing = os.fsdecode(run_git("ls-files", *arguments, cwd=root)).split("\0")
    return frozenset(path.rstrip("/") for path in listing if path.endswith("/"))


def filter_ignored(root: Path, paths: Iterable[str]) -> frozenset[str]:
    """Return those of `paths` that git ignores and does not track."""
    process = git_process("check-ignore", "--", *paths, cwd=root, timeout=TIMEOUT)
    if process.returncode > 1:
        raise GitError(git_error_message("check-ignore", root, process.stderr))
    lines = filter(None, process.stdout.split(b"\n"))
    return frozenset(os.fsdecode(unquote_path(line)) for line in lines)


def find_ignore_rule(root: Path, path: str) -> str:
    """Return the ignore rule for a path, like `.gitignore line 3: *.log`; '' if none matches."""
    process = git_process("check-ignore", "-v", "--", path, cwd=root, timeout=TIMEOUT)
    if process.returncode > 1:
        raise GitError(git_error_message("check-ignore", root, process.stderr))
    rule = process.stdout.decode(errors="replace").partition("\t")[0]
    file, _, rest = rule.partition(":")
    line, _, pattern = rest.partition(":")
    return f"{file} line {line}: {pattern}" if pattern else ""


def _submodule_files(root: Path, path: bytes) -> Iterator[bytes]:
    """Yield the files of a submodule as paths below `root`, or its folder if it is not checked out.

    A submodule behind a link yields nothing, because a link could lead out of the tree.
    """
    try:
        folder = root / path.decode()
    except UnicodeDecodeError:
        return
    if folder.resolve() != root.resolve() / path.decode():
        return
    if not has_repository(folder):
        yield path + b"/"
        return
    for inner in list_files(folder):
        yield path + b"/" + inner


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
