"""Write files that are synced to disk: private ones, and ones that are replaced atomically."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


def create_private_file(path: Path) -> None:
    """Create an empty file with mode 0600 if it is absent.

    Errors are ignored: the caller gets them when it opens the file for writing.
    """
    with contextlib.suppress(OSError):
        path.touch(mode=0o600, exist_ok=False)


@contextlib.contextmanager
def write_private_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a file with mode 0600 for writing; after the block it is synced to disk and closed."""
    create_private_file(path)
    with path.open("wb") as file:
        yield file
        _sync(file)


def write_atomically(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Replace a small file atomically: readers see either its old or its new content."""
    import tempfile  # 5 ms, for writers only

    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        write_and_sync(handle, data)
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_and_sync(handle: int, data: bytes) -> None:
    """Write data to an open file descriptor, sync it to disk and close it."""
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        _sync(file)


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
