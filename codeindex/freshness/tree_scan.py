"""Scan a tree for changed and new paths, by comparing sizes and times with the catalog.

A scan compares the times of all folders, then size and times of all files, recently changed files
first; a stat takes 2 µs. Files that the time limit leaves out come early in the next scan. If size
or times differ, the content is compared. Further scans are skipped while inotify reports no event.

Times are compared for equality, never for order, so that a clock that is set back hides no change.
Two changes are missed: a second write through mapped memory to a page that is not yet written back,
and on Windows, which has no ctime, a change that keeps the size and sets the mtime back.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from os.path import isabs
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.files.digest import sha256_beneath
from codeindex.freshness.change_epoch import ChangeEpoch
from codeindex.store.catalog.file_facts import FileStat, file_stats, indexed_digest
from codeindex.store.catalog.watched_places import read_watched

if TYPE_CHECKING:
    import sqlite3

    from codeindex.types import WatchedPath

ABSENT_TIMES = (-1, -1)
"""The times of a missing path."""
_GRAIN_NS = 2_000_000_000
"""Resolution of timestamps: two seconds on FAT, which has the coarsest. A file that changed less
than this before it was read may change again and keep its times."""
UNPROVEN_CTIME = 0
"""Stored instead of a ctime that proves nothing. No file has this ctime, so the file is read
again."""
RULE_FILE_NAMES = frozenset({".gitignore", ".codeindexignore"})
"""Names of the files with ignore rules."""
_CPU_SECONDS, _WALL_SECONDS = 0.5, 2.0
"""Limits for comparing files in one scan. The CPU time suffices for 200,000 files; the limit of the
wall-clock time is for slow disks."""
_RECENT_FILES = 2_000
"""Number of most recently changed files, which every scan compares because they are the most likely
to change again."""
_FILES_PER_CLOCK_CHECK = 256
"""Number of files compared between two looks at the clock: about half a millisecond."""
_MAX_CONTENT_COMPARISONS = 64
"""If the size or times of more files than this differ, the scan does not compare their contents,
because the sync will."""


@dataclass(frozen=True, slots=True)
class ScanResult:
    """Differences between the tree and the catalog that one scan has found."""

    changed: tuple[str, ...] = ()
    """Indexed files that have other content or are missing."""
    new: tuple[str, ...] = ()
    """New files, and new folders with a slash at the end; not yet filtered by ignore rules."""
    watched_changes: tuple[WatchedPath, ...] = ()
    """Watched paths whose times differ from the recorded times, with the new times."""
    unlooked: int = 0
    """Number of files that were not compared because of the time limit."""

    @property
    def has_changes(self) -> bool:
        """Tell whether a refresh is needed; unproven times of a folder alone do not need one."""
        has_proven_times = any(
            watched.ctime_ns != UNPROVEN_CTIME for watched in self.watched_changes
        )
        is_decisive = self.rules_changed or self.has("listing")
        return bool(self.changed or self.new or has_proven_times or is_decisive)

    def has(self, kind: str) -> bool:
        """Tell whether a watched path of a kind has changed."""
        return any(watched.kind == kind for watched in self.watched_changes)

    @property
    def rules_changed(self) -> bool:
        """Tell whether ignore rules have changed, so that other files may have to be indexed."""
        paths = (*self.changed, *self.new)
        is_rule_file = any(path.rpartition("/")[2] in RULE_FILE_NAMES for path in paths)
        return is_rule_file or self.has("rules")


@dataclass
class _RecordedTree:
    """The tree as one generation of the catalog records it, with findings of earlier scans."""

    number: int
    files: list[FileStat]
    watched: list[WatchedPath]
    paths: frozenset[str]
    start: int
    """Position in the files after the recent files where the next scan begins."""
    same: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    """Sizes and times, by path, of files whose times have changed but not their content."""
    has_hard_links: bool = False
    """Whether a file has several hard links; inotify misses writes by a link outside the tree."""

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """The folders to watch for events, relative to the root or absolute."""
        folders = [watched.path for watched in self.watched if watched.kind == "folder"]
        above = {path.rpartition("/")[0] for path in self.paths}
        return tuple(dict.fromkeys(["", *folders, *sorted(above)]))


class TreeScan:
    """Scans one tree repeatedly and skips needless scans; safe to share between threads."""

    def __init__(self, root: Path, *, cpu_seconds: float = _CPU_SECONDS) -> None:
        self._root = root
        self._cpu_seconds = cpu_seconds
        self._recorded: _RecordedTree | None = None
        self._not_indexed: set[str] = set()
        self._epoch = ChangeEpoch(root)

    def close(self) -> None:
        """Close the inotify watcher."""
        self._epoch.close()

    def mark_synced(self, seen: ScanResult) -> None:
        """Note that a sync has handled the changes of a scan, so that they are not found again."""
        if seen.rules_changed:
            self._not_indexed.clear()
        else:
            self._not_indexed.update(seen.new)
        self._recorded = None

    def scan(self, connection: sqlite3.Connection, number: int) -> ScanResult:
        """Return the differences between the tree and the catalog's generation `number`."""
        recorded = self._recorded
        if recorded is None or recorded.number != number:
            recorded = self._recorded = _load_recorded(connection, number)
        elif self._epoch.is_unchanged():
            return ScanResult()
        epoch = self._epoch.begin_scan(recorded.folders)
        result = self._scan(connection, recorded)
        if not (result.has_changes or result.unlooked or recorded.has_hard_links):
            self._epoch.mark_unchanged(epoch)
        return result

    def _scan(self, connection: sqlite3.Connection, recorded: _RecordedTree) -> ScanResult:
        watched_changes = tuple(self._watched_changes(recorded.watched))
        new = sorted(self._new_paths(recorded, watched_changes))
        changed, unlooked = self._changed_files(connection, recorded, watched_changes)
        skipped = [watched.path for watched in watched_changes if watched.kind == "file"]
        return ScanResult(tuple(changed), (*new, *skipped), watched_changes, unlooked)

    def _watched_changes(self, recorded: Iterable[WatchedPath]) -> Iterator[WatchedPath]:
        """Yield the watched paths whose times differ from the recorded times, with new times."""
        begun = time.time_ns()
        for watched, times in watched_times(self._root, recorded):
            if times != watched[2:]:
                mtime, ctime = times
                proven = ctime if is_settled(mtime, ctime, read_at_ns=begun) else UNPROVEN_CTIME
                yield watched._replace(mtime_ns=mtime, ctime_ns=proven)

    def _new_paths(self, recorded: _RecordedTree, changes: Iterable[WatchedPath]) -> Iterator[str]:
        """Yield the paths in changed folders that are not in the catalog; folders end with `/`."""
        for folder in changes:
            if folder.kind != "folder":
                continue
            with suppress(OSError), os.scandir(self._root / folder.path) as entries:
                for entry in entries:
                    path = f"{folder.path}/{entry.name}" if folder.path else entry.name
                    if path in recorded.paths or not _is_storable(entry):
                        continue
                    name = f"{path}/" if entry.is_dir(follow_symlinks=False) else path
                    if name not in self._not_indexed:
                        yield name

    def _changed_files(
        self,
        connection: sqlite3.Connection,
        recorded: _RecordedTree,
        changes: Iterable[WatchedPath],
    ) -> tuple[list[str], int]:
        """Return (changed files, number of files left out because of the time limit).

        Files are compared in this order: files in changed folders, recently changed files, then
        all other files, starting where the last scan ended.
        """
        folders = {watched.path for watched in changes if watched.kind == "folder"}
        files = recorded.files
        in_changed = [file for file in files if file.path.rpartition("/")[0] in folders]
        others = len(files) - _RECENT_FILES
        start = recorded.start % others if others > 0 else 0
        middle = _RECENT_FILES + start
        rotated = (*files[middle:], *files[_RECENT_FILES:middle])
        ordered = (*(in_changed if folders else ()), *files[:_RECENT_FILES], *rotated)
        cpu_end = time.thread_time() + self._cpu_seconds
        wall_end = time.monotonic() + _WALL_SECONDS
        differing: dict[str, os.stat_result | None] = {}
        compared, recorded.has_hard_links = 0, False
        while (
            compared < len(ordered) and time.thread_time() < cpu_end and time.monotonic() < wall_end
        ):
            batch = ordered[compared : compared + _FILES_PER_CLOCK_CHECK]
            differing.update(self._differing(recorded, batch))
            compared += _FILES_PER_CLOCK_CHECK
        unlooked = max(0, len(ordered) - compared)
        recorded.start = start + len(rotated) - unlooked
        return self._with_other_content(connection, recorded, differing), unlooked

    def _differing(
        self, recorded: _RecordedTree, files: Iterable[FileStat]
    ) -> Iterator[tuple[str, os.stat_result | None]]:
        """Yield (path, stat) of files whose size or times differ; a missing file has no stat."""
        root, lstat, same = f"{self._root}/", os.lstat, recorded.same
        for path, size, mtime_ns, ctime_ns in files:
            try:
                now = lstat(root + path)
            except OSError:
                yield path, None
                continue
            if now.st_nlink > 1:
                recorded.has_hard_links = True
            if (
                now.st_ctime_ns != ctime_ns or now.st_mtime_ns != mtime_ns or now.st_size != size
            ) and same.get(path) != (now.st_size, now.st_mtime_ns, now.st_ctime_ns):
                yield path, now

    def _with_other_content(
        self,
        connection: sqlite3.Connection,
        recorded: _RecordedTree,
        differing: Mapping[str, os.stat_result | None],
    ) -> list[str]:
        """Return the files that differ in content; if there are many, return all uncompared."""
        if len(differing) > _MAX_CONTENT_COMPARISONS:
            return list(differing)
        changed = []
        for path, now in differing.items():
            begun = time.time_ns()
            if now is None or not _has_indexed_content(connection, self._root, path):
                changed.append(path)
            elif is_settled(now.st_mtime_ns, now.st_ctime_ns, read_at_ns=begun):
                recorded.same[path] = (now.st_size, now.st_mtime_ns, now.st_ctime_ns)
        return changed


def _is_storable(entry: os.DirEntry[str]) -> bool:
    """Tell whether a new entry may be indexed: it is no link, not `.git`, and valid Unicode."""
    is_unicode = not any("\ud800" <= letter <= "\udfff" for letter in entry.name)
    return is_unicode and entry.name != ".git" and not entry.is_symlink()


def watched_times(
    root: Path, watched: Iterable[WatchedPath]
) -> Iterator[tuple[WatchedPath, tuple[int, int]]]:
    """Yield each watched path with its times now."""
    top = f"{root}/"
    for entry in watched:
        path = entry.path
        yield entry, file_times(path if isabs(path) else top + path)  # noqa: PTH117 (thousands a scan)


def file_times(path: str) -> tuple[int, int]:
    """Return (mtime, ctime) in nanoseconds, `ABSENT_TIMES` for a missing path."""
    try:
        now = os.lstat(path)
    except (OSError, ValueError):
        return ABSENT_TIMES
    return now.st_mtime_ns, now.st_ctime_ns


def is_settled(mtime_ns: int, ctime_ns: int, *, read_at_ns: int) -> bool:
    """Tell whether these times, if equal later on, prove that the file has not changed since.

    The file was read at `read_at_ns`. Times in the future prove nothing: the clock was set back, so
    that a later change can get the same times.
    """
    return max(mtime_ns, ctime_ns) + _GRAIN_NS <= read_at_ns


def _load_recorded(connection: sqlite3.Connection, number: int) -> _RecordedTree:
    files = file_stats(connection)
    watched = read_watched(connection)
    paths = frozenset((*map(itemgetter(0), files), *map(itemgetter(0), watched)))
    return _RecordedTree(number, files, watched, paths, random.randrange(len(files) + 1))  # noqa: S311


def _has_indexed_content(connection: sqlite3.Connection, root: Path, path: str) -> bool:
    digest = indexed_digest(connection, path)
    try:
        return digest is not None and sha256_beneath(root, path) == digest
    except OSError:
        return False
