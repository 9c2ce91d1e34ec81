"""Scan a tree for changed and new paths, by comparing sizes and times with the catalog.

A whole scan compares the times of all folders, then size and times of all files, recently changed
files first; a stat takes 2 µs. Files that the time limit leaves out come early in the next scan. If
size or times differ, the content is compared. After a whole scan, only the paths that inotify
reports are compared (`change_log.py`), as long as it reports everything.

Times are compared for equality, never for order, so that a clock that is set back hides no change.
Two changes are missed: a second write through mapped memory to a page that is not yet written back,
and on Windows, which has no ctime, a change that keeps the size and sets the mtime back.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from operator import itemgetter
from os.path import isabs
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.files.digest import sha256_beneath
from codeindex.freshness.change_log import ChangeLog
from codeindex.freshness.timestamps import UNPROVEN_CTIME, is_settled, provable_ctime
from codeindex.store.catalog.file_changes import paths_changed_since, published_at
from codeindex.store.catalog.files import (
    FileStat,
    file_stat,
    file_stats,
    files_with_equal_stats,
    indexed_digest,
)
from codeindex.store.catalog.watched_places import (
    is_known_path,
    read_watched,
    read_watched_at,
    watched_folders,
)

if TYPE_CHECKING:
    import sqlite3

    from codeindex.types import WatchedPath

_SizeAndTimes = tuple[int, int, int]
ABSENT_TIMES = (-1, -1)
"""The times of a missing path."""
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
    uncompared: int = 0
    """Number of files that were not compared because of the time limit."""

    @property
    def has_changes(self) -> bool:
        """Tell whether the index must be refreshed.

        A folder or an excluded file whose times changed too recently to be trusted
        (`UNPROVEN_CTIME`) is no reason by itself.
        """
        has_proven_times = any(
            watched.ctime_ns != UNPROVEN_CTIME for watched in self.watched_changes
        )
        is_decisive = self.rules_changed or self.has("listing")
        return bool(self.changed or self.new or has_proven_times or is_decisive)

    def has(self, kind: str) -> bool:
        """Tell whether a watched path of `kind`, like `folder` or `rules`, has changed."""
        return any(watched.kind == kind for watched in self.watched_changes)

    @property
    def rules_changed(self) -> bool:
        """Tell whether ignore rules have changed, so that other files may have to be indexed."""
        paths = (*self.changed, *self.new)
        is_rule_file = any(path.rpartition("/")[2] in RULE_FILE_NAMES for path in paths)
        return is_rule_file or self.has("rules")


@dataclass
class _RecordedTree:
    """The files and watched paths that the catalog had recorded in one generation."""

    number: int
    files: list[FileStat]
    watched: list[WatchedPath]
    paths: frozenset[str]
    start: int
    """Position in the files after the recent files where the next scan begins."""

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """Return the folders to watch for events, relative to the root or absolute."""
        folders = [watched.path for watched in self.watched if watched.kind == "folder"]
        above = {path.rpartition("/")[0] for path in self.paths}
        return tuple(dict.fromkeys(["", *folders, *sorted(above)]))


@dataclass
class _Comparison:
    """The files whose size or times differ from those in one generation of the catalog."""

    same: dict[str, _SizeAndTimes]
    """Sizes and times, by path, of files whose times have changed but not their content."""
    differing: dict[str, os.stat_result | None] = field(default_factory=dict)
    """The stat of each file whose size or times differ; None if it is missing."""
    has_hard_links: bool = False
    """Whether a file has several hard links; inotify misses writes by a link outside the tree."""


class TreeScan:
    """Scans one tree repeatedly for changes, whole or in part; safe to share between threads."""

    def __init__(self, root: Path, *, cpu_seconds: float = _CPU_SECONDS) -> None:
        self._root = root
        self._cpu_seconds = cpu_seconds
        self._recorded: _RecordedTree | None = None
        self._not_indexed: set[str] = set()
        self._same: tuple[int, dict[str, _SizeAndTimes]] = (0, {})
        """The number of a generation, and `_Comparison.same` of the scans that compared with it."""
        self._log = ChangeLog(root)

    def close(self) -> None:
        """Stop watching the tree with inotify; later scans compare the whole tree again."""
        self._log.close()

    def mark_synced(self, connection: sqlite3.Connection, seen: ScanResult) -> None:
        """Note that a sync has handled the changes in `seen`.

        Later scans do not report the new paths that it did not index, such as ignored ones. Those
        that it indexed, and those that are gone, are new again if they come back later.
        """
        if seen.rules_changed:
            self._not_indexed.clear()
        else:
            self._not_indexed.update(
                path
                for path in seen.new
                if not is_known_path(connection, path) and os.path.lexists(self._root / path)
            )
        self._recorded = None

    def scan(self, connection: sqlite3.Connection, number: int) -> ScanResult:
        """Return the differences between the tree and the catalog's generation `number`."""
        if self._same[0] != number:
            self._same = number, {}
        comparison = _Comparison(self._same[1])
        paths = self._paths_to_compare(connection, number)
        if paths is not None:
            result = self._scan_paths(connection, paths, comparison)
            if not (comparison.has_hard_links or _has_folders(result.new)):
                return result
        return self._scan_tree(connection, number, comparison)

    def _paths_to_compare(
        self, connection: sqlite3.Connection, number: int
    ) -> frozenset[str] | None:
        """Return all paths that may differ from generation `number`; None if that is unknown."""
        changes = self._log.changes()
        if changes is None:
            return None
        if changes.generation == (number, published_at(connection, number)):
            return changes.paths
        stored = paths_changed_since(connection, *changes.generation, most=_MAX_CONTENT_COMPARISONS)
        if stored is None or not self._log.watches(watched_folders(connection)):
            return None
        return changes.paths.union(stored)

    def _scan_paths(
        self, connection: sqlite3.Connection, paths: Iterable[str], comparison: _Comparison
    ) -> ScanResult:
        """Compare only `paths` and their folders, and all watched paths that are not folders."""
        names = [path for path in paths if _is_unicode(path)]
        folders = {path.rpartition("/")[0] for path in names}
        watched = tuple(self._watched_changes(read_watched_at(connection, sorted(folders))))
        new = sorted(self._new_paths(partial(is_known_path, connection), watched))
        self._compare(filter(None, (file_stat(connection, path) for path in names)), comparison)
        changed = self._with_other_content(connection, comparison)
        return _scan_result(changed, new, watched)

    def _scan_tree(
        self, connection: sqlite3.Connection, number: int, comparison: _Comparison
    ) -> ScanResult:
        """Compare the whole tree, and begin to log its changes."""
        recorded = self._recorded
        if recorded is None or recorded.number != number:
            recorded = self._recorded = _load_recorded(connection, number)
        begun = self._log.begin_scan(recorded.folders)
        watched = tuple(self._watched_changes(recorded.watched))
        new = sorted(self._new_paths(recorded.paths.__contains__, watched))
        uncompared = self._compare_all(recorded, watched, comparison)
        changed = self._with_other_content(connection, comparison)
        changed += self._swapped_files(connection, watched, known=changed)
        written_at = published_at(connection, number)
        if not (uncompared or comparison.has_hard_links or _has_folders(new) or written_at is None):
            self._log.end_scan(begun, (*changed, *new), (number, written_at))
        return _scan_result(changed, new, watched, uncompared)

    def _watched_changes(self, recorded: Iterable[WatchedPath]) -> Iterator[WatchedPath]:
        """Yield each watched path whose times differ from the recorded ones, with its new times."""
        begun = time.time_ns()
        for watched, times in watched_times(self._root, recorded):
            if times != watched[2:]:
                mtime, ctime = times
                proven = provable_ctime(mtime, ctime, read_at_ns=begun)
                yield watched._replace(mtime_ns=mtime, ctime_ns=proven)

    def _new_paths(
        self, is_known: Callable[[str], bool], changes: Iterable[WatchedPath]
    ) -> Iterator[str]:
        """Yield the paths in changed folders that are not in the catalog.

        The path of a folder ends with `/`, also for `is_known`: a folder that became a file or link
        is new. Paths that the last sync did not index are left out. For a name that is not UTF-8,
        it is the path of its folder.
        """
        for folder in changes:
            if folder.kind != "folder":
                continue
            with suppress(OSError), os.scandir(self._root / folder.path) as entries:
                for entry in entries:
                    path = f"{folder.path}/{entry.name}" if folder.path else entry.name
                    name = f"{path}/" if entry.is_dir(follow_symlinks=False) else path
                    if not _is_unicode(entry.name):
                        name = f"{folder.path}/"  # answers count what they cannot read
                    elif entry.name == ".git" or is_known(name):
                        continue
                    if name not in self._not_indexed:
                        yield name

    def _compare_all(
        self, recorded: _RecordedTree, changes: Iterable[WatchedPath], comparison: _Comparison
    ) -> int:
        """Compare the files of a tree; return how many were left out because of the time limit.

        Files are compared in this order: files in changed folders, recently changed files, then all
        other files, starting where the last scan ended.
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
        compared = 0
        while (
            compared < len(ordered) and time.thread_time() < cpu_end and time.monotonic() < wall_end
        ):
            self._compare(ordered[compared : compared + _FILES_PER_CLOCK_CHECK], comparison)
            compared += _FILES_PER_CLOCK_CHECK
        uncompared = max(0, len(ordered) - compared)
        recorded.start = start + len(rotated) - uncompared
        return uncompared

    def _compare(self, files: Iterable[FileStat], comparison: _Comparison) -> None:
        """Add the files whose size or times differ from the recorded ones to `comparison`."""
        root, lstat, same = f"{self._root}/", os.lstat, comparison.same
        for path, size, mtime_ns, ctime_ns in files:
            try:
                now = lstat(root + path)
            except OSError:
                comparison.differing[path] = None
                continue
            if now.st_nlink > 1:
                comparison.has_hard_links = True
            if (
                now.st_ctime_ns != ctime_ns or now.st_mtime_ns != mtime_ns or now.st_size != size
            ) and same.get(path) != (now.st_size, now.st_mtime_ns, now.st_ctime_ns):
                comparison.differing[path] = now

    def _swapped_files(
        self,
        connection: sqlite3.Connection,
        changes: Iterable[WatchedPath],
        known: Iterable[str],
    ) -> list[str]:
        """Return files whose content differs because their folders changed places.

        Moving a folder changes its own times, but not those of the files in it. So the files below
        changed folders are read if another file with other content has the same size and times.
        Paths in `known` are left out.
        """
        folders = tuple(
            f"{change.path}/" for change in changes if change.kind == "folder" and change.path
        )
        if not folders:
            return []
        known = frozenset(known)
        return [
            path
            for path in files_with_equal_stats(connection)
            if path.startswith(folders)
            and path not in known
            and not _has_indexed_content(connection, self._root, path)
        ]

    def _with_other_content(
        self, connection: sqlite3.Connection, comparison: _Comparison
    ) -> list[str]:
        """Return the paths whose content differs from the indexed content.

        If too many files differ in size or times, return all of these without reading them.
        """
        if len(comparison.differing) > _MAX_CONTENT_COMPARISONS:
            return list(comparison.differing)
        changed = []
        for path, now in comparison.differing.items():
            begun = time.time_ns()
            if now is None or not _has_indexed_content(connection, self._root, path):
                changed.append(path)
            elif is_settled(now.st_mtime_ns, now.st_ctime_ns, read_at_ns=begun):
                comparison.same[path] = (now.st_size, now.st_mtime_ns, now.st_ctime_ns)
        return changed


def _scan_result(
    changed: Iterable[str],
    new: Iterable[str],
    watched: tuple[WatchedPath, ...],
    uncompared: int = 0,
) -> ScanResult:
    skipped = [path.path for path in watched if path.kind == "file"]
    return ScanResult(tuple(changed), (*new, *skipped), watched, uncompared)


def _has_folders(paths: Iterable[str]) -> bool:
    """Tell whether any of the new paths is a folder; the path of a folder ends with `/`.

    Files in a new folder may have changed without an event.
    """
    return any(path.endswith("/") for path in paths)


def _is_unicode(name: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def watched_times(
    root: Path, watched: Iterable[WatchedPath]
) -> Iterator[tuple[WatchedPath, tuple[int, int]]]:
    """Yield each watched path with its current (mtime, ctime) in nanoseconds."""
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


def _load_recorded(connection: sqlite3.Connection, number: int) -> _RecordedTree:
    files = file_stats(connection)
    watched = read_watched(connection)
    others = (f"{path}/" if kind == "folder" else path for path, kind, *_ in watched)
    paths = frozenset((*map(itemgetter(0), files), *others))
    return _RecordedTree(number, files, watched, paths, random.randrange(len(files) + 1))  # noqa: S311


def _has_indexed_content(connection: sqlite3.Connection, root: Path, path: str) -> bool:
    digest = indexed_digest(connection, path)
    try:
        return digest is not None and sha256_beneath(root, path) == digest
    except OSError:
        return False
