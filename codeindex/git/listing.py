"""Which files git tracks, does not ignore, or ignores."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from codeindex.errors import GitError
from codeindex.git.process import TIMEOUT, git_error_message, git_process, run_git
from codeindex.git.work_tree import has_repository

_TRACKED = re.compile(rb"(\d{6}) [0-9a-f]{40,64} \d\t", re.DOTALL)
_SUBMODULE = b"160000"


def list_files(root: Path, only: Iterable[str] = ()) -> Iterator[bytes]:
    """Yield the paths below `root` that are tracked or not ignored, submodules' files included.

    They are as git has them: bytes, relative, possibly absent from the disk, possibly hostile. A
    repository of its own that is no submodule comes as its folder, with a slash at the end. With
    `only`, just these files and folders are looked at, none of them in a submodule.
    """
    seen = set()
    asked = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--stage", "--")
    listing = run_git(*asked, *(f":(literal){one}" for one in only), cwd=root)
    for entry in listing.split(b"\0"):
        tracked = _TRACKED.match(entry)
        path = entry[tracked.end() :] if tracked else entry
        if not path or path in seen:  # unmerged files are listed once a side
            continue
        seen.add(path)
        if tracked and tracked[1] == _SUBMODULE:
            yield from _submodule_files(root, path)
        else:
            yield path


def list_ignored_files(root: Path, only: Iterable[str] = ()) -> Iterator[bytes]:
    """Yield the untracked paths below `root`, or of `only` these, that ignore rules leave out."""
    asked = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--")
    listing = run_git(*asked, *(f":(literal){one}" for one in only), cwd=root)
    return filter(None, listing.split(b"\0"))


def list_ignored_folders(root: Path) -> frozenset[str]:
    """Return the untracked folders below `root` that are ignored whole, without those in them."""
    asked = ("-z", "--others", "--ignored", "--exclude-standard", "--directory")
    listing = os.fsdecode(run_git("ls-files", *asked, cwd=root)).split("\0")
    return frozenset(one.rstrip("/") for one in listing if one.endswith("/"))


def filter_ignored(root: Path, paths: Iterable[str]) -> frozenset[str]:
    """Return those of a few paths that are ignored and not tracked; odd names never are."""
    done = git_process("check-ignore", "--", *paths, cwd=root, timeout=TIMEOUT)
    if done.returncode > 1:
        raise GitError(git_error_message("check-ignore", root, done.stderr))
    return frozenset(os.fsdecode(done.stdout).splitlines())


def find_ignore_rule(root: Path, path: str) -> str:
    """Return the rule that a path is ignored by, as `file line n: pattern`; nothing if by none."""
    done = git_process("check-ignore", "-v", "--", path, cwd=root, timeout=TIMEOUT)
    if done.returncode > 1:
        raise GitError(git_error_message("check-ignore", root, done.stderr))
    rule = done.stdout.decode(errors="replace").partition("\t")[0]
    file, _, rest = rule.partition(":")
    line, _, pattern = rest.partition(":")
    return f"{file} line {line}: {pattern}" if pattern else ""


def _submodule_files(root: Path, path: bytes) -> Iterator[bytes]:
    """Yield a checked-out submodule's files; links on the way would lead out of the tree."""
    try:
        folder = root / path.decode()
    except UnicodeDecodeError:
        return
    if folder.resolve() != root.resolve() / path.decode() or not has_repository(folder):
        return
    for inner in list_files(folder):
        yield path + b"/" + inner
