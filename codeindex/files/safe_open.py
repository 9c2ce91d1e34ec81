"""Open and write files below a root without following links out of it.

Another process can replace a file, or a folder above it, by a link, a pipe or a device after its
path was checked and before it is opened. So the opened handle is checked instead of the path.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from io import BufferedReader
from pathlib import Path

from codeindex.files.write import write_and_sync

_FILE = os.O_RDONLY
for _name in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_BINARY"):
    _FILE |= getattr(os, _name, 0)  # O_NONBLOCK: opening a pipe without a writer would block
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_MAX_INT64 = 2**63 - 1
_NO_NAMES = frozenset({"", ".", ".."})


def size_and_times(status: os.stat_result) -> tuple[int, int, int]:
    """Return (size, mtime, ctime); times are in nanoseconds, clamped to 64 bits (1677 to 2262)."""
    mtime_ns, ctime_ns = (
        min(max(time_ns, -_MAX_INT64), _MAX_INT64)
        for time_ns in (status.st_mtime_ns, status.st_ctime_ns)
    )
    return status.st_size, mtime_ns, ctime_ns


def open_beneath(root: Path, path: str) -> BufferedReader:
    """Open a regular file below the root for reading.

    Raise OSError if the file or a folder above it is a link, or the file is not regular.
    """
    names = path.split("/")
    if not _NO_NAMES.isdisjoint(names):
        raise OSError(errno.EINVAL, "its path leads elsewhere")
    open_file = _open_by_handles if os.open in os.supports_dir_fd else _open_checked
    handle = open_file(root, names)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    raise OSError(errno.EINVAL, "not a regular file")


def _open_by_handles(root: Path, names: list[str]) -> int:
    """Open each folder of the path `names` relative to the folder above it, then the file.

    Return the file's handle. No part of the path is followed if it is a link.
    """
    *folders, name = names
    here = _open_folder(root, folders, create=False)
    try:
        return os.open(name, _FILE, dir_fd=here)
    finally:
        os.close(here)


def _open_folder(root: Path, names: list[str], *, create: bool) -> int:
    """Return an open handle of the folder `names` (a path in parts) below the root.

    With `create`, missing folders are created.
    """
    here = os.open(root, _FOLDER)
    try:
        for name in names:
            if create:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(name, dir_fd=here)
            inner = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = inner
    except BaseException:
        os.close(here)
        raise
    return here


def _open_checked(root: Path, names: list[str]) -> int:
    """Check that no part of the path is a link, then open it; for platforms without `dir_fd`."""
    full = root.joinpath(*names)
    if full.resolve() != root.resolve().joinpath(*names):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return os.open(full, _FILE)


def write_beneath(root: Path, path: str, data: bytes, *, mode: int | None = None) -> None:
    """Write a file below the root atomically; create missing folders.

    Without `mode`, its permissions are those of the umask; `mode` has no effect on Windows. Raise
    OSError if a folder is a link or `path` has a part such as `..`.
    """
    names = path.split("/")
    if not _NO_NAMES.isdisjoint(names):
        raise OSError(errno.EINVAL, "its path leads elsewhere")
    *folders, name = names
    temporary = f".{name}.{os.urandom(6).hex()}"
    if os.open not in os.supports_dir_fd or os.rename not in os.supports_dir_fd:
        _write_checked(root, folders, name, temporary, data)
        return
    here = _open_folder(root, folders, create=True)
    try:
        handle = os.open(temporary, _NEW, 0o666, dir_fd=here)
        if mode is not None and sys.platform != "win32":
            os.fchmod(handle, mode)
        write_and_sync(handle, data)
        os.replace(temporary, name, src_dir_fd=here, dst_dir_fd=here)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=here)
        raise
    finally:
        os.close(here)


def remove_beneath(root: Path, path: str) -> None:
    """Delete a regular file below the root.

    Raise OSError if it is missing or if a part of its path is a link.
    """
    open_beneath(root, path).close()
    Path(root, path).unlink()


def _write_checked(root: Path, folders: list[str], name: str, temporary: str, data: bytes) -> None:
    """Check that no part of the path is a link, then write; for platforms without `dir_fd`."""
    folder = root.joinpath(*folders)
    folder.mkdir(parents=True, exist_ok=True)
    if folder.resolve() != root.resolve().joinpath(*folders):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    try:
        write_and_sync(os.open(folder / temporary, _NEW, 0o666), data)
        (folder / temporary).replace(folder / name)
    except BaseException:
        (folder / temporary).unlink(missing_ok=True)
        raise
