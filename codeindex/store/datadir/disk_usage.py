"""Measure files and folders on disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path


def disk_usage(paths: Iterable[Path]) -> int:
    """Return the total size in bytes of these files, and of all files below these folders.

    Links are not followed. Files that have vanished count 0.
    """
    return sum(map(_size, (file for path in paths for file in _files(path))))


def _files(path: Path) -> Iterator[str]:
    if path.is_symlink() or not path.is_dir():
        yield str(path)
        return
    # unlike `Path.rglob`, it goes on if another process deletes a folder meanwhile
    for folder, _, names in os.walk(path):
        yield from (f"{folder}{os.sep}{name}" for name in names)


def _size(file: str) -> int:
    try:
        return os.lstat(file).st_size
    except OSError:
        return 0
