"""How many bytes files and folders have."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def disk_usage(paths: Iterable[Path]) -> int:
    """Return the bytes of files, and of all below folders; what vanishes meanwhile weighs none."""
    total = 0
    for path in paths:
        for one in (path, *(path.rglob("*") if path.is_dir() and not path.is_symlink() else ())):
            try:
                status = one.lstat()
            except OSError:
                continue
            total += status.st_size if one.is_symlink() or one.is_file() else 0
    return total
