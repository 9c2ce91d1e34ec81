"""Count where the name of a symbol occurs; find code that builds such names at run time."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from codeindex.analysis.relations.built_names import (
    BuiltNames,
    built_names,
    has_first_part,
)
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import files_under, read_identifier_blobs, stored_text
from codeindex.text.words import IDENTIFIER, name_checksum, normal_form
from codeindex.types import Node, SymbolKind

COMMENT_LINE = re.compile(
    r"^\s*(?://|/\*|\*|--|#(?!\s*(?:define|el|en|if|in|un)\w*\b)(?:\s|#|$)|<!--|;)"
)
"""Matches lines that are comments in at least one of the indexed languages, but not `# define`."""
_PRIVATE = re.compile(r"\b(?:private|fileprivate)\b(?!\[)")
"""Matches the modifiers of symbols that are private to a type or file; Scala's `private[util]` is
not."""
_SHARED_OWNER = re.compile(
    r"\bpartial\s+(?:class|struct|interface|record)\b|^\s*trait\s", re.MULTILINE
)
"""Matches owners whose private members other files can use: partial types, and traits of PHP."""
_MODULE = re.compile(r"^\s*(?:import|export)\b|\brequire\(|\bmodule\.exports\b", re.MULTILINE)


NOWHERE_ELSE = "nothing uses it, and its name is nowhere else in the index"


@dataclass(frozen=True, slots=True)
class NameScope:
    """Where code can refer to a symbol by its bare name.

    `within` is a file, a folder, or '' for all files. `remark` is the text to show if nothing in
    these files uses the symbol.
    """

    within: str
    remark: str


class NameMentions:
    """Counts where the names of symbols occur outside of their definitions.

    Code that builds names is searched in the files whose paths start with `built_below`.
    """

    def __init__(self, connection: sqlite3.Connection, *, built_below: str = "") -> None:
        self._connection, self._built_below = connection, built_below
        self._texts: dict[str, str] = {}
        self._built: dict[str, BuiltNames] = {}

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
        lines in the symbol's own file that have it, except comments.
        """
        lines = self.text(node.path).split("\n")
        name = re.compile(rf"(?<!\w){re.escape(node.name)}(?!\w)")
        outside = [*lines[: node.start_line - 1], *lines[node.end_line :]]
        own = sum(1 for line in outside if name.search(line) and not COMMENT_LINE.match(line))
        if scope.within == node.path:
            return own
        return own + self._other_files(node, scope.within)

    def builds_name(self, node: Node) -> bool:
        """Tell whether code may build the symbol's name from parts, like `f"visit_{kind}"`.

        If code joins two variables, the first part of the name must be a literal in the symbol's
        file.
        """
        return (
            self._built_in(node.path).may_have(node.name)
            or self._built_elsewhere.may_have(node.name)
            or (
                self._built_elsewhere.joins_variables
                and has_first_part(self.text(node.path), node.name)
            )
        )

    def _built_in(self, path: str) -> BuiltNames:
        if path not in self._built:
            self._built[path] = built_names([self.text(path)])
        return self._built[path]

    def _other_files(self, node: Node, within: str) -> int:
        words = _recorded_words(node.name)
        wanted = np.array([name_checksum(word) for word in words], dtype="<u4")
        if not within:
            return min(map(self._count_others, wanted), default=0)
        return sum(
            path != node.path
            and path.rpartition("/")[0] == within
            and bool(np.isin(wanted, np.frombuffer(self._blobs[path], dtype="<u4")).all())
            for path in (self._blobs if words else ())
        )

    def _count_others(self, wanted: np.uint32) -> int:
        """Return how many files have a name, except the file that defines it.

        `wanted` is the name's checksum.
        """
        at = int(np.searchsorted(self._counted[0], wanted))
        found = at < len(self._counted[0]) and self._counted[0][at] == wanted
        return max(0, int(self._counted[1][at]) - 1) if found else 0

    @cached_property
    def _built_elsewhere(self) -> BuiltNames:
        """The names that are built in all files that look up names at run time.

        The texts of these files are not kept in memory, since they may be many.
        """
        return built_names(map(self._read, self._reflective_paths))

    @cached_property
    def _blobs(self) -> Mapping[str, bytes]:
        """{path: checksums of the names in this file, as bytes} of all indexed files."""
        paths = {file.id: file.path for file in files_under(self._connection)}
        blobs = read_identifier_blobs(self._connection)
        return {paths[file]: blob for file, blob in blobs.items() if file in paths}

    @cached_property
    def _counted(self) -> tuple[np.ndarray, np.ndarray]:
        """The checksums of all names, sorted, and how many files have each, in the same order."""
        every = np.frombuffer(b"".join(self._blobs.values()), dtype="<u4")
        names, counts = np.unique(every, return_counts=True)
        return names, counts

    @cached_property
    def _reflective_paths(self) -> list[str]:
        names = frozenset[str]().union(*(known.reflective_names for known in LANGUAGES.values()))
        wanted = np.array(sorted(map(name_checksum, names)), dtype="<u4")
        return [
            path
            for path, blob in self._blobs.items()
            if path.startswith(self._built_below)
            and np.isin(wanted, np.frombuffer(blob, dtype="<u4")).any()
        ]


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
    head = node.signature.partition(node.name)[0]
    if _PRIVATE.search(head) and not _SHARED_OWNER.search(text):
        return NameScope(node.path, "private, and nothing in its file uses it")
    exports = language.visibility.export_line is not None
    if exports and not is_public and "." not in node.qualified and _MODULE.search(text):
        return NameScope(node.path, "not exported, and nothing in its file uses it")
    if language.folder_packages and not language.visibility.by_name(node.name):
        return NameScope(
            node.path.rpartition("/")[0], "not exported, and nothing in its package uses it"
        )
    return NameScope("", NOWHERE_ELSE)


FUNCTION_KINDS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
"""Kinds of symbols that code may look up by names that it builds."""
