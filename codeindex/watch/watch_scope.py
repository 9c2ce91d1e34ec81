"""Decide which folders of a tree to watch, and what to do after a burst of events."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from enum import Enum
from pathlib import Path

from codeindex import git
from codeindex.config import Config
from codeindex.config.load import REPOSITORY_FILE
from codeindex.errors import GitError, RootError
from codeindex.files.folders import has_entries
from codeindex.ingest.discover.file_filter import IGNORE_FILE, FileFilter, possible_outputs
from codeindex.ingest.discover.watchable_folders import WatchableFolders
from codeindex.ingest.discover.watched_paths import ancestor_folders

FileEvent = tuple[int, str]
"""Kind of event and absolute path, as watchfiles reports them; kind 1 is a creation."""
_CREATED = 1
_MAX_EVENTS = 1_000
"""Maximum number of events that are examined one by one. A larger burst almost certainly changes a
rule or a folder, so it requires a rescan."""
_MAX_GIT_PATHS = 200
"""Maximum number of paths in one git command: about 20 kB of arguments, which every system
accepts."""
_RULE_FILES = {".gitignore", IGNORE_FILE, REPOSITORY_FILE}
_GIT_STATE_FILES = {"HEAD", "ORIG_HEAD", "index", "exclude"}
"""Files that git writes when its HEAD, its list of files or its rules change."""


class BurstAction(Enum):
    """What a watcher must do after a burst of file events, such as a sync."""

    NOTHING = "nothing that is indexed has changed"
    SYNC = "what is indexed may have changed"
    RESCAN = "there are unknown folders or rules"


class WatchScope:
    """The folders of a root that may contain indexed files, found when the object is created.

    The constructor raises RootError if the root is missing, or empty like the mount point of an
    unmounted disk.
    """

    def __init__(self, root: Path, config: Config) -> None:
        self._identity = _identity(root)
        if self._identity is None or not has_entries(root):
            raise missing_root_error(root)
        self._root = root
        self._config = config
        self._filter = FileFilter(root, config)
        self._folders = WatchableFolders(root, self._filter)
        self._compiler_indexes = frozenset(config.graph.scip)
        self._git = _git_folders(root) if self._folders.has_git else None

    @property
    def folder_count(self) -> int:
        return len(self._folders.paths)

    def paths(self) -> Iterator[str]:
        """Yield the absolute paths of all folders to watch, including those of git."""
        yield from (os.path.join(self._root, path).rstrip(os.sep) for path in self._folders.paths)  # noqa: PTH118 (thousands)
        yield from (str(folder) for folder in self._git_paths() if folder.is_dir())

    def is_root_replaced(self) -> bool:
        """Tell whether the root was replaced: its path is now another folder, or does not exist."""
        return _identity(self._root) != self._identity

    def git_is_writing(self) -> bool:
        """Tell whether git holds its index lock, which means that more changes will follow."""
        return self._git is not None and (self._git.own / "index.lock").exists()

    def required_action(self, events: Collection[FileEvent]) -> BurstAction:
        """Return what the watcher must do after a burst of events."""
        if len(events) > _MAX_EVENTS:
            return BurstAction.RESCAN
        known = [
            (kind, path)
            for kind, absolute in events
            if (path := self._relative(absolute)) is not None
        ]
        has_new_rules = any(path.rpartition("/")[2] in _RULE_FILES for _, path in known)
        if has_new_rules or self._outputs_changed(path for _, path in known):
            return BurstAction.RESCAN
        new_folders = [path for kind, path in known if kind == _CREATED and self._is_folder(path)]
        files = [path for _, path in known if path and self._filter.may_index(path)]
        paths = list(dict.fromkeys([*new_folders, *files]))
        ignored = self._folders.ignored(paths) if 0 < len(paths) <= _MAX_GIT_PATHS else frozenset()
        if not ignored.issuperset(new_folders):
            return BurstAction.RESCAN
        is_compiled = not self._compiler_indexes.isdisjoint(path for _, path in known)
        if is_compiled or not ignored.issuperset(files):
            return BurstAction.SYNC
        if any(map(self._changes_git_state, events)):
            return BurstAction.SYNC
        return BurstAction.NOTHING

    def _outputs_changed(self, paths: Iterable[str]) -> bool:
        """Tell whether a folder beside `paths` became build output, or is none any more."""
        now = FileFilter(self._root, self._config)
        return any(
            now.is_output(folder) != self._filter.is_output(folder)
            for folder in possible_outputs(self._root, {"", *ancestor_folders(paths)})
        )

    def _relative(self, path: str) -> str | None:
        try:
            relative = Path(path).relative_to(self._root).as_posix()
        except ValueError:
            return None
        if ".git" in relative.split("/"):
            return None
        return "" if relative == "." else relative

    def _is_folder(self, path: str) -> bool:
        return bool(path) and (self._root / path).is_dir() and self._folders.may_enter(path)

    def _changes_git_state(self, event: FileEvent) -> bool:
        path = Path(event[1])
        return path.name in _GIT_STATE_FILES and path.parent in self._git_paths()

    def _git_paths(self) -> tuple[Path, ...]:
        folders = self._git
        if folders is None:
            return ()
        return folders.own, folders.own / "logs", folders.common / "info"


def missing_root_error(root: Path) -> RootError:
    """Return the error for a root that is missing or empty."""
    return RootError(f"'{root}' is gone: bring it back, or end this with Ctrl-C.")


def _identity(root: Path) -> tuple[int, int] | None:
    try:
        status = root.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _git_folders(root: Path) -> git.GitFolders | None:
    top = git.find_work_tree(root)
    try:
        return git.resolve_git_folders(top) if top else None
    except GitError:
        return None
