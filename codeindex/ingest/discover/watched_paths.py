"""What shows, without a look at any file, that a tree has other files than it had.

New, renamed and deleted files change the times of their folder. So every folder is noted in which
a new file would count, empty ones too; and the few files that decide what counts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from codeindex import git
from codeindex.freshness.merkle import provable_ctime
from codeindex.freshness.tree_scan import ABSENT_TIMES, RULE_FILE_NAMES, file_times
from codeindex.ingest.discover.file_filter import read_ignore_lines
from codeindex.text.globs import IgnoreRules
from codeindex.types import WatchedPath, WatchedPathKind


@dataclass(slots=True)
class WatchedPaths:
    """Folders in which new files count, and files of rules in them."""

    folders: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)

    def add(self, folder: str, names: Iterable[str]) -> None:
        """Take in a folder with the names in it."""
        self.folders.append(folder)
        self.rules += (
            f"{folder}/{name}" if folder else name for name in RULE_FILE_NAMES.intersection(names)
        )


def find_watched_paths(
    root: Path, *, holding: frozenset[str], may_enter: Callable[[str, IgnoreRules], bool]
) -> WatchedPaths:
    """Find the folders that are `holding` listed files, and those that rules let pass."""
    places, ignored, todo = WatchedPaths(), IgnoreRules(), [""]
    while todo:
        folder = todo.pop()
        names, below = _read(root / folder)
        places.add(folder, names)
        if folder and ".git" in names and folder not in holding:
            continue  # a repository of its own
        if ".gitignore" in names:
            ignored.add(folder, read_ignore_lines(root, f"{folder}/.gitignore".lstrip("/")))
        for name in below:
            path = f"{folder}/{name}" if folder else name
            if path in holding or may_enter(path, ignored):
                todo.append(path)
    return places


def _read(folder: Path) -> tuple[list[str], list[str]]:
    """Return the names in a folder, and which of them are folders; none if it cannot be read."""
    try:
        with os.scandir(folder) as found:
            entries = list(found)
        return [one.name for one in entries], [one.name for one in entries if _is_folder(one)]
    except OSError:
        return [], []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False)


def ancestor_folders(paths: Iterable[str]) -> frozenset[str]:
    """Return all folders that the paths lie in, the root left out."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(found)


def stat_watched(
    root: Path, kinds: Iterable[tuple[str, WatchedPathKind]], *, begun_ns: int
) -> Iterator[WatchedPath]:
    """Note the times of what is to be watched; reading it began at `begun_ns`."""
    for path, kind in kinds:
        mtime, ctime = file_times(str(root / path))
        if (mtime, ctime) != ABSENT_TIMES:
            ctime = provable_ctime(mtime, ctime, read_at_ns=begun_ns)
        yield WatchedPath(path, kind, mtime, ctime)


def external_rules(root: Path) -> Iterator[tuple[str, WatchedPathKind]]:
    """Yield what lies outside of the tree and decides which of its files count."""
    top = git.find_work_tree(root)
    if top is None:
        return
    for above in root.resolve().parents:
        if not above.is_relative_to(top):
            break
        yield str(above / ".gitignore"), "rules"
    folders = git.read_git_folders(top)
    yield str(folders.common / "info" / "exclude"), "rules"
    yield str(folders.own / "index"), "listing"
