"""Opening and writing files of a tree that others may change meanwhile, without leaving it.

Between a look at a path and its opening, a file can become a link, a pipe or a device, and so can
every folder on the way. What was opened is what is judged.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

_FILE = os.O_RDONLY
for _name in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_BINARY"):
    _FILE |= getattr(os, _name, 0)  # a pipe without a writer would be waited for
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_MOST = 2**63 - 1
_NO_NAMES = frozenset({"", ".", ".."})


def size_and_times(status: os.stat_result) -> tuple[int, int, int]:
    """Return size and times in nanoseconds, within what a database can hold: 1677 to 2262."""
    mtime_ns, ctime_ns = (
        min(max(one, -_MOST), _MOST) for one in (status.st_mtime_ns, status.st_ctime_ns)
    )
    return status.st_size, mtime_ns, ctime_ns


def open_beneath(root: Path, path: str) -> BufferedReader:
    """Open a plain file; OSError for a link on the way to it, and for anything else."""
    names = path.split("/")
    if not _NO_NAMES.isdisjoint(names):
        raise OSError(errno.EINVAL, "its path leads elsewhere")
    handle = _stepped(root, names) if os.open in os.supports_dir_fd else _compared(root, path)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    raise OSError(errno.EINVAL, "not a regular file")


def _stepped(root: Path, names: list[str]) -> int:
    """Go from folder to folder, each as it was opened."""
    *folders, name = names
    here = _folder(root, folders, make=False)
    try:
        return os.open(name, _FILE, dir_fd=here)
    finally:
        os.close(here)


def _folder(root: Path, names: list[str], *, make: bool) -> int:
    """Open a folder below the root, one that is made if it is not there and may be."""
    here = os.open(root, _FOLDER)
    try:
        for one in names:
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(one, dir_fd=here)
            inner = os.open(one, _FOLDER | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = inner
    except BaseException:
        os.close(here)
        raise
    return here


def _compared(root: Path, path: str) -> int:
    """Where folders cannot be held open, see first that the way has no links."""
    full = Path(root, path)
    if full.resolve() != root.resolve() / path:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return os.open(full, _FILE)


def write_beneath(root: Path, path: str, data: bytes) -> None:
    """Replace or make a file, and its folders; OSError for a link on the way.

    Readers see the old file or the new one, never a part.
    """
    names = path.split("/")
    if not _NO_NAMES.isdisjoint(names):
        raise OSError(errno.EINVAL, "its path leads elsewhere")
    *folders, name = names
    temporary = f".{name}.{os.urandom(6).hex()}"
    if os.open not in os.supports_dir_fd or os.rename not in os.supports_dir_fd:
        _write_compared(root, folders, name, temporary, data)
        return
    here = _folder(root, folders, make=True)
    try:
        _write_whole(os.open(temporary, _NEW, 0o666, dir_fd=here), data)
        os.replace(temporary, name, src_dir_fd=here, dst_dir_fd=here)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=here)
        raise
    finally:
        os.close(here)


def remove_beneath(root: Path, path: str) -> None:
    """Delete a plain file; OSError for a link on the way, and if there is none."""
    open_beneath(root, path).close()
    Path(root, path).unlink()


def _write_whole(handle: int, data: bytes) -> None:
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _write_compared(root: Path, folders: list[str], name: str, temporary: str, data: bytes) -> None:
    """Where folders cannot be held open, see first that the way has no links."""
    folder = root.joinpath(*folders)
    folder.mkdir(parents=True, exist_ok=True)
    if folder.resolve() != root.resolve().joinpath(*folders):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    try:
        _write_whole(os.open(folder / temporary, _NEW, 0o666), data)
        (folder / temporary).replace(folder / name)
    except BaseException:
        (folder / temporary).unlink(missing_ok=True)
        raise
