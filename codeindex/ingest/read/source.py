"""Read the bytes of a file from the work tree or from a commit."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from codeindex.files.safe_open import open_beneath, size_and_times
from codeindex.freshness.timestamps import provable_ctime
from codeindex.types import SourceFile


@dataclass(frozen=True, slots=True)
class FileBytes:
    """The bytes of a file and its times, in ns, at the time of reading.

    The times are 0 if the file was read from a commit.
    """

    data: bytes
    mtime_ns: int = 0
    ctime_ns: int = 0


def read_discovered_file(root: Path, file: SourceFile, max_bytes: int) -> FileBytes:
    """Read a file from the work tree, or from the commit `file.revision` if that is set.

    Raise OSError or GitError if the file is missing or too large.
    """
    if file.revision:
        return _read_revision(root, file, max_bytes)
    return read_file(root, file.path, max_bytes)


def read_file(root: Path, path: str, max_bytes: int) -> FileBytes:
    """Read a file of the work tree.

    Raise OSError if the file is missing, too large, or no regular file.
    """
    started = time.time_ns()
    with open_beneath(root, path) as handle:
        _, mtime_ns, ctime_ns = size_and_times(os.fstat(handle.fileno()))
        data = handle.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise OSError(f"grew over {max_bytes:,} bytes")
    return FileBytes(data, mtime_ns, provable_ctime(mtime_ns, ctime_ns, read_at_ns=started))


def _read_revision(root: Path, file: SourceFile, max_bytes: int) -> FileBytes:
    from codeindex import git  # 20 ms; nearly all files are read from the work tree

    revision_path = f"{file.revision}:./{file.path}"
    if int(git.run_git("cat-file", "-s", revision_path, cwd=root)) > max_bytes:
        raise OSError(f"was over {max_bytes:,} bytes")
    return FileBytes(git.run_git("cat-file", "blob", revision_path, cwd=root))
