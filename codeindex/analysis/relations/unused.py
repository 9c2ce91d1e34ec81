"""Symbols that nothing is known to use: candidates for removal, with what speaks against it.

Nothing is listed that other code may reach without naming it here: what is exported, tests and
entry points, special names, decorated functions, and methods that stand in for those of a base.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from codeindex.analysis.file_selection import select_files
from codeindex.analysis.relations.implicit_calls import exclude_implicitly_called
from codeindex.analysis.visibility import (
    CLOSED_SCOPES,
    ECMASCRIPT,
    exported_names,
    is_explicitly_public,
    public_ids,
)
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.files import stored_text
from codeindex.store.catalog.unparsed_code import incomplete_files
from codeindex.store.symbols.declarations import FileRow, declarations_in, files_under
from codeindex.text.words import name_checksum
from codeindex.types import OWNER_KINDS, Node, SymbolKind

if TYPE_CHECKING:
    import sqlite3

_KINDS = (OWNER_KINDS - {SymbolKind.IMPL}) | {
    SymbolKind.FUNCTION,
    SymbolKind.METHOD,
    SymbolKind.CONSTANT,
    SymbolKind.MACRO,
}
"""Fields and properties are left out: that one is read is not known where its owner is not."""
_ENTRY = frozenset({"main", "init", "setup", "teardown", "run", "default", "conftest"})
_REGISTERED = re.compile(r"^\s*(?:@|#\[|\[)\s*([\w.:]+)")
_PASSIVE = frozenset(
    {"staticmethod", "classmethod", "property", "cached_property", "abstractmethod", "override"}
    | {"final", "overload", "wraps", "cache", "lru_cache", "contextmanager", "dataclass"}
    | {"asynccontextmanager", "total_ordering", "deprecated", "Deprecated", "Override"}
    | {"SuppressWarnings", "SafeVarargs", "inline", "cold", "must_use", "derive", "allow", "doc"}
)
"""Decorators and attributes that do not hand a definition to anybody."""

UnusedConfidence = Literal["likely", "possible"]


@dataclass(frozen=True, slots=True)
class UnusedSymbol:
    """`likely` if even its name is nowhere else; `possible` where calls or words may mean it."""

    file: str
    name: str
    kind: str
    line: int
    lines: int
    confidence: UnusedConfidence
    possible_calls: int
    mentions: int


@dataclass(frozen=True, slots=True)
class UnusedSymbols:
    """An estimate; `unread` counts files of code whose uses are not known, or not all."""

    path: str
    symbols: tuple[UnusedSymbol, ...]
    total: int
    total_likely: int
    unread: int
    truncated: bool
    estimate: bool = True

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.symbols}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [
            (one.file, str(one.line), one.kind, one.name, one.confidence) for one in self.symbols
        ]
        return ("file", "line", "kind", "name", "confidence"), rows

    def text(self) -> Iterator[str]:
        yield (
            f"{self.total} symbols that nothing is known to use, {self.total_likely} of them named"
            " nowhere else that is read: an estimate"
        )
        if self.unread:
            yield f"{self.unread} files of code may use them: left out, or not wholly understood"
        for one in self.symbols:
            yield f"{one.file}:{one.line}: {one.kind} {one.name}{_doubt(one)}"


def _doubt(one: UnusedSymbol) -> str:
    said = [
        f"{one.possible_calls} calls may mean it" if one.possible_calls else "",
        f"its name is in {one.mentions} other places" if one.mentions else "",
    ]
    doubt = ", ".join(filter(None, said))
    return f"  ({doubt})" if doubt else ""


def find_unused(
    connection: sqlite3.Connection, path: str = "", *, exported: bool = False, limit: int
) -> UnusedSymbols:
    """Return what has no edge to it below a place, likely ones first, big ones before small."""
    files = select_files(connection, path)
    code = [one for one in files if LANGUAGES[one.language].symbols]
    read = [one for one in code if LANGUAGES[one.language].relations]
    doubted = {one.path for one in code if not LANGUAGES[one.language].relations}
    own = [one for one in read if not one.is_test and not one.is_generated]
    nodes = _without_edges(connection, own)
    nodes = [one for one in nodes if not _is_entry(one)]
    nodes = list(_unpromised(connection, nodes, exported=exported))
    nodes = exclude_implicitly_called(connection, nodes)
    found = list(_weighed(connection, nodes))
    found.sort(key=lambda one: (one.confidence != "likely", -one.lines, one.file, one.line))
    return UnusedSymbols(
        path=path,
        symbols=tuple(found[:limit]),
        total=len(found),
        total_likely=sum(one.confidence == "likely" for one in found),
        unread=len(doubted | {one.path for one in incomplete_files(connection)}),
        truncated=len(found) > limit,
    )


def _without_edges(connection: sqlite3.Connection, files: Iterable[FileRow]) -> list[Node]:
    """Return what no edge leads to but from within itself, apart from what functions define.

    A type is used if a member is, and so is a definition if one of the same name in its place is.
    """
    used = {
        target
        for (target,) in connection.execute(
            "SELECT DISTINCT e.target_symbol FROM edges e JOIN symbols t ON t.id = e.target_symbol"
            " LEFT JOIN symbols s ON s.id = e.source_symbol"
            " WHERE e.kind IN ('calls', 'references', 'extends', 'imports')"
            " AND (s.id IS NULL OR s.file_id != t.file_id OR s.qualified != t.qualified"
            " AND substr(s.qualified, 1, length(t.qualified) + 1) != t.qualified || '.')"
        )
    }
    nodes = declarations_in(connection, [one.id for one in files])
    reached = {(one.path, one.qualified) for one in nodes if one.id in used}  # and their twins
    reached |= {(path, name.rpartition(".")[0]) for path, name in reached}
    kinds = {(one.path, one.qualified): one.kind for one in reversed(nodes)}
    return [
        one
        for one in nodes
        if one.kind in _KINDS
        and (one.path, one.qualified) not in reached
        and not _is_somebodys(one, kinds)
    ]


def _is_somebodys(node: Node, kinds: Mapping[tuple[str, str], str]) -> bool:
    """Tell what a function keeps for itself, a literal hands on, or an assignment calls."""
    parts = node.qualified.split(".")
    owners = [kinds.get((node.path, ".".join(parts[:at]))) for at in range(1, len(parts))]
    literal = node.kind == SymbolKind.METHOD and node.language in ECMASCRIPT
    in_class = bool(owners) and owners[-1] == SymbolKind.CLASS
    return (
        any(one in CLOSED_SCOPES for one in owners)
        or (literal and not in_class)
        or node.name.endswith("=")
    )


def _is_entry(node: Node) -> bool:
    special = node.name.startswith("__") and node.name.endswith("__")
    top = "." not in node.qualified
    hook = node.name.lower().startswith(("test", "pytest_"))
    return special or hook or (top and node.name in _ENTRY)


def _unpromised(
    connection: sqlite3.Connection, nodes: Sequence[Node], *, exported: bool
) -> Iterator[Node]:
    """Leave out what is exported, unless that is asked for, and what a decorator hands on."""
    public, passed_on = public_ids(connection, nodes), _passed_on(connection)
    for path, group in groupby(nodes, key=lambda one: one.path):
        text = stored_text(connection, path)
        lines = text.split("\n")
        for node in group:
            outermost = node.qualified.partition(".")[0]
            named = outermost in exported_names(node.language, text)
            named = named or (path, outermost) in passed_on
            promised = node.id in public and is_explicitly_public(node, named=named)
            if (exported or not promised) and not _is_handed_on(node, lines):
                yield node


def _passed_on(connection: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """Return what a package's `__init__` takes from its modules: who imports it finds it there."""
    rows = connection.execute(
        "SELECT f.path, s.qualified FROM edges e JOIN files i ON i.id = e.source_file"
        " JOIN symbols s ON s.id = e.target_symbol JOIN files f ON f.id = s.file_id"
        " WHERE e.kind = 'imports' AND '/' || i.path GLOB '*/__init__.py'"
    )
    return frozenset(rows)


def _is_handed_on(node: Node, lines: Sequence[str]) -> bool:
    for line in lines[node.start_line - 1 : node.line - 1]:
        found = _REGISTERED.match(line)
        if found and re.split(r"[.:]+", found.group(1))[-1] not in _PASSIVE:
            return True
    return False


def _weighed(connection: sqlite3.Connection, nodes: Sequence[Node]) -> Iterator[UnusedSymbol]:
    calls = dict(
        connection.execute(
            "SELECT target_name, count(*) FROM edges"
            " WHERE target_file IS NULL AND certainty = 'ambiguous' GROUP BY 1"
        ).fetchall()
    )
    mentions = _Mentions(connection)
    for node in nodes:
        called = calls.get(node.name, 0) if node.kind == SymbolKind.METHOD else 0
        said = mentions.beside(node)
        yield UnusedSymbol(
            file=node.path,
            name=node.qualified,
            kind=node.kind,
            line=node.line,
            lines=node.end_line - node.start_line + 1,
            confidence="possible" if called or said else "likely",
            possible_calls=called,
            mentions=said,
        )


class _Mentions:
    """Where a name is said beside its definition, whatever it means there."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        files = [one.id for one in files_under(connection)]
        rows = connection.execute("SELECT id, identifiers FROM files")
        blobs = [blob for one, blob in rows if one in set(files)]
        every = np.frombuffer(b"".join(blobs), dtype="<u4")
        self._names, self._files = np.unique(every, return_counts=True)

    def beside(self, node: Node) -> int:
        """Count other files that say the name, and lines of its own outside of the definition."""
        own = stored_text(self._connection, node.path).split("\n")
        said = re.compile(rf"(?<!\w){re.escape(node.name)}(?!\w)")
        outside = [*own[: node.start_line - 1], *own[node.end_line :]]
        return max(0, self._count(node.name) - 1) + sum(1 for line in outside if said.search(line))

    def _count(self, name: str) -> int:
        wanted = np.uint32(name_checksum(name))
        at = int(np.searchsorted(self._names, wanted))
        return int(self._files[at]) if at < len(self._names) and self._names[at] == wanted else 0
