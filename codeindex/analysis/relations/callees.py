"""What a symbol calls, each once, in the order in which it first does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.subject import (
    Definition,
    describe_definitions,
    find_symbols,
    list_definitions,
)
from codeindex.store.graph.links import links_from
from codeindex.types import Certainty, Neighbor, Node

if TYPE_CHECKING:
    import sqlite3

_MEANINGS = 5
"""Definitions of a name of which the calls are listed."""


@dataclass(frozen=True, slots=True)
class Callee:
    """A symbol and the lines of the caller that call it; without a file it is not in here."""

    lines: tuple[int, ...]
    name: str
    file: str
    line: int
    certainty: Certainty
    by: str = ""
    """Which of several callers calls it."""


@dataclass(frozen=True, slots=True)
class Callees:
    """`total` counts what there is; `outside` the calls of what is not in the repository."""

    symbol: str
    definitions: tuple[Definition, ...]
    callees: tuple[Callee, ...]
    total: int
    outside: int
    truncated: bool

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.definitions} | {one.file for one in self.callees}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [
            (",".join(map(str, one.lines)), one.name, one.file, str(one.line), one.certainty)
            for one in self.callees
        ]
        return ("lines", "name", "file", "line", "certainty"), rows

    def text(self) -> Iterator[str]:
        cut = f", the first {len(self.callees)}" if self.truncated else ""
        yield f"{self.symbol}: calls {self.total}{cut}, and {self.outside} outside"
        yield from describe_definitions(self.definitions)
        for one in self.callees:
            doubt = "" if one.certainty == "resolved" else "  (possible)"
            lines = ", ".join(map(str, one.lines))
            yield f"{lines}: {one.name}  {one.file}:{one.line}{doubt}"


def find_callees(connection: sqlite3.Connection, symbol: str, *, limit: int) -> Callees:
    """Return what `symbol` calls; QueryError if nothing is called so."""
    meant = find_symbols(connection, symbol)[:_MEANINGS]
    links = [(node, links_from(connection, node, "calls")) for node in meant]
    several = len(meant) > 1
    found = [
        one for node, calls in links for one in _callees(calls, by=node.key if several else "")
    ]
    return Callees(
        symbol=symbol,
        definitions=list_definitions(meant),
        callees=tuple(found[:limit]),
        total=len(found),
        outside=len({one.name for _, calls in links for one in calls if not one.node}),
        truncated=len(found) > limit,
    )


def _callees(links: Sequence[Neighbor], *, by: str) -> Iterator[Callee]:
    """Yield what is called, with all its lines, by the first of them."""
    called: dict[str, tuple[Node, list[Neighbor]]] = {}
    for one in links:
        if one.node:
            called.setdefault(one.node.key, (one.node, []))[1].append(one)
    for node, uses in called.values():
        yield Callee(
            lines=tuple(sorted({line for one in uses for line in one.lines})),
            name=node.qualified,
            file=node.path,
            line=node.line,
            certainty=min((one.certainty for one in uses), key="resolved".__ne__),
            by=by,
        )
