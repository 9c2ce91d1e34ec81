"""Count where the name of a symbol occurs; find code that builds such names at run time."""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from codeindex.analysis.relations.built_names import BuiltNames, built_names, has_first_part
from codeindex.analysis.visibility import is_private_to_file
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import files_under, read_identifier_blobs, stored_text
from codeindex.store.symbols.nodes import symbols_by_name
from codeindex.text.words import IDENTIFIER, name_checksum, names_pattern, normal_form
from codeindex.types import Node, SymbolKind

COMMENT_LINE = re.compile(
    r"^\s*(?://|/\*|\*|--|#(?!\s*(?:define|el|en|if|in|un)\w*\b)(?:\s|#|$)|<!--|;)"
)
"""Matches lines that are comments in at least one of the indexed languages, but not `# define`."""
_WORD = re.compile(r"\w+")


NOWHERE_ELSE = "nothing uses it, and its name is nowhere else in the index"


@dataclass(frozen=True, slots=True)
class NameScope:
    """Where code can refer to a symbol by its bare name.

    `within` is a file, a folder, or '' for all files. `remark` is the text to show if nothing in
    these files uses the symbol.
    """

    within: str
    remark: str


class _FilesByName(NamedTuple):
    """The checksums of names, sorted, and how many files have each, in the same order."""

    names: np.ndarray
    counts: np.ndarray


class NameMentions:
    """Counts where the names of symbols occur outside of their definitions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._texts: dict[str, str] = {}
        self._built: dict[str, BuiltNames] = {}
        self._built_below: dict[str, BuiltNames] = {}
        self._words_of, self._lines = "", list[str]()
        self._words: Mapping[str, Sequence[int]] = {}

    def text(self, path: str) -> str:
        """Return the text of a file in Unicode form NFKC, the form in which names are compared."""
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def _read(self, path: str) -> str:
        return normal_form(stored_text(self._connection, path))

    def beside(self, node: Node, scope: NameScope) -> int:
        """Count the occurrences of a symbol's name outside of its definition.

        The count is the number of other files in `scope` that have the name, plus the number of
        lines in the symbol's own file that have it, except comments. Files of data, such as XML,
        count for private symbols too: frameworks call these by the names that settings give.
        """
        having = self._code_lines_with(node.path, node.name)
        inside = bisect_right(having, node.end_line) - bisect_left(having, node.start_line)
        own = len(having) - inside
        if scope.within == node.path:
            words = _recorded_words(node.name)
            return own + min((_files_with(self._data, word) for word in words), default=0)
        return own + self._other_files(node, scope.within)

    def all_declare(self, node: Node, mentions: int) -> bool:
        """Tell whether the files that have a function's name only declare it, as headers of C do.

        `mentions` is the result of `beside` for the function.
        """
        is_separate = LANGUAGES[node.language].separate_declarations
        if not (mentions and is_separate and node.kind in FUNCTION_KINDS):
            return False
        spans: dict[str, list[range]] = {}
        for other in symbols_by_name(self._connection, node.name):
            is_declaration = other.kind in FUNCTION_KINDS and not other.has_body
            if other.path != node.path and is_declaration:
                span = range(other.start_line, other.end_line + 1)
                spans.setdefault(other.path, []).append(span)
        return len(spans) == mentions and all(
            any(line in span for span in found)
            for path, found in spans.items()
            for line in self._code_lines_with(path, node.name)
        )

    def _code_lines_with(self, path: str, name: str) -> Sequence[int]:
        """Return the sorted numbers of the lines of a file that have a name, without comments."""
        if self._words_of != path:  # symbols are asked about file by file
            self._words_of, self._lines = path, self.text(path).split("\n")
            self._words = _lines_by_word(self._lines)
        if name.isidentifier():
            return self._words.get(name, ())
        pattern = names_pattern([name])
        words = _WORD.findall(name)
        likely = (
            min((self._words.get(word, ()) for word in words), key=len)
            if words
            else range(1, len(self._lines) + 1)
        )
        return [
            line
            for line in likely
            if pattern.search(self._lines[line - 1])
            and not COMMENT_LINE.match(self._lines[line - 1])
        ]

    def builds_name(self, node: Node, *, below: str = "") -> bool:
        """Tell whether code may build the symbol's name from parts, like `f"visit_{kind}"`.

        Such code is searched in the symbol's file and in the files below a folder, "" for all. If
        it joins two variables, the first part of the name must be a literal in the symbol's file.
        """
        if self._built_in(node.path).may_have(node.name):
            return True
        built = self._built_in_folder(below)
        return built.may_have(node.name) or (
            built.joins_variables and has_first_part(self.text(node.path), node.name)
        )

    def _built_in(self, path: str) -> BuiltNames:
        if path not in self._built:
            self._built[path] = built_names([self.text(path)])
        return self._built[path]

    def _other_files(self, node: Node, within: str) -> int:
        words = _recorded_words(node.name)
        if not within:
            known = (_files_with(self._counted, word) for word in words)
            return max(0, min(known, default=0) - 1)  # less its own file
        wanted = np.array([name_checksum(word) for word in words], dtype="<u4")
        return sum(
            path != node.path
            and path.rpartition("/")[0] == within
            and bool(np.isin(wanted, np.frombuffer(self._blobs[path], dtype="<u4")).all())
            for path in (self._blobs if words else ())
        )

    def _built_in_folder(self, folder: str) -> BuiltNames:
        """Return the names that are built below a folder, in the files that look up names.

        The texts of these files are not kept in memory, since they may be many.
        """
        if folder not in self._built_below:
            paths = self._reflective_paths(folder)
            self._built_below[folder] = built_names(map(self._read, paths))
        return self._built_below[folder]

    @cached_property
    def _blobs(self) -> Mapping[str, bytes]:
        """{path: checksums of the names in this file, as bytes} of all indexed files."""
        paths = {file.id: file.path for file in files_under(self._connection)}
        blobs = read_identifier_blobs(self._connection)
        return {paths[file]: blob for file, blob in blobs.items() if file in paths}

    @cached_property
    def _counted(self) -> _FilesByName:
        return _count_files(self._blobs.values())

    @cached_property
    def _data(self) -> _FilesByName:
        """How many files of data have each name."""
        files = files_under(self._connection)
        paths = [file.path for file in files if LANGUAGES[file.language].is_data]
        return _count_files(self._blobs[path] for path in paths)

    def _reflective_paths(self, folder: str) -> list[str]:
        """Return the files below a folder that have a name by which code looks up names."""
        names = frozenset[str]().union(*(known.reflective_names for known in LANGUAGES.values()))
        wanted = np.array(sorted(map(name_checksum, names)), dtype="<u4")
        start = f"{folder}/" if folder else ""
        blobs = {path: blob for path, blob in self._blobs.items() if path.startswith(start)}
        every = np.frombuffer(b"".join(blobs.values()), dtype="<u4")
        before = np.concatenate(([0], np.cumsum(np.isin(every, wanted))))
        ends = np.cumsum([0, *(len(blob) // wanted.itemsize for blob in blobs.values())])
        has_one = before[ends[1:]] > before[ends[:-1]]
        return [path for path, found in zip(blobs, has_one, strict=True) if found]


def _count_files(blobs: Iterable[bytes]) -> _FilesByName:
    """Count the files with each name; `blobs` are the checksums of the names in each file."""
    return _FilesByName(*np.unique(np.frombuffer(b"".join(blobs), dtype="<u4"), return_counts=True))


def _files_with(known: _FilesByName, word: str) -> int:
    """Return how many files have a name, by its checksum."""
    wanted = np.uint32(name_checksum(word))
    at = int(np.searchsorted(known.names, wanted))
    found = at < len(known.names) and known.names[at] == wanted
    return int(known.counts[at]) if found else 0


def _lines_by_word(lines: Sequence[str]) -> dict[str, list[int]]:
    """Return {word: sorted numbers of the lines that have it}; comments are left out.

    With it, time grows with the size of a file, not with its lines times its symbols.
    """
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        if not COMMENT_LINE.match(line):
            for word in set(_WORD.findall(line)):
                found.setdefault(word, []).append(number)
    return found


def _recorded_words(name: str) -> list[str]:
    """Return the parts of a name that the index records for files, such as `empty` for `empty?`."""
    return IDENTIFIER.findall(normal_form(name))


def is_recorded(name: str) -> bool:
    """Tell whether the index records which files contain a name.

    It records no names of one or two letters.
    """
    return bool(_recorded_words(name))


def name_scope(node: Node, text: str, *, is_public: bool) -> NameScope:
    """Return where code can refer to a symbol by its name, by the rules of its language.

    `text` is the text of the symbol's file.
    """
    language = LANGUAGES[node.language]
    rules = language.visibility
    if is_private_to_file(node) and not (rules.shared_type and rules.shared_type.search(text)):
        return NameScope(node.path, "private, and nothing in its file uses it")
    is_module = rules.module is not None and rules.module.search(text) is not None
    if is_module and not is_public and "." not in node.qualified:
        return NameScope(node.path, "not exported, and nothing in its file uses it")
    if language.folder_packages and not rules.by_name(node.name):
        return NameScope(
            node.path.rpartition("/")[0], "not exported, and nothing in its package uses it"
        )
    return NameScope("", NOWHERE_ELSE)


FUNCTION_KINDS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
"""Kinds of symbols that code may look up by names that it builds."""
