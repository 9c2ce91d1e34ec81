"""Find implementations of an interface, subtypes of a type, or overrides of a method."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from codeindex.analysis.listing_filter import NO_FILTER, ListingFilter
from codeindex.analysis.subject import (
    ResolvedName,
    describe_definitions,
    find_symbols,
    list_definitions,
)
from codeindex.errors import QueryError
from codeindex.graph.dispatch import possible_callees_below, subtypes
from codeindex.languages import LANGUAGES
from codeindex.store.catalog.unparsed_code import incomplete_files
from codeindex.store.graph.edges import edges_to_subtypes
from codeindex.store.symbols.nodes import symbols_by_id
from codeindex.text.short_names import shorten_name
from codeindex.types import (
    CALLABLE_KINDS,
    OWNER_KINDS,
    Certainty,
    Node,
    SymbolKind,
    first_unread,
    unparsed_suffix,
)
from codeindex.types.report import DataReport, Table, make_table, plural

_INTERFACE_KINDS = frozenset({SymbolKind.INTERFACE, SymbolKind.TRAIT})


@dataclass(frozen=True, slots=True)
class Implementer:
    """A type that implements or extends the symbol, or a method that overrides it.

    The certainty is ambiguous if some methods have other types than those of the symbol.
    """

    file: str
    line: int
    name: str
    kind: str
    certainty: Certainty
    is_test: bool
    of: str = ""
    """Key of the implemented definition; '' unless the name has several definitions."""


@dataclass(frozen=True, slots=True)
class Implementers(DataReport):
    """The implementers of a symbol; `total` counts before the limit."""

    symbol: str
    definitions: tuple[ResolvedName, ...]
    implementers: tuple[Implementer, ...]
    total: int
    truncated: bool
    limited_to: str = ""
    """The listing filter as a phrase, such as `, without tests`."""
    unread: int = 0
    """Number of code files that were skipped or parsed only partly, so that implementers may be
    missing."""
    unread_paths: tuple[str, ...] = ()
    """Paths of the first of these files."""
    unread_bases: tuple[str, ...] = ()
    """Languages of the symbol in which the index does not know what extends what."""

    def columns(self) -> Table:
        header = ("file", "line", "kind", "name", "certainty")
        return make_table(self.implementers, header)

    def text(self) -> Iterator[str]:
        cut = f", the first {len(self.implementers)}" if self.truncated else ""
        rest = f"{self.limited_to}{cut}{unparsed_suffix(self.unread, self.unread_paths)}"
        yield f"{self.symbol}: {plural(self.total, 'implementer')}{rest}"
        if self.unread_bases and not self.total:
            yield f"what extends what is not read in {' and '.join(self.unread_bases)} code"
        yield from describe_definitions(self.definitions)
        yield from dict.fromkeys(map(_line_of, self.implementers))


def _line_of(implementer: Implementer) -> str:
    """Return a line of text; it has no name if that is the name of the file."""
    name = shorten_name(implementer.name, implementer.file)
    is_named_by_file = name.rpartition(".")[2] == PurePosixPath(implementer.file).stem
    doubt = "" if implementer.certainty == "resolved" else "  (possible)"
    shown = implementer.kind if is_named_by_file else f"{implementer.kind} {name}"
    return f"{implementer.file}:{implementer.line}: {shown}{doubt}"


def find_implementers(
    connection: sqlite3.Connection, symbol: str, *, limit: int, inside: ListingFilter = NO_FILTER
) -> Implementers:
    """Return the implementers of a symbol in the files that `inside` selects.

    Raise QueryError if nothing can implement the symbol.
    """
    nodes = _find_definitions(connection, symbol)
    rows = inside.kept(list(_implementers(connection, nodes)))
    rows.sort(key=lambda row: (row.certainty != "resolved", row.is_test, row.of))
    languages = sorted({node.language for node in nodes})
    unread = incomplete_files(connection, languages=languages)
    return Implementers(
        symbol=symbol,
        definitions=list_definitions(nodes),
        implementers=tuple(rows[:limit]),
        total=len(rows),
        truncated=len(rows) > limit,
        limited_to=str(inside),
        unread=len(unread),
        unread_paths=first_unread(file.path for file in unread),
        unread_bases=tuple(name for name in languages if not LANGUAGES[name].reads_bases),
    )


def _find_definitions(connection: sqlite3.Connection, symbol: str) -> Sequence[Node]:
    """Return the interfaces and traits with a name; without any, all that can be implemented.

    Raise QueryError if no symbol with the name can be implemented.
    """
    named = find_symbols(connection, symbol)
    nodes = [node for node in named if _can_be_implemented(node) or _is_extended(connection, node)]
    if not nodes:
        raise QueryError(
            f"{symbol!r} is a {named[0].kind}: name an interface, a type or a method of one."
        )
    return [node for node in nodes if node.kind in _INTERFACE_KINDS] or nodes


def _implementers(
    connection: sqlite3.Connection, definitions: Sequence[Node]
) -> Iterator[Implementer]:
    """Yield the implementers of each definition; an item is one line to print."""
    found = [
        (definition, node, certainty)
        for definition in definitions
        for node, certainty in _find_implementing(connection, definition)
    ]
    several = len({definition.id for definition, *_ in found}) > 1
    for definition, node, certainty in found:
        kind, of = _kind(definition, node), definition.key if several else ""
        for line in _lines(connection, definition, node):
            yield Implementer(
                node.path, line, node.qualified, kind, certainty, bool(node.is_test), of
            )


def _kind(definition: Node, node: Node) -> str:
    """Return the kind to print for the implementer `node`, like `class`.

    A function that contains unnamed subtypes has the kind `unnamed type in function`.
    """
    return f"unnamed type in {node.kind}" if _holds_subtypes(definition, node) else node.kind


def _lines(connection: sqlite3.Connection, definition: Node, node: Node) -> Sequence[int]:
    """Return the lines to print for an implementer: the line of its name.

    For a function, they are the lines of the unnamed types in it.
    """
    if not _holds_subtypes(definition, node):
        return (node.line,)
    edges = edges_to_subtypes(connection, [definition.id])
    lines = {line for edge in edges if edge.symbol == node.id for line in edge.at}
    return sorted(lines) or (node.line,)


def _holds_subtypes(definition: Node, node: Node) -> bool:
    """Tell whether an implementer is a function, listed because it contains unnamed subtypes."""
    return definition.kind != SymbolKind.METHOD and node.kind in CALLABLE_KINDS


def _can_be_implemented(node: Node) -> bool:
    return node.kind in OWNER_KINDS or node.kind == SymbolKind.METHOD


def _is_extended(connection: sqlite3.Connection, node: Node) -> bool:
    """Tell whether a node is a module that others implement, like an Elixir behaviour."""
    return node.kind == SymbolKind.MODULE and bool(subtypes(connection, node))


def _find_implementing(
    connection: sqlite3.Connection, node: Node
) -> Iterator[tuple[Node, Certainty]]:
    """Yield (subtype of a type, or override of a method; its certainty)."""
    is_type = node.kind != SymbolKind.METHOD
    grouped: Mapping[int, Certainty] = (
        subtypes(connection, node) if is_type else possible_callees_below(connection, [node])
    )
    return ((node, grouped[node.id]) for node in symbols_by_id(connection, grouped))
