"""Find symbols without known uses: candidates for removal.

Symbols that code may reach without naming them are left out: exports, tests, entry points, special
names, decorated functions, and overrides of base methods.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal

import numpy as np

from codeindex.analysis.file_selection import select_files
from codeindex.analysis.relations.implicit_calls import exclude_implicitly_called
from codeindex.analysis.visibility import (
    CLOSED_SCOPES,
    exported_names,
    is_explicitly_public,
    public_ids,
)
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.file_lists import read_identifier_blobs
from codeindex.store.catalog.files import stored_text
from codeindex.store.catalog.unparsed_code import incomplete_files
from codeindex.store.graph.usage import count_possible_calls, read_reexports, read_used_symbols
from codeindex.store.symbols.declarations import DeclaringFile, declarations_in, files_under
from codeindex.text.words import name_checksum
from codeindex.types import OWNER_KINDS, Node, SymbolKind
from codeindex.types.report import DataReport, Table, make_table

if TYPE_CHECKING:
    import sqlite3

_CHECKED_KINDS = (OWNER_KINDS - {SymbolKind.IMPL}) | {
    SymbolKind.FUNCTION,
    SymbolKind.METHOD,
    SymbolKind.CONSTANT,
    SymbolKind.MACRO,
}
"""Fields and properties are not checked: a read of one is unknown if the receiver type is
unknown."""
_ENTRY_NAMES = frozenset({"main", "init", "setup", "teardown", "run", "default", "conftest"})
_REGISTERED = re.compile(r"^\s*(?:@|#\[|\[)\s*([\w.:]+)")
_PASSIVE_DECORATORS = frozenset(
    {"staticmethod", "classmethod", "property", "cached_property", "abstractmethod", "override"}
    | {"final", "overload", "wraps", "cache", "lru_cache", "contextmanager", "dataclass"}
    | {"asynccontextmanager", "total_ordering", "deprecated", "Deprecated", "Override"}
    | {"SuppressWarnings", "SafeVarargs", "inline", "cold", "must_use", "derive", "allow", "doc"}
)
"""Decorators and attributes that do not register the definition anywhere, so it may be unused."""

UnusedConfidence = Literal["likely", "possible"]


@dataclass(frozen=True, slots=True)
class UnusedSymbol:
    """A symbol without known uses; `likely` if its name occurs nowhere else.

    It is only `possible` if calls by name (`possible_calls`) or other words (`mentions`) may refer
    to it.
    """

    file: str
    name: str
    kind: str
    line: int
    lines: int
    confidence: UnusedConfidence
    possible_calls: int
    mentions: int


@dataclass(frozen=True, slots=True)
class UnusedSymbols(DataReport):
    """An estimate of unused symbols.

    `unread` counts the code files whose uses are not or not completely known.
    """

    path: str
    symbols: tuple[UnusedSymbol, ...]
    total: int
    total_likely: int
    unread: int
    truncated: bool
    estimate: bool = True

    def columns(self) -> Table:
        header = ("file", "line", "kind", "name", "confidence")
        return make_table(self.symbols, header)

    def text(self) -> Iterator[str]:
        yield (
            f"{self.total} symbols that nothing is known to use, {self.total_likely} of them named"
            " nowhere else that is read: an estimate"
        )
        if self.unread:
            yield f"{self.unread} files of code may use them: left out, or not wholly understood"
        for symbol in self.symbols:
            yield f"{symbol.file}:{symbol.line}: {symbol.kind} {symbol.name}{_doubt(symbol)}"


def _doubt(symbol: UnusedSymbol) -> str:
    texts = [
        f"{symbol.possible_calls} calls may mean it" if symbol.possible_calls else "",
        f"its name is in {symbol.mentions} other places" if symbol.mentions else "",
    ]
    doubt = ", ".join(filter(None, texts))
    return f"  ({doubt})" if doubt else ""


def find_unused(
    connection: sqlite3.Connection, path: str = "", *, exported: bool = False, limit: int
) -> UnusedSymbols:
    """Return the symbols below a path that have no incoming edges: likely first, then by size."""
    files = select_files(connection, path)
    code = [file for file in files if LANGUAGES[file.language].symbols]
    read = [file for file in code if LANGUAGES[file.language].relations]
    doubted = {file.path for file in code if not LANGUAGES[file.language].relations}
    own_files = [file for file in read if not file.is_test and not file.is_generated]
    nodes = _without_edges(connection, own_files)
    nodes = [node for node in nodes if not _is_entry(node)]
    nodes = list(_drop_exported(connection, nodes, exported=exported))
    nodes = exclude_implicitly_called(connection, nodes)
    symbols = list(_weigh_evidence(connection, nodes))
    symbols.sort(
        key=lambda symbol: (symbol.confidence != "likely", -symbol.lines, symbol.file, symbol.line)
    )
    return UnusedSymbols(
        path=path,
        symbols=tuple(symbols[:limit]),
        total=len(symbols),
        total_likely=sum(symbol.confidence == "likely" for symbol in symbols),
        unread=len(doubted | {skipped.path for skipped in incomplete_files(connection)}),
        truncated=len(symbols) > limit,
    )


def _without_edges(connection: sqlite3.Connection, files: Iterable[DeclaringFile]) -> list[Node]:
    """Return the symbols that no code outside of them uses, without local symbols of functions.

    A type counts as used if one of its members is used. Definitions with the same qualified name
    share their uses.
    """
    used = read_used_symbols(connection)
    nodes = declarations_in(connection, [file.id for file in files])
    reached = {(node.path, node.qualified) for node in nodes if node.id in used}  # and namesakes
    reached |= {(path, name.rpartition(".")[0]) for path, name in reached}
    kinds = {(node.path, node.qualified): node.kind for node in reversed(nodes)}
    return [
        node
        for node in nodes
        if node.kind in _CHECKED_KINDS
        and (node.path, node.qualified) not in reached
        and not _is_local(node, kinds)
    ]


def _is_local(node: Node, kinds: Mapping[tuple[str, str], str]) -> bool:
    """Tell whether a symbol is local to a function, a member of an object literal, or a setter."""
    parts = node.qualified.split(".")
    owners = [kinds.get((node.path, ".".join(parts[:at]))) for at in range(1, len(parts))]
    literal = node.kind == SymbolKind.METHOD and LANGUAGES[node.language].object_methods
    in_class = bool(owners) and owners[-1] == SymbolKind.CLASS
    return (
        any(owner in CLOSED_SCOPES for owner in owners)
        or (literal and not in_class)
        or node.name.endswith("=")
    )


def _is_entry(node: Node) -> bool:
    special = node.name.startswith("__") and node.name.endswith("__")
    top = "." not in node.qualified
    hook = node.name.lower().startswith(("test", "pytest_"))
    return special or hook or (top and node.name in _ENTRY_NAMES)


def _drop_exported(
    connection: sqlite3.Connection, nodes: Sequence[Node], *, exported: bool
) -> Iterator[Node]:
    """Yield the symbols that are neither registered by a decorator nor exported.

    If `exported` is true, exported symbols are yielded, too.
    """
    public, passed_on = public_ids(connection, nodes), read_reexports(connection)
    for path, group in groupby(nodes, key=lambda node: node.path):
        text = stored_text(connection, path)
        lines = text.split("\n")
        for node in group:
            outermost = node.qualified.partition(".")[0]
            named = outermost in exported_names(node.language, text)
            named = named or (path, outermost) in passed_on
            promised = node.id in public and is_explicitly_public(node, named=named)
            if (exported or not promised) and not _is_registered(node, lines):
                yield node


def _is_registered(node: Node, lines: Sequence[str]) -> bool:
    for line in lines[node.start_line - 1 : node.line - 1]:
        match = _REGISTERED.match(line)
        if match and re.split(r"[.:]+", match.group(1))[-1] not in _PASSIVE_DECORATORS:
            return True
    return False


def _weigh_evidence(
    connection: sqlite3.Connection, nodes: Sequence[Node]
) -> Iterator[UnusedSymbol]:
    calls = count_possible_calls(connection)
    mentions = _NameOccurrences(connection)
    for node in nodes:
        called = calls.get(node.name, 0) if node.kind == SymbolKind.METHOD else 0
        occurrences = mentions.beside(node)
        yield UnusedSymbol(
            file=node.path,
            name=node.qualified,
            kind=node.kind,
            line=node.line,
            lines=node.end_line - node.start_line + 1,
            confidence="possible" if called or occurrences else "likely",
            possible_calls=called,
            mentions=occurrences,
        )


class _NameOccurrences:
    """Counts the occurrences of a symbol's name outside of the symbol's definition."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        indexed = {file.id for file in files_under(connection)}
        by_file = read_identifier_blobs(connection)
        blobs = [blob for file_id, blob in by_file.items() if file_id in indexed]
        every = np.frombuffer(b"".join(blobs), dtype="<u4")
        self._names, self._files = np.unique(every, return_counts=True)

    def beside(self, node: Node) -> int:
        """Count the other files with the name, and the lines with it outside of the definition."""
        own_lines = stored_text(self._connection, node.path).split("\n")
        name_pattern = re.compile(rf"(?<!\w){re.escape(node.name)}(?!\w)")
        outside = [*own_lines[: node.start_line - 1], *own_lines[node.end_line :]]
        return max(0, self._count(node.name) - 1) + sum(
            1 for line in outside if name_pattern.search(line)
        )

    def _count(self, name: str) -> int:
        wanted = np.uint32(name_checksum(name))
        at = int(np.searchsorted(self._names, wanted))
        return int(self._files[at]) if at < len(self._names) and self._names[at] == wanted else 0
