"""The folders that discovery may find files in, for those who want to notice changes there."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from codeindex import git
from codeindex.errors import GitError
from codeindex.ingest.discover.file_filter import IGNORE_FILE, FileFilter, read_ignore_lines
from codeindex.text.globs import IgnoreRules


class WatchableFolders:
    """The folders of a tree as the rules of now leave them, by relative path, the root's ''."""

    def __init__(self, root: Path, sieve: FileFilter) -> None:
        self._root = root
        self._sieve = sieve
        self._rules = IgnoreRules()
        self.has_git = git.find_work_tree(root) is not None
        out = self._left_out_by_git()
        self.paths = frozenset(self._walked(out))

    def ignored(self, paths: Iterable[str]) -> frozenset[str]:
        """Return those of a few files and folders that git, or its rules without git, ignore."""
        if self.has_git:
            try:
                return git.filter_ignored(self._root, paths)
            except GitError:  # one is in a submodule: then it is to be looked at
                return frozenset()
        return frozenset(one for one in paths if self._selected(one))

    def _selected(self, path: str) -> bool:
        if self._sieve.overrides(path):
            return False
        is_folder = (self._root / path).is_dir()
        return self._rules.selects_folder(path) if is_folder else self._rules.selects(path)

    def _left_out_by_git(self) -> frozenset[str]:
        if not self.has_git or self._sieve.has_overrides:
            return frozenset()
        try:
            return git.list_ignored_folders(self._root)
        except GitError:
            self.has_git = False
            return frozenset()

    def _walked(self, left_out: frozenset[str]) -> Iterable[str]:
        todo = [""]
        while todo:
            folder = todo.pop()
            try:
                with os.scandir(self._root / folder) as found:
                    inside = [(one.name, one.is_dir(follow_symlinks=False)) for one in found]
            except OSError:
                continue  # gone, or not ours to see
            yield folder
            self._learn(folder, {name for name, is_folder in inside if not is_folder})
            for name, is_folder in inside:
                path = f"{folder}/{name}" if folder else name
                if is_folder and path not in left_out and self.may_enter(path):
                    todo.append(path)

    def _learn(self, folder: str, names: set[str]) -> None:
        if IGNORE_FILE in names:
            self._sieve.learn(folder)
        if not self.has_git and ".gitignore" in names:
            self._rules.add(
                folder, read_ignore_lines(self._root, f"{folder}/.gitignore".lstrip("/"))
            )

    def may_enter(self, folder: str) -> bool:
        """Tell whether the rules that need no git let a file below `folder` be indexed."""
        if self._sieve.keeps_out(folder):
            return False
        return self._sieve.has_overrides or not self._rules.selects_folder(folder)
