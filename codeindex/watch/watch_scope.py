"""What of a tree is worth watching, and what a change there means."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from enum import Enum
from pathlib import Path

from codeindex import git
from codeindex.config import Config
from codeindex.config.load import REPOSITORY_FILE
from codeindex.errors import GitError, RootError
from codeindex.ingest.discover.file_filter import IGNORE_FILE, FileFilter
from codeindex.ingest.discover.watchable_folders import WatchableFolders

FileEvent = tuple[int, str]
"""What happened to an absolute path; 1: it came."""
_CAME = 1
_MANY = 1_000
"""Changes that are looked at one by one; with more, something of everything will be among them."""
_ASKED = 200
"""Paths that git is asked about; so many make a line of some 20 kB, which every system takes."""
_RULES = {".gitignore", IGNORE_FILE, REPOSITORY_FILE}
_HEADS = {"HEAD", "ORIG_HEAD", "index", "exclude"}
"""Files of git that are written when its HEAD, its list of files or its rules change."""


class BurstAction(Enum):
    """What a burst of changes asks for."""

    NOTHING = "nothing that is indexed has changed"
    SYNC = "what is indexed may have changed"
    SURVEY = "there are folders or rules that are not known yet"


class WatchScope:
    """The folders of a root that may hold files of the index, as they are when it is made.

    RootError if the root is absent, or empty as a disk is that was unmounted.
    """

    def __init__(self, root: Path, config: Config) -> None:
        self._identity = _identity(root)
        if self._identity is None or not root_has_entries(root):
            raise missing_root_error(root)
        self._root = root
        self._sieve = FileFilter(root, config)
        self._folders = WatchableFolders(root, self._sieve)
        self._git = _git_folders(root) if self._folders.has_git else None

    @property
    def folders(self) -> int:
        return len(self._folders.paths)

    def paths(self) -> Iterator[str]:
        """Yield all folders whose changes matter, git's own included."""
        yield from (os.path.join(self._root, one).rstrip(os.sep) for one in self._folders.paths)  # noqa: PTH118 (thousands)
        yield from (str(one) for one in self._of_git() if one.is_dir())

    def is_left(self) -> bool:
        """Tell whether another folder, or none, is where the root was."""
        return _identity(self._root) != self._identity

    def git_is_writing(self) -> bool:
        """Tell whether git is at work on the tree: it will have changed more in a moment."""
        return self._git is not None and (self._git.own / "index.lock").exists()

    def meaning(self, changes: Collection[FileEvent]) -> BurstAction:
        """Tell what to do after a burst of changes."""
        if len(changes) > _MANY:
            return BurstAction.SURVEY
        known = [(kind, path) for kind, one in changes if (path := self._relative(one)) is not None]
        if any(path.rpartition("/")[2] in _RULES for _, path in known):
            return BurstAction.SURVEY
        came = [path for kind, path in known if kind == _CAME and self._is_folder(path)]
        wanted = [path for _, path in known if path and self._sieve.may_index(path)]
        asked = list(dict.fromkeys([*came, *wanted]))
        left_out = self._folders.ignored(asked) if 0 < len(asked) <= _ASKED else frozenset()
        if not left_out.issuperset(came):
            return BurstAction.SURVEY
        if not left_out.issuperset(wanted) or any(map(self._moves_git, changes)):
            return BurstAction.SYNC
        return BurstAction.NOTHING

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

    def _moves_git(self, change: FileEvent) -> bool:
        path = Path(change[1])
        return path.name in _HEADS and path.parent in self._of_git()

    def _of_git(self) -> tuple[Path, ...]:
        found = self._git
        return (found.own, found.own / "logs", found.common / "info") if found else ()


def missing_root_error(root: Path) -> RootError:
    """Return the error of a root that is absent or empty."""
    return RootError(f"'{root}' is gone: bring it back, or end this with Ctrl-C.")


def root_has_entries(root: Path) -> bool:
    """Tell whether there is anything at all in a root."""
    try:
        with os.scandir(root) as found:
            return next(found, None) is not None
    except OSError:
        return False


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
