"""Poll Linux inotify for the paths that change in folders.

The kernel queues an event before the system call that changes a file returns, so a path without an
event did not change. Libraries that deliver events from a thread cannot prove this. Inotify does
not report writes by other machines, through another hard link, or through mapped memory before the
file is closed, so the caller has to scan for these.
"""

from __future__ import annotations

import ctypes
import errno
import os
import select
import struct
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from os.path import join
from pathlib import Path

from codeindex.store.datadir.filesystem import mount_kind, mounts

# inotify(7): IN_MODIFY, IN_ATTRIB, IN_CLOSE_WRITE, IN_MOVED_FROM, IN_MOVED_TO, IN_CREATE,
# IN_DELETE, IN_DELETE_SELF, IN_MOVE_SELF; and IN_ONLYDIR
_CHANGE_EVENTS = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
_ONLY_DIRECTORIES = 0x0100_0000
_OF_FOLDER = 0x2000 | 0x4000 | 0x8000 | 0x4000_0000
"""IN_UNMOUNT, IN_Q_OVERFLOW, IN_IGNORED, IN_ISDIR: after these, files may change without an event,
since their folder is new, moved or not watched any more."""
_EVENT = struct.Struct("iIII")
_READ_BYTES = 1 << 16
_WATCHES_PER_OURS = 8
"""At most one in eight of the user's inotify watches is used, because editors need some, too."""
_LOCAL_FILESYSTEMS = frozenset(
    {*("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "bcachefs", "zfs", "tmpfs", "overlay")}
)
"""Types of filesystems that no other machine can change."""


class InotifyWatcher:
    """An inotify descriptor for the folders of a tree; not safe to share between threads."""

    def __init__(self, descriptor: int, root: Path) -> None:
        self._descriptor = descriptor
        self._root = root
        self._identity = _identity(root)
        self._watched: set[str] = set()
        self._folders: dict[int, set[str]] = {}
        """The paths by which each watched folder was named, by its watch descriptor."""
        self._mounts = os.open("/proc/self/mountinfo", os.O_RDONLY | os.O_CLOEXEC)
        self._mount_poll = select.poll()
        self._mount_poll.register(self._mounts, select.POLLPRI)
        self._mount_poll.poll(0)

    def watch(self, folders: Iterable[str]) -> bool:
        """Watch those of `folders` that exist; return False if the system's limit is reached.

        Paths of folders are absolute or relative to the root.
        """
        add, root = _libc().inotify_add_watch, str(self._root)
        for folder in folders:
            if folder in self._watched:
                continue
            path = os.fsencode(join(root, folder))  # noqa: PTH118 (thousands)
            watch = add(self._descriptor, path, _CHANGE_EVENTS | _ONLY_DIRECTORIES)
            if watch >= 0:
                self._watched.add(folder)
                self._folders.setdefault(watch, set()).add(folder)
            elif ctypes.get_errno() not in {errno.ENOENT, errno.ENOTDIR}:
                return False
        return True

    def watches(self, folders: Iterable[str]) -> bool:
        """Tell whether all these folders are watched."""
        return self._watched.issuperset(folders)

    def changed_paths(self) -> set[str] | None:
        """Empty the event queue, and return the paths that have changed.

        Each path begins with its folder as `watch` received it. Return None if other paths may have
        changed too: events were lost, a folder was added, moved or removed, the root was replaced,
        or filesystems were mounted.
        """
        if self._mount_poll.poll(0) or _identity(self._root) != self._identity:
            return None
        paths: set[str] = set()
        while True:
            try:
                events = os.read(self._descriptor, _READ_BYTES)
            except BlockingIOError:
                return paths
            except OSError:
                return None
            for watch, mask, name in _parse_events(events):
                if mask & _OF_FOLDER or not name:
                    return None
                paths.update(
                    f"{folder}/{name}" if folder else name
                    for folder in self._folders.get(watch, ())
                )

    def close(self) -> None:
        """Close the descriptors, which removes all watches."""
        os.close(self._descriptor)
        os.close(self._mounts)


def open_inotify_watcher(root: Path, count: int) -> InotifyWatcher | None:
    """Return a watcher for `count` folders of a tree; None if inotify would miss changes.

    Inotify misses changes on other systems than Linux, in trees with too many folders, and on
    filesystems that other machines can change.
    """
    if (
        sys.platform != "linux"
        or count > _max_user_watches() // _WATCHES_PER_OURS
        or not _is_local(root)
    ):
        return None
    descriptor: int = _libc().inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    if descriptor < 0:
        return None
    try:
        return InotifyWatcher(descriptor, root)
    except OSError:
        os.close(descriptor)
        return None


def _parse_events(events: bytes) -> Iterator[tuple[int, int, str]]:
    """Yield (watch descriptor, event mask, name of the changed entry) of each event.

    The name is '' if the event is about the watched folder itself.
    """
    offset = 0
    while offset < len(events):
        watch, mask, _, length = _EVENT.unpack_from(events, offset)
        offset += _EVENT.size + length
        yield watch, mask, os.fsdecode(events[offset - length : offset].rstrip(b"\0"))


def _identity(root: Path) -> tuple[int, int]:
    """Return (device, inode) of a folder, which identify it; (0, 0) if it is missing."""
    try:
        now = root.stat()
    except OSError:
        return 0, 0
    return now.st_dev, now.st_ino


def _max_user_watches() -> int:
    try:
        return int(Path("/proc/sys/fs/inotify/max_user_watches").read_text("ascii"))
    except (OSError, ValueError):
        return 0


def _is_local(root: Path) -> bool:
    """Tell whether no other machine can change the tree or a filesystem mounted inside it."""
    path, mounted = root.resolve(), mounts()
    inside = {kind for place, kind in mounted if Path(place).is_relative_to(path)}
    return {mount_kind(path, mounted), *inside} <= _LOCAL_FILESYSTEMS


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
