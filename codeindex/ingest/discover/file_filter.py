"""The rules that decide, path by path, what is indexed."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Hashable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from codeindex.config import WIKI_FOLDER, Config, data_home
from codeindex.files.safe_open import open_beneath, size_and_times
from codeindex.ingest.discover.exclusions import (
    TEST_FOLDERS,
    PatternTable,
    SkipReason,
    exclusion_rows,
)
from codeindex.ingest.read.documents.pdf import is_pdf_supported as can_read_pdf
from codeindex.languages import LANGUAGES, language_for_path
from codeindex.secrets import is_secret_file, safe_path
from codeindex.text.globs import IgnoreRules, split_ignore_lines
from codeindex.types import SourceFile

IGNORE_FILE = ".codeindexignore"
_WIKI_WAY = frozenset({WIKI_FOLDER.partition("/")[0], WIKI_FOLDER})
"""The folders to the wiki: of all that is ours in a tree, its pages alone are for reading."""
_MAX_IGNORE_BYTES = 1024 * 1024
_READABLE_BY_ALL = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH

TRANSIENT_REASONS = {
    SkipReason.TOO_LARGE,
    SkipReason.DOCUMENT_TOO_LARGE,
    SkipReason.UNREADABLE,
    SkipReason.NOT_A_FILE,
}
"""Reasons that can end without any name's coming or going."""
Exclusion = tuple[str, SkipReason]
"""What is left out, a folder with a slash at its end, and why."""
_MOST_REMEMBERED = 200_000
"""Paths that are judged once for all syncs of a process: about 40 MB."""


class _Named(NamedTuple):
    """What the path of a file that may be indexed says of it."""

    language: str
    is_test: bool


class FileFilter:
    """The rules of one root.

    What leads out of the root, links, files of secrets and our own data are out whatever anybody
    asks for.
    `include_override` brings in anything else. Then the table of `exclusions`, the ignore files,
    `include` and `exclude` decide, and last what `lstat` says.
    """

    def __init__(self, root: Path, config: Config) -> None:
        self._root = root
        self._data = os.path.realpath(data_home())
        self._max_bytes = config.limits.max_file_kb * 1024
        self._max_document_bytes = config.limits.max_document_kb * 1024
        self._reads_pdf = can_read_pdf()
        self._table = PatternTable(exclusion_rows())
        self._override = IgnoreRules(config.include_override)
        self._include = IgnoreRules(config.include)
        self._exclude = IgnoreRules(config.exclude)
        self._ignore = IgnoreRules()
        self._test_patterns = config.test_patterns
        self._rules: list[Hashable] = [
            (config.include_override, config.include, config.exclude, self._reads_pdf),
            *sorted((name, tuple(some)) for name, some in config.test_patterns.items()),
        ]
        self._judged: dict[str, _Named | Exclusion] | None = None
        self._tests: dict[str, PatternTable[bool]] = {}
        self._barriers: dict[str, Exclusion | None] = {"": None}
        self._folders: dict[str, Exclusion | None] = {"": None}

    def learn(self, folder: str) -> None:
        """Take in the ignore file of `folder`; before anything below it is judged."""
        lines = read_ignore_lines(self._root, f"{folder}/{IGNORE_FILE}".lstrip("/"))
        self._ignore.add(folder, lines)
        self._rules.append((folder, *lines))
        self._judged = None

    def keeps_out(self, folder: str) -> Exclusion | None:
        """Return why nothing below `folder` can be indexed, if so."""
        return self._barrier(folder) or (None if self._override else self._left_out(folder))

    @property
    def has_overrides(self) -> bool:
        """Tell whether anything may be brought in against the rules."""
        return bool(self._override)

    def overrides(self, path: str) -> bool:
        """Tell whether the user wants `path` although git ignores it."""
        return self._override.selects(path)

    def may_index(self, path: str) -> bool:
        """Tell by its name alone whether a file at `path`, there or gone, could be indexed."""
        folder = path.rpartition("/")[0]
        return self._barrier(folder) is None and isinstance(self._by_name(path), _Named)

    def judge(self, path: str) -> SourceFile | Exclusion:
        """Return the file, or what keeps it out: itself, or one of its folders."""
        if barrier := self._barrier(path.rpartition("/")[0]):
            return barrier
        if self._judged is None:
            self._judged = _judged_by(tuple(self._rules))
        named = self._judged.get(path)
        if named is None:
            if len(self._judged) >= _MOST_REMEMBERED:
                self._judged.clear()
            named = self._judged[path] = self._by_name(path)
        return self._measured(path, named) if isinstance(named, _Named) else named

    def _by_name(self, path: str) -> _Named | Exclusion:
        folder, _, name = path.rpartition("/")
        if reason := _never(path, name):
            return path, reason
        if not self._override.selects(path):
            if left_out := self._left_out(folder):
                return left_out
            if reason := self._reason(path):
                return path, reason
        known = language_for_path(path)
        language = known.name if known else "text"
        if language == "pdf" and not self._reads_pdf:
            return path, SkipReason.NO_PDF
        return _Named(language, self._is_test(path, language))

    def _barrier(self, folder: str) -> Exclusion | None:
        """Find the folder that leads out of the root: git's index may say anything."""
        if folder not in self._barriers:
            parent, _, name = folder.rpartition("/")
            self._barriers[folder] = self._barrier(parent) or self._own_barrier(folder, name)
        return self._barriers[folder]

    def _own_barrier(self, folder: str, name: str) -> Exclusion | None:
        if name in {"", ".", ".."}:
            return f"{folder}/", SkipReason.OUTSIDE
        if name.lower() == ".git":
            return f"{folder}/", SkipReason.ALWAYS
        if safe_path(name) != name:
            return f"{folder}/", SkipReason.IN_PATH
        if f"{self._root}/{folder}" == self._data:
            return f"{folder}/", SkipReason.OWN
        try:
            is_link = stat.S_ISLNK(os.lstat(f"{self._root}/{folder}").st_mode)
        except OSError:
            return None  # its files will say what is wrong
        return (f"{folder}/", SkipReason.SYMLINK) if is_link else None

    def _left_out(self, folder: str) -> Exclusion | None:
        if folder not in self._folders:
            self._folders[folder] = self._left_out(folder.rpartition("/")[0]) or (
                (f"{folder}/", reason) if (reason := self._folder_reason(folder)) else None
            )
        return self._folders[folder]

    def _folder_reason(self, folder: str) -> SkipReason | None:
        found = self._table.of_folder(folder)
        if found and folder not in _WIKI_WAY:
            return found[1]
        if self._ignore.selects_folder(folder):
            return SkipReason.IGNORED
        return SkipReason.EXCLUDED if self._exclude.selects_folder(folder) else None

    def _reason(self, path: str) -> SkipReason | None:
        if reason := self._table.of_file(path):
            return reason
        if path.rpartition("/")[0] in _WIKI_WAY and not _is_page(path):
            return SkipReason.ALWAYS
        if self._ignore.selects(path):
            return SkipReason.IGNORED
        if self._include and not self._include.selects(path):
            return SkipReason.NOT_INCLUDED
        return SkipReason.EXCLUDED if self._exclude.selects(path) else None

    def _measured(self, path: str, named: _Named) -> SourceFile | Exclusion:
        full = f"{self._root}/{path}"
        try:
            status = os.lstat(full)
        except OSError as error:
            return path, skip_reason_of(error)
        if problem := self._problem(status, full, named.language):
            return path, problem
        return SourceFile(path, named.language, *size_and_times(status), is_test=named.is_test)

    def _problem(self, status: os.stat_result, full: str, language: str) -> SkipReason | None:
        mode = status.st_mode
        if stat.S_ISLNK(mode):
            return SkipReason.SYMLINK
        if not stat.S_ISREG(mode):
            return SkipReason.NOT_A_FILE
        if reason := self._too_large(status.st_size, language):
            return reason
        if mode & _READABLE_BY_ALL != _READABLE_BY_ALL and not os.access(full, os.R_OK):
            return SkipReason.UNREADABLE
        return None

    def _too_large(self, size: int, language: str) -> SkipReason | None:
        if LANGUAGES[language].document:
            return SkipReason.DOCUMENT_TOO_LARGE if size > self._max_document_bytes else None
        return SkipReason.TOO_LARGE if size > self._max_bytes else None

    def _is_test(self, path: str, language: str) -> bool:
        table = self._tests.get(language)
        if table is None:
            own = self._test_patterns.get(language, ())
            known = LANGUAGES[language].tests if language in LANGUAGES else ()
            table = self._tests[language] = PatternTable([(True, (*TEST_FOLDERS, *known, *own))])
        return bool(table.of_folder(path.rpartition("/")[0]) or table.of_file(path))


@lru_cache(maxsize=2)
def _judged_by(_rules: Hashable) -> dict[str, _Named | Exclusion]:
    """Return what was judged before by the same rules, which look at nothing but paths."""
    return {}


def _never(path: str, name: str) -> SkipReason | None:
    """Return why a file is out by its name whatever anybody asks for."""
    if name.lower() == ".git":
        return SkipReason.ALWAYS
    if is_secret_file(path):
        return SkipReason.SECRETS
    return SkipReason.IN_PATH if safe_path(name) != name else None


def _is_page(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return folder == WIKI_FOLDER and name.endswith(".md") and not name.startswith(".")


def read_ignore_lines(root: Path, path: str) -> list[str]:
    """Read an ignore file; what is no plain file of sensible size has no lines."""
    try:
        with open_beneath(root, path) as handle:
            data = handle.read(_MAX_IGNORE_BYTES + 1)
    except OSError:
        return []
    return split_ignore_lines(data) if len(data) <= _MAX_IGNORE_BYTES else []


def skip_reason_of(error: OSError) -> SkipReason:
    """Say why the system did not let us look."""
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return SkipReason.GONE
    if error.errno == errno.ENAMETOOLONG:
        return SkipReason.TOO_LONG
    return SkipReason.UNREADABLE
