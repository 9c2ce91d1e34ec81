"""Find changes that git does not report, because it was told not to look at the files.

`git update-index --assume-unchanged` and `--skip-worktree` make `git diff` and `git status` pass
over a file of the work tree, whatever it holds.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from codeindex.files.safe_open import open_beneath
from codeindex.git.listing import TrackedPath
from codeindex.git.process import run_git

_REGULAR_FILES = (b"100644 ", b"100755 ")
_MOST_BYTES = 1 << 26
"""Most bytes of a file that are read; a larger file, 64 MB, counts as changed."""
_SHA1_LETTERS = 40


class UnnoticedChange(NamedTuple):
    """A tracked file that differs from a commit and that git was told not to look at.

    `path` is relative to the root. `lines` is one more than its line breaks, 0 if it was deleted.
    """

    path: bytes
    lines: int


def find_unnoticed_changes(
    root: Path, commit: str, tracked: Iterable[TrackedPath]
) -> Iterator[UnnoticedChange]:
    """Yield the files below `root` that differ from the commit and that git does not look at.

    `tracked` are the entries of git's index. Only files that the commit has are compared. Files
    that a sparse checkout leaves out do not count as deleted. A file that only a filter of the
    repository makes differ counts as changed, because filters are programs, which are not run.
    """
    hidden = {
        entry.path: entry.is_skipped
        for entry in tracked
        if entry.is_skipped or entry.is_assumed_unchanged
    }
    for path, blob in _blobs(root, commit) if hidden else ():
        if path in hidden:
            lines = _changed_lines(root, path, blob)
            if lines or (lines == 0 and not hidden[path]):
                yield UnnoticedChange(path, lines)


def _changed_lines(root: Path, path: bytes, blob: str) -> int | None:
    """Compare a file with `blob`, the hash of its content in a commit.

    Return `UnnoticedChange.lines` if they differ, 0 if the file is missing, None if they are equal
    or the file may not be read.
    """
    try:
        with open_beneath(root, os.fsdecode(path)) as file:
            data = file.read(_MOST_BYTES)
    except FileNotFoundError:
        return 0
    except OSError:
        return None
    same = _is_blob(data, blob) or _is_blob(data.replace(b"\r\n", b"\n"), blob)
    return None if same else data.count(b"\n") + 1


def _blobs(root: Path, commit: str) -> Iterator[tuple[bytes, str]]:
    """Yield (path, hash of its content) of each regular file of a commit below `root`."""
    for entry in run_git("ls-tree", "-r", "-z", commit, cwd=root).split(b"\0"):
        about, _, path = entry.partition(b"\t")
        if about.startswith(_REGULAR_FILES):
            yield path, about.split()[2].decode("ascii")


def _is_blob(data: bytes, blob: str) -> bool:
    """Tell whether git's hash of a file's content is `blob`: SHA-1, or SHA-256 if it is longer."""
    make = hashlib.sha1 if len(blob) == _SHA1_LETTERS else hashlib.sha256
    return make(b"blob %d\0" % len(data) + data).hexdigest() == blob
