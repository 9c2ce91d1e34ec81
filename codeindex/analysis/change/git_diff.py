"""Read from git which files and lines changed: since a commit, or between two commits.

Only names and line numbers are kept, because the text of a diff is not redacted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from codeindex import git
from codeindex.errors import GitError, QueryError
from codeindex.git.hunks import PATCH_OPTIONS, parse_hunks
from codeindex.languages import is_code_path

_STATUS = {"A": "added", "D": "deleted", "R": "renamed", "C": "added"}
_RANGE = re.compile(r"(?P<old>.*?)(?P<dots>\.{2,3})(?P<new>.*)", re.DOTALL)
UNREADABLE = "unreadable"
"""The status of a file of the work tree that may not be read."""
_DEEPEN = "`git fetch --unshallow` gets the commits that it lacks"
_OPTIONS = ("--relative", "--find-renames")
"""Options of `git diff` that override the repository's settings."""

LineRanges = tuple[tuple[int, int], ...]
"""First and last line of each range; if lines were only deleted, the line before them."""


@dataclass(frozen=True, slots=True)
class DiffedFile:
    """A changed file; `lines` are the changed lines, as numbers in its newer version.

    `before` is its path in the older version, "" if the file is new. `status` is `added`,
    `modified`, `deleted`, `renamed` or `unreadable`.
    """

    file: str
    status: str
    lines: LineRanges
    before: str = ""


@dataclass(frozen=True, slots=True)
class GitDiff:
    """The files that differ between a commit and a newer version.

    `base` is the commit's hash; `ref` is what the caller asked for. The newer version is the work
    tree if `of_work_tree` is true, else a commit. `submodules` are the folders of submodules, whose
    files are not compared.
    """

    ref: str
    base: str
    changes: tuple[DiffedFile, ...]
    of_work_tree: bool
    submodules: tuple[str, ...] = ()


def read_git_diff(root: Path, ref: str = "") -> GitDiff:
    """Return what changed in the work tree since a commit (default HEAD), or between `old..new`.

    Files with the flag `assume-unchanged` or `skip-worktree` are compared by their content; if it
    differs, all lines count as changed.
    """
    if git.find_work_tree(root) is None:
        git.require_git()
        raise QueryError(f"'{root}' is not a git work tree, so there is no diff.")
    sides = _resolve_range(root, ref.strip())
    is_of_work_tree = len(sides) == 1
    files = list(_tracked_changes(root, sides))
    tracked = [*git.list_tracked(root)]
    if is_of_work_tree:
        unnoticed = {file.file: file for file in _unnoticed_changes(root, sides[0], tracked)}
        files = [file for file in files if file.file not in unnoticed]
        files += [*unnoticed.values(), *_untracked_files(root)]
    files.sort(key=lambda file: file.file)
    submodules = {_decode_path(entry.path): None for entry in tracked if entry.is_submodule}
    return GitDiff(ref, sides[0], tuple(files), is_of_work_tree, tuple(submodules))


def _tracked_changes(root: Path, sides: tuple[str, ...]) -> Iterator[DiffedFile]:
    """Yield the changes that `git diff` finds.

    Files of the work tree that may not be read get the status `unreadable` and no lines: git would
    compare no file at all if it had to read them.
    """
    statuses = git.run_git("diff", "-z", "--name-status", *_OPTIONS, *sides, cwd=root)
    changes = [*_statuses(statuses)]
    shut = {
        path
        for path, status, _ in changes
        if len(sides) == 1 and status != "deleted" and _may_not_be_read(root / path)
    }
    limits = [f":(exclude,literal){path}" for path in sorted(shut)]
    lines = _changed_lines(root, sides, limits)
    without_lines = [
        (path, before)
        for path, status, before in changes
        if status != "deleted" and path not in lines and path not in shut and is_code_path(path)
    ]
    binary = _binary_files(root, sides, limits) if without_lines else set()
    names = {name for pair in without_lines if pair[0] in binary for name in pair if name}
    if names:
        # The repository's attributes or settings (`-diff`, `core.bigFileThreshold`) hide the lines.
        chosen = [f":(literal){path}" for path in sorted(names)]
        lines |= _changed_lines(root, sides, chosen, "--text")
    for path, status, before in changes:
        shown = UNREADABLE if path in shut else status
        yield DiffedFile(path, shown, tuple(lines.get(path, ())), before)


def _may_not_be_read(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and not os.access(path, os.R_OK)


def _unnoticed_changes(
    root: Path, commit: str, tracked: Iterable[git.TrackedPath]
) -> Iterator[DiffedFile]:
    for path, last in git.find_unnoticed_changes(root, commit, tracked):
        file = _decode_path(path)
        yield DiffedFile(
            file, "modified" if last else "deleted", ((1, last),) if last else (), file
        )


def _untracked_files(root: Path) -> Iterator[DiffedFile]:
    listing = git.run_git("ls-files", "-z", "--others", "--exclude-standard", cwd=root)
    return (DiffedFile(_decode_path(part), "added", ()) for part in listing.split(b"\0") if part)


def _changed_lines(
    root: Path, sides: tuple[str, ...], limits: Sequence[str], *options: str
) -> dict[str, list[tuple[int, int]]]:
    """Return the first and last line of each changed place, by path in the newer version.

    `limits` are git's patterns for the files to compare, all if there are none.
    """
    patch = git.run_git(
        "diff", *PATCH_OPTIONS, *_OPTIONS, *options, *sides, "--", *limits, cwd=root
    )
    lines: dict[str, list[tuple[int, int]]] = {}
    for raw, hunk in parse_hunks(patch):
        changed = (max(1, hunk.new_lines[0]), max(1, hunk.new_lines[-1]))
        lines.setdefault(_decode_path(raw), []).append(changed)
    return lines


def _binary_files(root: Path, sides: tuple[str, ...], limits: Sequence[str]) -> set[str]:
    """Return the paths, in the newer version, of the files that git does not compare by lines."""
    output = git.run_git("diff", "-z", "--numstat", *_OPTIONS, *sides, "--", *limits, cwd=root)
    fields = iter(output.split(b"\0"))
    found = set()
    for field in fields:
        if field:
            counts, path = field.rsplit(b"\t", 1)
            if not path:  # two more fields: the older and the newer path
                path = (next(fields), next(fields))[1]
            if counts == b"-\t-":
                found.add(_decode_path(path))
    return found


def _resolve_range(root: Path, ref: str) -> tuple[str, ...]:
    """Return the hash to compare with the work tree, or the two of a range like `v1..v2`."""
    match = _RANGE.fullmatch(ref)
    if match is None:
        return (_resolve_commit(root, ref or "HEAD"),)
    old, new = (_resolve_commit(root, match[side] or "HEAD") for side in ("old", "new"))
    if match["dots"] == "...":
        old = git.run_git("merge-base", old, new, cwd=root).split()[0].decode("ascii")
    return old, new


def _resolve_commit(root: Path, name: str) -> str:
    sentence = (
        f"{name!r} is not a commit of '{root}': name a branch, a tag, a commit, or `old..new`."
    )
    if "\0" in name:
        raise QueryError(sentence)
    try:
        return git.resolve_commit(root, name)
    except GitError as error:
        if name == "HEAD":
            git.read_head(root)  # raises GitError if the repository cannot be read
            sentence = f"'{root}' has no commit yet: there is nothing to compare with."
        elif git.is_shallow(root):
            sentence = f"{name!r} is not a commit of '{root}', a shallow clone: {_DEEPEN}."
        raise QueryError(sentence) from error


def _statuses(output: bytes) -> Iterator[tuple[str, str, str]]:
    """Yield (path, status, path in the older version) of each changed file."""
    fields = iter(output.split(b"\0"))
    for status in fields:
        if status:
            letter = status[:1].decode("ascii")
            before = _decode_path(next(fields))
            path = _decode_path(next(fields)) if letter in "RC" else before
            yield path, _STATUS.get(letter, "modified"), "" if letter in "AC" else before


def _decode_path(path: bytes) -> str:
    return path.decode("utf-8", "replace")
