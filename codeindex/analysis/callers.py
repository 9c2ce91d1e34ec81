"""Who calls a symbol: certain calls, and calls of something unknown that may be it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.subject import Meaning, meanings, said_of, symbols_named
from codeindex.store.links import links_to, possible_calls
from codeindex.types import OWNER_KINDS, Certainty, Link, Node

if TYPE_CHECKING:
    import sqlite3

DEFAULT, MOST = 20, 50


@dataclass(frozen=True, slots=True)
class Caller:
    """A symbol, or a file outside of any, with the lines of its calls."""

    file: str
    name: str
    kind: str
    lines: tuple[int, ...]
    certainty: Certainty
    signature: str
    is_test: bool


@dataclass(frozen=True, slots=True)
class Callers:
    """`total_*` count what there is, whatever the limit has left of it."""

    symbol: str
    definitions: tuple[Meaning, ...]
    callers: tuple[Caller, ...]
    total_certain: int
    total_ambiguous: int

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.definitions} | {one.file for one in self.callers}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [
            (one.file, ",".join(map(str, one.lines)), one.kind, one.name or "-", one.certainty)
            for one in self.callers
        ]
        return ("file", "lines", "kind", "name", "certainty"), rows

    def text(self) -> Iterator[str]:
        counts = f"{self.total_certain} certain, {self.total_ambiguous} possible"
        shown = len(self.callers)
        left = self.total_certain + self.total_ambiguous - shown
        yield f"{self.symbol}: {counts} callers{f', the first {shown}' if left else ''}"
        yield from said_of(self.definitions)
        for one in self.callers:
            doubt = "" if one.certainty == "resolved" else "  (possible)"
            also = f"  also in {', '.join(map(str, one.lines[1:]))}" if one.lines[1:] else ""
            yield f"{one.file}:{one.lines[0]}: {one.name or '(top level)'}{also}{doubt}"


def callers(connection: sqlite3.Connection, symbol: str, *, limit: int = DEFAULT) -> Callers:
    """Return who calls `symbol`; QueryError if nothing is called so."""
    meant = symbols_named(connection, symbol)
    certain = links_to(connection, [one.id for one in meant], "calls")
    names = {one.name for one in meant if one.kind not in OWNER_KINDS}
    known = {(one.node.key, line) for one in certain if one.node for line in one.lines}
    possible = [
        one
        for one in possible_calls(connection, names, languages={one.language for one in meant})
        if one.node and not known.issuperset((one.node.key, line) for line in one.lines)
    ]
    found = [_caller(link, link.node) for link in (*certain, *possible) if link.node]
    return Callers(
        symbol=symbol,
        definitions=meanings(meant),
        callers=tuple(sorted(found, key=lambda one: (one.certainty != "resolved", one.is_test)))[
            :limit
        ],
        total_certain=sum(one.certainty == "resolved" for one in found),
        total_ambiguous=sum(one.certainty != "resolved" for one in found),
    )


def _caller(link: Link, node: Node) -> Caller:
    return Caller(
        file=node.path,
        name=node.qualified,
        kind=node.kind,
        lines=link.lines,
        certainty=link.certainty,
        signature=node.signature,
        is_test=bool(node.is_test),
    )
