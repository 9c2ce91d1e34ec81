"""Find lines that have the name of a symbol of which no use is known.

Frameworks and reflection use names in texts, symbols and settings: `before_save :norm_total`,
`getattr(module, "settle")`, `action="save"`. An answer without uses lists such lines.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from codeindex.analysis.listing_filter import NO_FILTER, ListingFilter
from codeindex.analysis.relations.name_mentions import (
    COMMENT_LINE,
    FUNCTION_KINDS,
    NameMentions,
)
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import (
    file_records,
    files_with_names,
    stored_lines_with,
)
from codeindex.store.graph.edges import lines_of_external_symbols, lines_of_other_symbols
from codeindex.store.symbols.nodes import symbols_by_name
from codeindex.text.truncate import truncate
from codeindex.text.words import IDENTIFIER, names_pattern, normal_form
from codeindex.types import Node, SymbolKind
from codeindex.types.report import plural

_SHOWN = 8
"""Most lines that are listed: the number of calls by name only that are."""
_READ_FILES = 40
"""Most files that are read for one answer. A name that more files have, such as `get`, tells little
anyway."""
_MAX_FOLDERS = 8
"""Most folders in which code that builds names is searched."""
_WIDTH = 160
"""Most characters of a source line that are shown."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A line with the name of a symbol that is no known use or definition of it."""

    file: str
    line: int
    text: str
    is_test: bool


@dataclass(frozen=True, slots=True)
class Mentions:
    """The lines with the names of some symbols, of which no use is known.

    `total` counts the lines in the files that were read, before the limit; `unread_files` have the
    name too. `may_be_built` is true if code may join a name of a symbol from parts.
    """

    lines: tuple[Mention, ...] = ()
    total: int = 0
    unread_files: int = 0
    may_be_built: bool = False

    def text(self) -> Iterator[str]:
        """Yield lines of text; nothing if no name was found."""
        if self.unread_files and not self.total:
            yield f"files with the name that were not read: {self.unread_files:,}"
        if self.total:
            count = plural(self.total, "other line has", "other lines have")
            files = f" (and {plural(self.unread_files, 'more file')})" if self.unread_files else ""
            cut = f", the first {len(self.lines)}" if len(self.lines) < self.total else ""
            yield f"{count} the name{files}, and may use it{cut}:"
        for mention in self.lines:
            yield f"  {mention.file}:{mention.line}: {mention.text}"
        if self.may_be_built:
            yield "code joins names like this at run time, and may use it so"


NO_MENTIONS = Mentions()


def find_mentions(
    connection: sqlite3.Connection,
    nodes: Sequence[Node],
    known: Collection[tuple[str, int]] = (),
    *,
    inside: ListingFilter = NO_FILTER,
    without: Collection[str] = (),
) -> Mentions:
    """Return the lines with the names of symbols that may use them.

    `known` are (path, line) of lines that the answer lists in another place, `without` the paths of
    files that do not count. Left out are definitions, comments of code, and certain uses of other
    symbols with these names. Lines of the symbols' own files come first, documents last.
    """
    names = {_written_name(node) for node in nodes if node.id} - {""}
    if not names:
        return NO_MENTIONS
    own = {node.path for node in nodes}
    recorded = {word for name in names for word in IDENTIFIER.findall(name)}
    files = file_records(connection)
    paths = {file.id: file.path for file in files}
    tests = {file.path for file in files if file.is_test}
    prose = {file.path for file in files if LANGUAGES[file.language].prose}
    having = sorted(
        (
            path
            for path in own | {paths[file] for file in files_with_names(connection, recorded)}
            if path not in without and inside.holds(path, is_test=path in tests)
        ),
        key=lambda path: (path in prose, path not in own, path),
    )
    ids = {node.id for node in nodes}
    others = lines_of_other_symbols(connection, sorted(names), ids)
    external = lines_of_external_symbols(connection, sorted(names))
    named = (node for name in sorted(names) for node in symbols_by_name(connection, name))
    left_out = {*known, *((node.path, node.line) for node in named)}
    left_out |= {(paths[file], line) for file, line in others}
    word = names_pattern(names)
    found = [
        Mention(path, line, truncate(text.strip(), _WIDTH), is_test=path in tests)
        for path in having[:_READ_FILES]
        for line, text in _lines_with(connection, path, word, nodes)
        if (path, line) not in left_out
    ]
    elsewhere = {(paths[file], line) for file, line in external}
    found.sort(key=lambda mention: (mention.file, mention.line) in elsewhere)
    return Mentions(
        lines=tuple(found[:_SHOWN]),
        total=len(found),
        unread_files=len(having[_READ_FILES:]),
        may_be_built=not found and _may_be_built(connection, nodes),
    )


def _written_name(node: Node) -> str:
    """Return the name that code writes to use a symbol: for a constructor, that of its type."""
    if node.kind == SymbolKind.CONSTRUCTOR:
        return normal_form(node.qualified.rpartition(".")[0].rpartition(".")[2])
    return normal_form(node.name.removesuffix("="))


def _lines_with(
    connection: sqlite3.Connection, path: str, word: re.Pattern[str], nodes: Sequence[Node]
) -> Iterator[tuple[int, str]]:
    """Yield (number, text) of the lines of a file that have a name, outside of its definitions."""
    own = [node for node in nodes if node.path == path]
    for number, text in stored_lines_with(connection, path, word):
        is_own = any(node.start_line <= number <= node.end_line for node in own)
        if not is_own and not COMMENT_LINE.match(text):
            yield number, text


def _may_be_built(connection: sqlite3.Connection, nodes: Sequence[Node]) -> bool:
    """Tell whether code in the folders of the symbols may build a name of one from parts.

    Other folders are not searched: in celery, that takes .3 s of processor time.
    """
    by_folder: defaultdict[str, list[Node]] = defaultdict(list)
    for node in nodes:
        if node.id and node.kind in FUNCTION_KINDS:
            by_folder[node.path.rpartition("/")[0]].append(node)
    mentions = NameMentions(connection)
    return any(
        mentions.builds_name(node, below=folder)
        for folder in sorted(by_folder)[:_MAX_FOLDERS]
        for node in by_folder[folder]
    )
