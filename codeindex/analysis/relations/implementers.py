"""What implements an interface, extends a type, or stands in for a method: all, near ones first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.listing_filter import NO_FILTER, ListingFilter
from codeindex.analysis.subject import (
    Definition,
    describe_definitions,
    find_symbols,
    list_definitions,
)
from codeindex.errors import QueryError
from codeindex.graph.dispatch import possible_callees_below, subtypes
from codeindex.store.catalog.unparsed_code import incomplete_files
from codeindex.store.symbols.nodes import symbols_by_id
from codeindex.types import OWNER_KINDS, Certainty, Node, SymbolKind, unparsed_suffix

if TYPE_CHECKING:
    import sqlite3


@dataclass(frozen=True, slots=True)
class Implementer:
    """A type, or a method; ambiguous where some of its methods are written with other types."""

    file: str
    line: int
    name: str
    kind: str
    certainty: Certainty
    is_test: bool
    of: str = ""
    """Which of several definitions it implements."""


@dataclass(frozen=True, slots=True)
class Implementers:
    """`total` counts what there is, whatever the limit has left of it."""

    symbol: str
    definitions: tuple[Definition, ...]
    implementers: tuple[Implementer, ...]
    total: int
    truncated: bool
    limited_to: str = ""
    """The part of the repository that is listed, after a comma (`analysis.within`)."""
    unread: int = 0
    """Files of code that were left out or not wholly parsed (`store.unread`)."""

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.definitions} | {one.file for one in self.implementers}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [
            (one.file, str(one.line), one.kind, one.name, one.certainty)
            for one in self.implementers
        ]
        return ("file", "line", "kind", "name", "certainty"), rows

    def text(self) -> Iterator[str]:
        cut = f", the first {len(self.implementers)}" if self.truncated else ""
        rest = f"{self.limited_to}{cut}{unparsed_suffix(self.unread)}"
        yield f"{self.symbol}: {self.total} implementers{rest}"
        yield from describe_definitions(self.definitions)
        for one in self.implementers:
            doubt = "" if one.certainty == "resolved" else "  (possible)"
            yield f"{one.file}:{one.line}: {one.kind} {one.name}{doubt}"


def find_implementers(
    connection: sqlite3.Connection, symbol: str, *, limit: int, inside: ListingFilter = NO_FILTER
) -> Implementers:
    """Return what implements `symbol`; QueryError if that is nothing that can be implemented."""
    named = find_symbols(connection, symbol)
    meant = [one for one in named if _can_be(one) or _is_extended(connection, one)]
    if not meant:
        raise QueryError(
            f"{symbol!r} is a {named[0].kind}: name an interface, a type or a method of one."
        )
    interfaces = [one for one in meant if one.kind in {SymbolKind.INTERFACE, SymbolKind.TRAIT}]
    meant = interfaces or meant
    found = [(one, node, sure) for one in meant for node, sure in _of(connection, one)]
    several = len({one.id for one, *_ in found}) > 1
    rows = [
        Implementer(
            node.path,
            node.line,
            node.qualified,
            _kind(node),
            sure,
            bool(node.is_test),
            one.key if several else "",
        )
        for one, node, sure in found
    ]
    rows = inside.kept(rows)
    rows.sort(key=lambda one: (one.certainty != "resolved", one.is_test, one.of))
    return Implementers(
        symbol=symbol,
        definitions=list_definitions(meant),
        implementers=tuple(rows[:limit]),
        total=len(rows),
        truncated=len(rows) > limit,
        limited_to=str(inside),
        unread=len(incomplete_files(connection)),
    )


def _kind(node: Node) -> str:
    """Return what implements something: in a function, a type that has no name."""
    return node.kind if _can_be(node) else f"unnamed type in {node.kind}"


def _can_be(node: Node) -> bool:
    return node.kind in OWNER_KINDS or node.kind == SymbolKind.METHOD


def _is_extended(connection: sqlite3.Connection, node: Node) -> bool:
    """Tell whether a module is one that others implement, such as a behaviour of Elixir."""
    return node.kind == SymbolKind.MODULE and bool(subtypes(connection, node))


def _of(connection: sqlite3.Connection, node: Node) -> Iterator[tuple[Node, Certainty]]:
    """Yield the types that extend one, or the methods that stand in for one."""
    is_type = node.kind != SymbolKind.METHOD
    found: Mapping[int, Certainty] = (
        subtypes(connection, node) if is_type else possible_callees_below(connection, [node])
    )
    return ((one, found[one.id]) for one in symbols_by_id(connection, found))
