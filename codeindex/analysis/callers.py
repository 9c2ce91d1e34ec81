"""Who calls a symbol: certain calls, and calls of something unknown that may be it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.subject import symbols_named
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
    definitions: tuple[str, ...]
    callers: tuple[Caller, ...]
    total_certain: int
    total_ambiguous: int

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.callers} | {
            one.partition("::")[0] for one in self.definitions
        }

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
        yield f"{self.symbol}: {counts} callers"
        for one in self.callers:
            doubt = "" if one.certainty == "resolved" else "  (possible)"
            for line in one.lines:
                yield f"{one.file}:{line}: {one.name or '(top level)'}{doubt}"


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
        definitions=tuple(one.key for one in meant),
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
