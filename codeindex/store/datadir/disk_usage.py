"""Measure files and folders on disk."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def disk_usage(paths: Iterable[Path]) -> int:
    """Return the total size in bytes of these files, and of all files below these folders.

    Links are not followed. Files that have vanished count 0.
    """
    total = 0
    for path in paths:
        for item in (path, *(path.rglob("*") if path.is_dir() and not path.is_symlink() else ())):
            try:
                status = item.lstat()
            except OSError:
                continue
            total += status.st_size if item.is_symlink() or item.is_file() else 0
    return total
