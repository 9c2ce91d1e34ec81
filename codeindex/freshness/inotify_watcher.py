"""Poll Linux inotify for events in folders.

The kernel queues an event before the system call that changes a file returns, so an empty queue
proves that nothing changed. Libraries that deliver events from a thread cannot prove this. Inotify
does not report writes by other machines or through mapped memory, so the caller has to scan for
these.
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
_CHANGE_EVENTS = 0x2 | 0x4 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
_ONLY_DIRECTORIES = 0x0100_0000
_WATCH_LOST = 0x4000 | 0x8000
"""Events after which watches are missing: IN_Q_OVERFLOW, and IN_IGNORED for a deleted folder."""
_EVENT = struct.Struct("iIII")
_READ_BYTES = 1 << 16
_WATCHES_PER_OURS = 8
"""At most one in eight of the user's inotify watches is used, because editors need some, too."""
_LOCAL_FILESYSTEMS = frozenset(
    {*("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "bcachefs", "zfs", "tmpfs", "overlay")}
)
"""Types of filesystems that no other machine can change."""


class InotifyWatcher:
    """An inotify descriptor; not safe to share between threads."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._watched: set[str] = set()

    def watch(self, folders: Iterable[str]) -> bool:
        """Watch existing folders; return False if the system's limit is reached."""
        add = _libc().inotify_add_watch
        for folder in folders:
            if folder in self._watched:
                continue
            if add(self._descriptor, os.fsencode(folder), _CHANGE_EVENTS | _ONLY_DIRECTORIES) >= 0:
                self._watched.add(folder)
            elif ctypes.get_errno() not in {errno.ENOENT, errno.ENOTDIR}:
                return False
        return True

    def has_events(self) -> bool:
        """Empty the event queue, and tell whether it had events."""
        has_events = False
        while True:
            try:
                events = os.read(self._descriptor, _READ_BYTES)
            except BlockingIOError:
                return has_events
            except OSError:
                return True
            has_events = True
            if any(mask & _WATCH_LOST for mask in _masks(events)):
                self._watched.clear()

    def close(self) -> None:
        """Close the descriptor, which removes all watches."""
        os.close(self._descriptor)


def open_inotify_watcher(root: Path, count: int) -> InotifyWatcher | None:
    """Return a watcher for `count` folders of a tree; None if inotify is unavailable or unreliable.

    That is: not on Linux, too many folders, or a filesystem that other machines can change.
    """
    if (
        sys.platform != "linux"
        or count > _max_user_watches() // _WATCHES_PER_OURS
        or not _is_local(root)
    ):
        return None
    descriptor: int = _libc().inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    return InotifyWatcher(descriptor) if descriptor >= 0 else None


def _masks(events: bytes) -> Iterator[int]:
    offset = 0
    while offset < len(events):
        _, mask, _, length = _EVENT.unpack_from(events, offset)
        yield mask
        offset += _EVENT.size + length


def _max_user_watches() -> int:
    try:
        return int(Path("/proc/sys/fs/inotify/max_user_watches").read_text("ascii"))
    except (OSError, ValueError):
        return 0


def _is_local(root: Path) -> bool:
    """Tell whether a tree and all filesystems mounted inside it are local."""
    path, mounted = root.resolve(), mounts()
    inside = {kind for place, kind in mounted if Path(place).is_relative_to(path)}
    return {mount_kind(path, mounted), *inside} <= _LOCAL_FILESYSTEMS


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
