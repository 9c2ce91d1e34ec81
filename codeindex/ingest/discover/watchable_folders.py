"""Find the folders in which discovery may find files, for a watcher of the file system."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from codeindex import git
from codeindex.errors import GitError
from codeindex.ingest.discover.file_filter import IGNORE_FILE, FileFilter, read_ignore_lines
from codeindex.text.globs import IgnoreRules


class WatchableFolders:
    """The folders in which files may be indexed: `paths`, relative to the root. '' is the root.

    The methods also answer for folders that were added after the object was created.
    """

    def __init__(self, root: Path, file_filter: FileFilter) -> None:
        self._root = root
        self._filter = file_filter
        self._rules = IgnoreRules()
        self.has_git = git.find_work_tree(root) is not None
        self.paths = frozenset(self._walk(self._ignored_by_git()))

    def ignored(self, paths: Iterable[str]) -> frozenset[str]:
        """Return those of `paths` that git ignores and that the settings do not include.

        Without git, the rules in `.gitignore` files decide. If git fails, no path counts as
        ignored.
        """
        if self.has_git:
            try:
                ignored = git.filter_ignored(self._root, paths)
                return frozenset(path for path in ignored if not self._filter.overrides(path))
            except GitError:  # a path in a submodule: treat none as ignored
                return frozenset()
        return frozenset(path for path in paths if self._is_ignored(path))

    def _is_ignored(self, path: str) -> bool:
        if self._filter.overrides(path):
            return False
        is_folder = (self._root / path).is_dir()
        return self._rules.selects_folder(path) if is_folder else self._rules.selects(path)

    def _ignored_by_git(self) -> frozenset[str]:
        if not self.has_git or self._filter.has_overrides:
            return frozenset()
        try:
            return git.list_ignored_folders(self._root)
        except GitError:
            self.has_git = False
            return frozenset()

    def _walk(self, ignored: frozenset[str]) -> Iterable[str]:
        todo = [""]
        while todo:
            folder = todo.pop()
            try:
                with os.scandir(self._root / folder) as entries:
                    inside = [
                        (entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries
                    ]
            except OSError:
                continue  # deleted, or not readable
            yield folder
            self._add_rules(folder, {name for name, is_folder in inside if not is_folder})
            for name, is_folder in inside:
                path = f"{folder}/{name}" if folder else name
                if is_folder and path not in ignored and self.may_enter(path):
                    todo.append(path)

    def _add_rules(self, folder: str, names: set[str]) -> None:
        if IGNORE_FILE in names:
            self._filter.add_ignore_file(folder)
        if not self.has_git and ".gitignore" in names:
            self._rules.add(
                folder, read_ignore_lines(self._root, f"{folder}/.gitignore".lstrip("/"))
            )

    def may_enter(self, folder: str) -> bool:
        """Tell whether a file below `folder` may be indexed.

        With git, the `.gitignore` rules are not applied here: `ignored` asks git for them.
        """
        if self._filter.folder_exclusion(folder):
            return False
        return self._filter.has_overrides or not self._rules.selects_folder(folder)
