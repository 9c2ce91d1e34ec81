"""Who calls a symbol: certain calls, calls of something unknown, and who hands it on as a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.subject import Meaning, meanings, said_of, symbols_named
from codeindex.store.links import links_to, possible_calls
from codeindex.types import OWNER_KINDS, Certainty, Link, Node, SymbolKind, UseKind

if TYPE_CHECKING:
    import sqlite3

DEFAULT, MOST = 20, 50
_HANDED_ON = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
"""Of the rest, naming is no sign of a call: reading a property or a field is how it is used."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A symbol, or a file outside of any, with the lines of its calls.

    With `handed_on` they only name it, as a value: whoever gets that may call it, unseen.
    """

    file: str
    name: str
    kind: str
    lines: tuple[int, ...]
    certainty: Certainty
    signature: str
    is_test: bool
    handed_on: bool = False


@dataclass(frozen=True, slots=True)
class Callers:
    """`total_*` count what there is, whatever the limit has left of it."""

    symbol: str
    definitions: tuple[Meaning, ...]
    callers: tuple[Caller, ...]
    total_certain: int
    total_ambiguous: int
    truncated: bool

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
        cut = f", the first {len(self.callers)}" if self.truncated else ""
        yield f"{self.symbol}: {counts} callers{cut}"
        yield from said_of(self.definitions)
        for one in self.callers:
            why = "handed on" if one.handed_on else "possible"
            doubt = "" if one.certainty == "resolved" else f"  ({why})"
            also = f"  also in {', '.join(map(str, one.lines[1:]))}" if one.lines[1:] else ""
            yield f"{one.file}:{one.lines[0]}: {one.name or '(top level)'}{also}{doubt}"


def callers(connection: sqlite3.Connection, symbol: str, *, limit: int = DEFAULT) -> Callers:
    """Return who calls `symbol`; QueryError if nothing is called so."""
    meant = symbols_named(connection, symbol)
    certain = links_to(connection, [one.id for one in meant], "calls")
    members = [one for one in meant if one.kind not in OWNER_KINDS]
    functions = [one.id for one in members if one.kind in _HANDED_ON]
    possible = _others(certain, _possible(connection, members))
    handed = _others((*certain, *possible), links_to(connection, functions, "references"))
    links = (*certain, *possible, *handed)
    found = sorted((_caller(link, link.node) for link in links if link.node), key=_order)
    return Callers(
        symbol=symbol,
        definitions=meanings(meant),
        callers=tuple(found[:limit]),
        total_certain=sum(one.certainty == "resolved" for one in found),
        total_ambiguous=sum(one.certainty != "resolved" for one in found),
        truncated=len(found) > limit,
    )


def _order(one: Caller) -> tuple[bool, bool, bool]:
    return one.certainty != "resolved", one.handed_on, one.is_test


def _others(known: Iterable[Link], links: Iterable[Link]) -> list[Link]:
    """Return the links that say something of a line that the known ones do not."""
    lines = {(one.node.key, line) for one in known if one.node for line in one.lines}
    return [
        one
        for one in links
        if one.node and not lines.issuperset((one.node.key, line) for line in one.lines)
    ]


def _possible(connection: sqlite3.Connection, members: Sequence[Node]) -> Iterator[Link]:
    """Yield calls of members of something unknown; only methods are handed on by the object."""
    for handed in (True, False):
        part = [one for one in members if (one.kind == SymbolKind.METHOD) == handed]
        names, languages = {one.name for one in part}, {one.language for one in part}
        yield from possible_calls(connection, names, languages=languages, handed=handed)


def _caller(link: Link, node: Node) -> Caller:
    handed_on = link.kind == UseKind.REFERENCE
    return Caller(
        file=node.path,
        name=node.qualified,
        kind=node.kind,
        lines=link.lines,
        certainty="ambiguous" if handed_on else link.certainty,
        signature=node.signature,
        is_test=bool(node.is_test),
        handed_on=handed_on,
    )
