"""Whether anything was touched in some folders: inotify of Linux, asked and never waited for.

The kernel queues an event before the call that changes a file returns. So nothing in the queue
proves that nothing has changed, as no library does that hands events on from a thread. What it is
not told of, other machines' writes and those with memory mapped, is the caller's to look for.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from codeindex.store.datadir.filesystem import mount_kind, mounts

# inotify(7): IN_MODIFY, IN_ATTRIB, IN_MOVED_FROM, IN_MOVED_TO, IN_CREATE, IN_DELETE,
# IN_DELETE_SELF, IN_MOVE_SELF; and IN_ONLYDIR
_TOUCHED = 0x2 | 0x4 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
_ONLY_FOLDERS = 0x0100_0000
_LOST = 0x4000 | 0x8000
"""IN_Q_OVERFLOW, and IN_IGNORED for a folder whose wire is gone with it."""
_EVENT = struct.Struct("iIII")
_READ_BYTES = 1 << 16
_SHARE = 8
"""One of so many watches that the system grants a user are ours at most: editors need theirs."""
_LOCAL = frozenset(
    {*("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "bcachefs", "zfs", "tmpfs", "overlay")}
)
"""Filesystems that only this kernel changes."""


class InotifyWatcher:
    """Wires over folders; not safe to share between threads."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._over: set[str] = set()

    def stretch(self, folders: Iterable[str]) -> bool:
        """Watch these folders too, those that are there; False if the system grants no more."""
        add = _libc().inotify_add_watch
        for folder in folders:
            if folder in self._over:
                continue
            if add(self._descriptor, os.fsencode(folder), _TOUCHED | _ONLY_FOLDERS) >= 0:
                self._over.add(folder)
            elif ctypes.get_errno() not in {errno.ENOENT, errno.ENOTDIR}:
                return False
        return True

    def tripped(self) -> bool:
        """Tell whether anything was touched since the last time this was asked."""
        touched = False
        while True:
            try:
                events = os.read(self._descriptor, _READ_BYTES)
            except BlockingIOError:
                return touched
            except OSError:
                return True
            touched = True
            if any(mask & _LOST for mask in _masks(events)):
                self._over.clear()

    def close(self) -> None:
        """Take the wires away."""
        os.close(self._descriptor)


def open_inotify_watcher(root: Path, count: int) -> InotifyWatcher | None:
    """Return what can watch `count` folders of a tree, or None where nothing can be relied on."""
    if sys.platform != "linux" or count > _granted() // _SHARE or not _is_local(root):
        return None
    descriptor: int = _libc().inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    return InotifyWatcher(descriptor) if descriptor >= 0 else None


def _masks(events: bytes) -> Iterator[int]:
    at = 0
    while at < len(events):
        _, mask, _, length = _EVENT.unpack_from(events, at)
        yield mask
        at += _EVENT.size + length


def _granted() -> int:
    try:
        return int(Path("/proc/sys/fs/inotify/max_user_watches").read_text("ascii"))
    except (OSError, ValueError):
        return 0


def _is_local(root: Path) -> bool:
    """Tell whether no other machine can change the tree, or what is mounted in it."""
    at, mounted = root.resolve(), mounts()
    below = {kind for place, kind in mounted if Path(place).is_relative_to(at)}
    return {mount_kind(at, mounted), *below} <= _LOCAL


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
