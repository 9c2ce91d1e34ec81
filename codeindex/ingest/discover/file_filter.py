"""Decide from the path and the stat of a file whether it may be indexed, and why not.

Two decisions are made elsewhere. `files` lists the files by git, so ignored files are missing. The
workers skip a file for its content, for example a binary one.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from codeindex.config import WIKI_FOLDER, Config, data_home
from codeindex.files.safe_open import open_beneath, size_and_times
from codeindex.ingest.discover.exclusions import (
    TEST_FOLDERS,
    PatternTable,
    exclusion_rows,
    output_folders,
)
from codeindex.ingest.read.documents.pdf import is_pdf_supported as can_read_pdf
from codeindex.languages import LANGUAGES, language_for_path
from codeindex.secrets import is_secret_file, safe_path
from codeindex.text.globs import (
    IgnoreRules,
    first_in_folders,
    glob_rules,
    split_ignore_lines,
    without_braces,
)
from codeindex.types import SkipReason, SourceFile

IGNORE_FILE = ".codeindexignore"
_WIKI_FOLDERS = frozenset({WIKI_FOLDER.partition("/")[0], WIKI_FOLDER})
"""The wiki's folder and its parent: the pages are indexed, other data of codeindex is not."""
_MAX_IGNORE_BYTES = 1024 * 1024
_READABLE_BY_ALL = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH

TRANSIENT_REASONS = {
    SkipReason.TOO_LARGE,
    SkipReason.DOCUMENT_TOO_LARGE,
    SkipReason.UNREADABLE,
    SkipReason.NOT_A_FILE,
}
"""Reasons that can cease without a change of the folder, so that the file itself is watched."""
Exclusion = tuple[str, SkipReason]
"""An excluded path and the reason; the path of a folder ends with a slash."""
_MAX_CACHED_PATHS = 200_000
"""Most paths whose classification is cached for later syncs of the process: about 40 MB."""


class _PathFacts(NamedTuple):
    """The language of an indexable file, and whether it is a test, according to its path."""

    language: str
    is_test: bool


class FileFilter:
    """Decides which files of one root are indexed, from path and stat; content is not read.

    Paths outside the root, links, secret files and codeindex's own data are always excluded.
    `include_override` includes any other path. Then the table in `exclusions`, `.codeindexignore`
    files, `include` and `exclude` decide, and finally the file's stat. Git's ignore rules are not
    applied here: `files` leaves out what git ignores.
    """

    def __init__(self, root: Path, config: Config) -> None:
        self._root = root
        self._data = os.path.realpath(data_home())
        self._max_bytes = config.limits.max_file_kb * 1024
        self._max_depth = config.limits.max_depth
        self._reads_ignored = not config.gitignore
        self._max_document_bytes = config.limits.max_document_kb * 1024
        self._reads_pdf = can_read_pdf()
        self._table = PatternTable(exclusion_rows())
        self._override = glob_rules(config.include_override)
        self._include = glob_rules(config.include)
        self._exclude = glob_rules(config.exclude)
        self._ignore = IgnoreRules()
        self._test_patterns = config.test_patterns
        self._rules: list[Hashable] = [
            (config.include_override, config.include, config.exclude, self._reads_pdf),
            self._max_depth,
            *sorted((name, tuple(some)) for name, some in config.test_patterns.items()),
        ]
        self._cached: dict[str, _PathFacts | Exclusion] | None = None
        self._tests: dict[str, PatternTable[bool]] = {}
        self._barriers: dict[str, Exclusion | None] = {"": None}
        self._folders: dict[str, Exclusion | None] = {"": None}
        self._outputs: dict[str, Exclusion | None] = {"": None}

    def add_ignore_file(self, folder: str) -> None:
        """Add the rules of the `.codeindexignore` file in `folder`.

        Call this before any path below the folder is classified.
        """
        lines = read_ignore_lines(self._root, f"{folder}/{IGNORE_FILE}".lstrip("/"))
        self._ignore.add(folder, lines)
        self._rules.append((folder, *lines))
        self._cached = None

    def folder_exclusion(self, folder: str) -> Exclusion | None:
        """Return why no file in `folder` can be indexed; None if files in it may be.

        The exclusion names `folder` or a folder above it.
        """
        if barrier := self._barrier(folder):
            return barrier
        return None if self._override else self._excluded_folder(folder) or self._output(folder)

    def is_output(self, folder: str) -> bool:
        """Tell whether a folder is build output, by itself or as part of one.

        The answer is that of the first call, whatever happens to the files beside the folder.
        """
        return self._output(folder) is not None

    @property
    def has_overrides(self) -> bool:
        """Tell whether the settings can include some file that git ignores."""
        return self._reads_ignored or bool(self._override)

    def overrides(self, path: str) -> bool:
        """Tell whether the settings include a path although git ignores it."""
        return self._reads_ignored or self._override.selects(path)

    def may_index(self, path: str) -> bool:
        """Tell whether a path may be indexed by its name and folders; the file need not exist."""
        folder = path.rpartition("/")[0]
        facts = self._classify_path(path)
        is_allowed = isinstance(facts, _PathFacts) and not self._output_around(path)
        return is_allowed and self._barrier(folder) is None

    def classify(self, path: str) -> SourceFile | Exclusion:
        """Return the file at `path` if it may be indexed, else the exclusion.

        The exclusion has the reason, and the path that is excluded: the file or a folder above it.
        """
        if barrier := self._barrier(path.rpartition("/")[0]):
            return barrier
        if self._cached is None:
            self._cached = _cache_for(tuple(self._rules))
        facts = self._cached.get(path)
        if facts is None:
            if len(self._cached) >= _MAX_CACHED_PATHS:
                self._cached.clear()
            facts = self._cached[path] = self._classify_path(path)
        if not isinstance(facts, _PathFacts):
            return facts
        return self._output_around(path) or self._with_stat(path, facts)

    def _classify_path(self, path: str) -> _PathFacts | Exclusion:
        folder, _, name = path.rpartition("/")
        if reason := _never(path, name):
            return path, reason
        if not self._override.selects(path):
            if excluded := self._excluded_folder(folder):
                return excluded
            if reason := self._reason(path):
                return path, reason
        known = language_for_path(path)
        language = known.name if known else "text"
        if LANGUAGES[language].document == "page" and not self._reads_pdf:
            return path, SkipReason.NO_PDF
        return _PathFacts(language, self._is_test(path, language))

    def _barrier(self, folder: str) -> Exclusion | None:
        """Return the exclusion of `folder`, or of a folder above it, that no setting can undo.

        Return None if there is none. Links, folders outside the root, data of git or of codeindex,
        and folders whose name marks secrets are excluded in this way. Git's index may list paths in
        such folders.
        """
        return first_in_folders(folder, self._barriers, self._own_barrier)

    def _own_barrier(self, folder: str) -> Exclusion | None:
        name = folder.rpartition("/")[2]
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
            return None  # its files are skipped with the reason
        return (f"{folder}/", self._link_reason(f"{self._root}/{folder}")) if is_link else None

    def _link_reason(self, full: str) -> SkipReason:
        """Return LINK_OUT for a link to something outside of the root, which may be code.

        What a link to a place in the root leads to is indexed there.
        """
        root, target = os.path.realpath(self._root), Path(os.path.realpath(full))
        is_outside = os.access(target, os.F_OK) and not target.is_relative_to(root)
        return SkipReason.LINK_OUT if is_outside else SkipReason.SYMLINK

    def _output_around(self, path: str) -> Exclusion | None:
        """Return the folder of build output that a file is in, unless a setting includes it."""
        output = self._output(path.rpartition("/")[0])
        return None if output is None or self._override.selects(path) else output

    def _output(self, folder: str) -> Exclusion | None:
        """Return the exclusion of a folder as build output, by itself or a folder above; or None.

        It depends on the files on the disk, so it is not part of the cache of paths.
        """
        return first_in_folders(folder, self._outputs, self._own_output)

    def _own_output(self, folder: str) -> Exclusion | None:
        parent, _, name = folder.rpartition("/")
        beside = f"{self._root}/{parent}" if parent else str(self._root)
        is_output = any(
            os.path.lexists(f"{beside}/{file}") for file in output_folders().get(name, ())
        )
        return (f"{folder}/", SkipReason.BUILT) if is_output else None

    def _excluded_folder(self, folder: str) -> Exclusion | None:
        return first_in_folders(folder, self._folders, self._own_exclusion)

    def _own_exclusion(self, folder: str) -> Exclusion | None:
        reason = self._folder_reason(folder)
        return (f"{folder}/", reason) if reason else None

    def _folder_reason(self, folder: str) -> SkipReason | None:
        if self._max_depth and folder and folder.count("/") + 1 >= self._max_depth:
            return SkipReason.TOO_DEEP
        excluded = self._table.of_folder(folder)
        if excluded and folder not in _WIKI_FOLDERS:
            return excluded[1]
        if self._ignore.selects_folder(folder):
            return SkipReason.IGNORED
        return SkipReason.EXCLUDED if self._exclude.selects_folder(folder) else None

    def _reason(self, path: str) -> SkipReason | None:
        if reason := self._table.of_file(path):
            return reason
        if path.rpartition("/")[0] in _WIKI_FOLDERS and not _is_page(path):
            return SkipReason.ALWAYS
        if self._ignore.selects(path):
            return SkipReason.IGNORED
        if self._include and not self._include.selects(path):
            return SkipReason.NOT_INCLUDED
        return SkipReason.EXCLUDED if self._exclude.selects(path) else None

    def _with_stat(self, path: str, facts: _PathFacts) -> SourceFile | Exclusion:
        full = f"{self._root}/{path}"
        try:
            status = os.lstat(full)
        except OSError as error:
            return path, skip_reason_of(error)
        if problem := self._problem(status, full, facts.language):
            return path, problem
        return SourceFile(path, facts.language, *size_and_times(status), is_test=facts.is_test)

    def _problem(self, status: os.stat_result, full: str, language: str) -> SkipReason | None:
        mode = status.st_mode
        if stat.S_ISLNK(mode):
            return self._link_reason(full)
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
            own = without_braces(self._test_patterns.get(language, ()))
            known = LANGUAGES[language].tests if language in LANGUAGES else ()
            table = self._tests[language] = PatternTable([(True, (*TEST_FOLDERS, *known, *own))])
        return bool(table.of_folder(path.rpartition("/")[0]) or table.of_file(path))


@lru_cache(maxsize=2)
def _cache_for(_rules: Hashable) -> dict[str, _PathFacts | Exclusion]:
    """Return the cache {path: facts or exclusion} that belongs to this set of rules.

    Each set of rules has a cache of its own, which is empty at the first call.
    """
    return {}


def possible_outputs(root: Path, folders: Iterable[str]) -> Iterator[str]:
    """Yield the entries of `folders` that are build output if certain files are beside them."""
    for folder in folders:
        for name in output_folders():
            path = f"{folder}/{name}".lstrip("/")
            if os.path.lexists(root / path):
                yield path


def _never(path: str, name: str) -> SkipReason | None:
    """Return the reason why a file of this name is never indexed; None if the name allows it.

    Even the setting `include_override` does not include such a file.
    """
    if name.lower() == ".git":
        return SkipReason.ALWAYS
    if is_secret_file(path):
        return SkipReason.SECRETS
    return SkipReason.IN_PATH if safe_path(name) != name else None


def _is_page(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return folder == WIKI_FOLDER and name.endswith(".md") and not name.startswith(".")


def read_ignore_lines(root: Path, path: str) -> list[str]:
    """Return the lines of an ignore file; [] if it is not a regular file or too large."""
    try:
        with open_beneath(root, path) as handle:
            data = handle.read(_MAX_IGNORE_BYTES + 1)
    except OSError:
        return []
    return split_ignore_lines(data) if len(data) <= _MAX_IGNORE_BYTES else []


def skip_reason_of(error: OSError) -> SkipReason:
    """Return the skip reason for a file whose stat or reading raised `error`."""
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return SkipReason.GONE
    if error.errno == errno.ENAMETOOLONG:
        return SkipReason.TOO_LONG
    return SkipReason.UNREADABLE
