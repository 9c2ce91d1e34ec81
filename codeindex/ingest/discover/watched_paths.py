"""Find the paths whose times show that the set of files to index has changed.

New, renamed and deleted files change the times of their folder. So every folder in which a new file
would be indexed is watched, even an empty one, and so is every file with ignore rules.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from codeindex import git
from codeindex.freshness.timestamps import provable_ctime
from codeindex.freshness.tree_scan import ABSENT_TIMES, RULE_FILE_NAMES, file_times
from codeindex.ingest.discover.file_filter import read_ignore_lines, skip_reason_of
from codeindex.text.globs import IgnoreRules
from codeindex.types import SkipReason, WatchedPath, WatchedPathKind


@dataclass(slots=True)
class WatchedPaths:
    """Paths that the next sync compares with the disk, besides the indexed files.

    `folders` are the folders in which new files would be indexed, `rules` the ignore files in them.
    `unreadable` are folders whose entries may not be listed, `repositories` those of submodules.
    """

    folders: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    repositories: list[str] = field(default_factory=list)

    def add(self, folder: str, names: Iterable[str]) -> None:
        """Add a folder to watch; `names` are its entries, among which rule files are looked up."""
        self.folders.append(folder)
        self.rules += (
            f"{folder}/{name}" if folder else name for name in RULE_FILE_NAMES.intersection(names)
        )


def find_watched_paths(
    root: Path, *, holding: frozenset[str], may_enter: Callable[[str, IgnoreRules], bool]
) -> WatchedPaths:
    """Return the folders below `root` to watch, with the rule files in them.

    They are the folders in `holding`, which have files to index, and the others for which
    `may_enter` is true. Nested repositories are not entered.
    """
    places, ignored, todo = WatchedPaths(), IgnoreRules(), [""]
    while todo:
        folder = todo.pop()
        try:
            names, subfolders = _read_folder(root / folder)
        except OSError as error:
            names, subfolders = [], []
            if skip_reason_of(error) == SkipReason.UNREADABLE:
                places.unreadable.append(folder)
        places.add(folder, names)
        if folder and ".git" in names:
            if folder not in holding:
                continue  # a nested repository
            places.repositories.append(folder)
        if ".gitignore" in names:
            ignored.add(folder, read_ignore_lines(root, f"{folder}/.gitignore".lstrip("/")))
        paths = (f"{folder}/{name}" if folder else name for name in subfolders)
        todo += (path for path in paths if path in holding or may_enter(path, ignored))
    return places


def _read_folder(folder: Path) -> tuple[list[str], list[str]]:
    """Return (names of entries, names of subfolders); raise OSError if it cannot be read."""
    with os.scandir(folder) as scan:
        entries = list(scan)
    names = [entry.name for entry in entries]
    return names, [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]


def ancestor_folders(paths: Iterable[str]) -> frozenset[str]:
    """Return all folders above the paths, at any depth, except the root."""
    folders: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(folders)


def stat_watched(
    root: Path, kinds: Iterable[tuple[str, WatchedPathKind]], *, begun_ns: int
) -> Iterator[WatchedPath]:
    """Yield each path with its current times, in nanoseconds since the epoch.

    `begun_ns` is the time at which discovery began. If a change time is very near to it, the file
    may have changed again without a new time. Such a time is replaced by a value that never counts
    as unchanged.
    """
    for path, kind in kinds:
        mtime, ctime = file_times(str(root / path))
        if (mtime, ctime) != ABSENT_TIMES:
            ctime = provable_ctime(mtime, ctime, read_at_ns=begun_ns)
        yield WatchedPath(path, kind, mtime, ctime)


def external_rules(
    root: Path, repositories: Iterable[str]
) -> Iterator[tuple[str, WatchedPathKind]]:
    """Yield (path, kind) of the files outside the tree that decide what git lists in it.

    They are git's index and `info/exclude`, the `.gitignore` files above the root, and the indexes
    of `repositories`, folders of submodules below the root.
    """
    top = git.find_work_tree(root)
    if top is None:
        return
    for above in root.resolve().parents:
        if not above.is_relative_to(top):
            break
        yield str(above / ".gitignore"), "rules"
    folders = git.read_git_folders(top)
    yield str(folders.common / "info" / "exclude"), "rules"
    for own in (folders.own, *(git.read_git_folders(root / path).own for path in repositories)):
        yield str(own / "index"), "listing"
