"""A look at a tree: what of it is not as the catalog has it, told without reading what is.

All folders are asked for their times, then all files for theirs, those that changed last before
others; a stat takes 2 µs. What the time does not allow for comes first the next time. Whatever
differs counts as changed until its content is compared. Who asks again and again is spared all of
it for as long as nothing is touched.

Times are compared for equality, never for order: a clock that is set back hides nothing. A second
write through mapped memory, to a page that is not yet on the disk, may never show a new time, and
Windows has no ctime: there a file of the same size whose mtime was set back looks as it was.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from os.path import join
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codeindex.files.digest import sha256_beneath
from codeindex.freshness.change_epoch import ChangeEpoch
from codeindex.store.catalog.watched_places import read_watched

if TYPE_CHECKING:
    import sqlite3

    from codeindex.types import WatchedPath

ABSENT_TIMES = (-1, -1)
"""The times of what is not there."""
_GRAIN_NS = 2_000_000_000
"""What was changed this shortly before it was read may change again within the clock's grain
(two seconds on FAT, the coarsest in use), and its times stay as they are."""
UNPROVEN_CTIME = 0
"""Kept in place of a ctime that proves nothing: no file has it, so that it is read again."""
RULE_FILE_NAMES = frozenset({".gitignore", ".codeindexignore"})
"""Names of the files that say what else is to be left out."""
_ALLOWED, _WAIT = 0.5, 2.0
"""Seconds for the files: of work, which does for 200,000, and of waiting for disks and others."""
_FIRST = 2_000
"""Files that changed last: most likely they do so again, and are looked at every time."""
_STEP = 256
"""Files between two looks at the clock."""
_MOST_COMPARED = 64
"""Files of other times whose content a look compares; of more, whoever reads them does."""


class _File(NamedTuple):
    path: str
    size: int
    mtime_ns: int
    ctime_ns: int


@dataclass(frozen=True, slots=True)
class ScanResult:
    """Differences between the tree and the catalog that one scan has found."""

    changed: tuple[str, ...] = ()
    """Files that are not as they were indexed, or no more."""
    new: tuple[str, ...] = ()
    """Files, and folders with a slash, that were not there, worth indexing or not."""
    watched_changes: tuple[WatchedPath, ...] = ()
    unlooked: int = 0
    """Files that there was no time for."""

    @property
    def has_changes(self) -> bool:
        """Tell whether there is anything to do: a folder's times that prove nothing are not."""
        settled = any(one.ctime_ns != UNPROVEN_CTIME for one in self.watched_changes)
        decisive = self.rules_changed or self.has("listing")
        return bool(self.changed or self.new or settled or decisive)

    def has(self, kind: str) -> bool:
        """Tell whether something of a kind has changed."""
        return any(one.kind == kind for one in self.watched_changes)

    @property
    def rules_changed(self) -> bool:
        """Tell whether what counts may be something else now."""
        named = any(one.rpartition("/")[2] in RULE_FILE_NAMES for one in (*self.changed, *self.new))
        return named or self.has("rules")


@dataclass
class _Recorded:
    """What the catalog has in one state, and what looks have found to be no change since."""

    number: int
    files: list[_File]
    watched: list[WatchedPath]
    paths: frozenset[str]
    start: int
    same: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    """Sizes and times of files that have others than recorded, and the same content."""

    is_linked: bool = False
    """Whether a file has more names than one: a write by another name does not touch the tree."""

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """The folders in which any change shows, below the root or absolute."""
        folders = (one.path for one in self.watched if one.kind == "folder")
        paths = [*(one.path for one in self.watched), *(one.path for one in self.files)]
        above = (path.rpartition("/")[0] for path in paths)
        return tuple(dict.fromkeys(["", *folders, *above]))


class TreeScan:
    """Looks at one tree, again and again; safe to share between threads."""

    def __init__(self, root: Path, *, allowed: float = _ALLOWED) -> None:
        self._root = root
        self._allowed = allowed
        self._known: _Recorded | None = None
        self._unwanted: set[str] = set()
        self._stillness = ChangeEpoch(root)

    def close(self) -> None:
        """Let go of what tells that nothing was touched."""
        self._stillness.close()

    def mark_synced(self, seen: ScanResult) -> None:
        """Take in that all of a look is in the catalog now, as far as it is worth indexing."""
        if seen.rules_changed:
            self._unwanted.clear()
        else:
            self._unwanted.update(seen.new)
        self._known = None

    def scan(self, connection: sqlite3.Connection, number: int) -> ScanResult:
        """Compare the tree with the catalog, whose state has this number."""
        known = self._known
        if known is None or known.number != number:
            known = self._known = _recorded(connection, number)
        elif self._stillness.holds():
            return ScanResult()
        era = self._stillness.begin(known.folders)
        seen = self._looked(connection, known)
        if not (seen.has_changes or seen.unlooked or known.is_linked):
            self._stillness.found(era)
        return seen

    def _looked(self, connection: sqlite3.Connection, known: _Recorded) -> ScanResult:
        moved = tuple(self._moved(known.watched))
        new = sorted(self._new(known, moved))
        changed, unlooked = self._changed(connection, known, moved)
        left_out = [one.path for one in moved if one.kind == "file"]
        return ScanResult(tuple(changed), (*new, *left_out), moved, unlooked)

    def _moved(self, watched: Iterable[WatchedPath]) -> Iterator[WatchedPath]:
        begun, root = time.time_ns(), str(self._root)
        for one in watched:
            mtime, ctime = file_times(join(root, one.path))  # noqa: PTH118 (thousands a look)
            if (mtime, ctime) != one[2:]:
                at_rest = is_settled(mtime, ctime, read_at_ns=begun)
                yield one._replace(mtime_ns=mtime, ctime_ns=ctime if at_rest else UNPROVEN_CTIME)

    def _new(self, known: _Recorded, moved: Iterable[WatchedPath]) -> Iterator[str]:
        """Yield what lies in changed folders and was not there."""
        for one in moved:
            if one.kind != "folder":
                continue
            with suppress(OSError), os.scandir(self._root / one.path) as found:
                for entry in found:
                    path = f"{one.path}/{entry.name}" if one.path else entry.name
                    if path in known.paths or not _may_count(entry):
                        continue
                    name = f"{path}/" if entry.is_dir(follow_symlinks=False) else path
                    if name not in self._unwanted:
                        yield name

    def _changed(
        self, connection: sqlite3.Connection, known: _Recorded, moved: Iterable[WatchedPath]
    ) -> tuple[list[str], int]:
        """Return the files that are not as they were, and how many there was no time for."""
        folders = {one.path for one in moved if one.kind == "folder"}
        beside = [one for one in known.files if one.path.rpartition("/")[0] in folders]
        rest = len(known.files) - _FIRST
        start = known.start % rest if rest > 0 else 0
        turn = (*known.files[_FIRST + start :], *known.files[_FIRST : _FIRST + start])
        ordered = (*(beside if folders else ()), *known.files[:_FIRST], *turn)
        worked, waited = time.thread_time() + self._allowed, time.monotonic() + _WAIT
        differing: dict[str, os.stat_result | None] = {}
        looked, known.is_linked = 0, False
        while looked < len(ordered) and time.thread_time() < worked and time.monotonic() < waited:
            differing.update(self._differing(known, ordered[looked : looked + _STEP]))
            looked += _STEP
        unlooked = max(0, len(ordered) - looked)
        known.start = start + len(turn) - unlooked
        return self._compared(connection, known, differing), unlooked

    def _differing(
        self, known: _Recorded, files: Iterable[_File]
    ) -> Iterator[tuple[str, os.stat_result | None]]:
        """Yield the files that look different, with their stat if they are there."""
        root, lstat, same = f"{self._root}/", os.lstat, known.same
        for path, size, mtime_ns, ctime_ns in files:
            try:
                now = lstat(root + path)
            except OSError:
                yield path, None
                continue
            if now.st_nlink > 1:
                known.is_linked = True
            if (
                now.st_ctime_ns != ctime_ns or now.st_mtime_ns != mtime_ns or now.st_size != size
            ) and same.get(path) != (now.st_size, now.st_mtime_ns, now.st_ctime_ns):
                yield path, now

    def _compared(
        self,
        connection: sqlite3.Connection,
        known: _Recorded,
        differing: Mapping[str, os.stat_result | None],
    ) -> list[str]:
        """Return those that differ in content; of many, all."""
        if len(differing) > _MOST_COMPARED:
            return list(differing)
        changed = []
        for path, now in differing.items():
            begun = time.time_ns()
            if now is None or not _has_digest(connection, self._root, path):
                changed.append(path)
            elif is_settled(now.st_mtime_ns, now.st_ctime_ns, read_at_ns=begun):
                known.same[path] = (now.st_size, now.st_mtime_ns, now.st_ctime_ns)
        return changed


def _may_count(entry: os.DirEntry[str]) -> bool:
    """Tell whether a new name may be that of a file to index; the others cannot be stored."""
    is_text = not any("\ud800" <= letter <= "\udfff" for letter in entry.name)
    return is_text and entry.name != ".git" and not entry.is_symlink()


def file_times(path: str) -> tuple[int, int]:
    """Return when something was written to and when it was changed, or `ABSENT_TIMES`."""
    try:
        now = os.lstat(path)
    except (OSError, ValueError):
        return ABSENT_TIMES
    return now.st_mtime_ns, now.st_ctime_ns


def is_settled(mtime_ns: int, ctime_ns: int, *, read_at_ns: int) -> bool:
    """Tell whether what was read then cannot have changed since and still have these times.

    Times in the future prove nothing either: the clock was set back, and comes by them once more.
    """
    return max(mtime_ns, ctime_ns) + _GRAIN_NS <= read_at_ns


def _recorded(connection: sqlite3.Connection, number: int) -> _Recorded:
    rows = connection.execute(
        "SELECT path, size, mtime_ns, ctime_ns FROM files ORDER BY max(mtime_ns, ctime_ns) DESC"
    )
    files = [_File(*row) for row in rows]
    watched = read_watched(connection)
    paths = frozenset([one.path for one in files] + [one.path for one in watched])
    return _Recorded(number, files, watched, paths, random.randrange(len(files) + 1))  # noqa: S311


def _has_digest(connection: sqlite3.Connection, root: Path, path: str) -> bool:
    row = connection.execute("SELECT digest FROM files WHERE path = ?", (path,)).fetchone()
    try:
        return row is not None and sha256_beneath(root, path) == row[0]
    except OSError:
        return False
