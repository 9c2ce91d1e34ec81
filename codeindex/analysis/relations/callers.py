"""Who calls a symbol: certain and possible calls, and who hands it on as a value.

Possible are calls through what it stands in for, and calls of something unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from codeindex.analysis.listing_filter import NO_FILTER, ListingFilter
from codeindex.analysis.subject import (
    Definition,
    describe_definitions,
    find_symbols,
    list_definitions,
)
from codeindex.graph.dispatch import possible_callees_above, possible_callees_below
from codeindex.store.catalog.files import stored_text
from codeindex.store.catalog.unparsed_code import incomplete_files
from codeindex.store.graph.adjacency import IncomingLink, incoming_links
from codeindex.store.graph.links import possible_calls
from codeindex.store.graph.overloads import count_overloads_by_line, split_by_certainty
from codeindex.store.symbols.nodes import symbols_by_id
from codeindex.types import (
    OVERLOAD_PREFIX,
    OWNER_KINDS,
    Certainty,
    Neighbor,
    Node,
    SymbolKind,
    UseKind,
    unparsed_suffix,
)

if TYPE_CHECKING:
    import sqlite3

DEFAULT_CALLERS = 20
_HANDED_ON = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
"""Of the rest, naming is no sign of a call: reading a property or a field is how it is used."""
_IMPLEMENTATIONS = 10
"""Methods behind one of an interface that are named; `find` in mode implementers has them all."""
_WIDTH = 160
"""Characters of a line that are shown."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A symbol, or a file outside of any, with the lines of its calls and the text of the first.

    With `handed_on` they only name it, as a value: whoever gets that may call it, unseen. `through`
    is the method of a supertype or interface that they call, `of` the definition, if it is one of
    several.
    """

    file: str
    lines: tuple[int, ...]
    text: str
    name: str
    kind: str
    certainty: Certainty
    is_test: bool
    handed_on: bool = False
    through: str = ""
    of: str = ""


@dataclass(frozen=True, slots=True)
class Callers:
    """`total_*` count what there is, whatever the limit has left of it.

    `through` counts calls of methods that the symbol stands in for, `implementations` are the
    methods that stand in for the symbol: a call of it may run them.
    """

    symbol: str
    definitions: tuple[Definition, ...]
    callers: tuple[Caller, ...]
    total_certain: int
    total_ambiguous: int
    through: Mapping[str, int]
    implementations: tuple[Definition, ...]
    total_implementations: int
    truncated: bool
    limited_to: str = ""
    """The part of the repository that is listed, after a comma (`analysis.within`)."""
    unread: int = 0
    """Files of code that were left out or not wholly parsed (`store.unread`)."""

    @property
    def paths(self) -> set[str]:
        named = (*self.definitions, *self.implementations)
        return {one.file for one in named} | {one.file for one in self.callers}

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
        yield f"{self.symbol}: {counts} callers{self.limited_to}{cut}{unparsed_suffix(self.unread)}"
        yield from describe_definitions(self.definitions)
        for name, count in self.through.items():
            yield f"  {count} through {name}"
        if self.implementations:
            yield f"  {self.total_implementations} implementations, which its callers may run:"
            yield from (f"    {one.file}:{one.line} {one.name}" for one in self.implementations)
        for one in self.callers:
            also = f"  also in {', '.join(map(str, one.lines[1:]))}" if one.lines[1:] else ""
            yield f"{one.file}:{one.lines[0]}: {one.name or '(top level)'}{also}{_doubt(one)}"


def _doubt(one: Caller) -> str:
    if one.certainty == "resolved":
        return ""
    why = f"through {one.through}" if one.through else "possible"
    return "  (handed on)" if one.handed_on else f"  ({why})"


def find_callers(
    connection: sqlite3.Connection,
    symbol: str,
    *,
    limit: int = DEFAULT_CALLERS,
    inside: ListingFilter = NO_FILTER,
) -> Callers:
    """Return who calls `symbol`, tests as far as they fit; QueryError if nothing is called so."""
    meant = find_symbols(connection, symbol)
    direct = list(_direct(connection, meant, "calls"))
    through = _others(direct, _through(connection, meant))
    members = [one for one in meant if one.kind not in OWNER_KINDS]
    possible = _others((*direct, *through), _possible(connection, members))
    functions = [one for one in members if one.kind in _HANDED_ON]
    handed = _others((*direct, *through, *possible), _direct(connection, functions, "references"))
    found = inside.kept((*direct, *through, *possible, *handed))
    kept = sorted(found, key=lambda one: (one.is_test, _order(one)))[:limit]
    behind = symbols_by_id(connection, possible_callees_below(connection, meant))
    return Callers(
        symbol=symbol,
        definitions=list_definitions(meant),
        callers=tuple(_with_text(connection, sorted(kept, key=_order))),
        total_certain=sum(one.certainty == "resolved" for one in found),
        total_ambiguous=sum(one.certainty != "resolved" for one in found),
        through=dict(Counter(one.through for one in found if one.through).most_common()),
        implementations=list_definitions(behind[:_IMPLEMENTATIONS]),
        total_implementations=len(behind),
        truncated=len(found) > limit,
        limited_to=str(inside),
        unread=len(incomplete_files(connection)),
    )


def _order(one: Caller) -> tuple[bool, bool, bool, bool]:
    return one.certainty != "resolved", one.handed_on, not one.through, one.is_test


def _direct(connection: sqlite3.Connection, meant: Sequence[Node], kind: str) -> Iterator[Caller]:
    """Yield the uses of symbols; of several symbols, each says of which."""
    keys = {one.id: one.key for one in meant}
    arrows = [one for one in incoming_links(connection, keys) if one.link.kind == kind]
    found = [
        _caller(link, link.node, of=keys[symbol] if symbol and len(keys) > 1 else "")
        for symbol, link in _settled(arrows)
        if link.node
    ]
    yield from sorted(found, key=lambda one: (one.file, one.lines))


def _settled(arrows: Sequence[IncomingLink]) -> Iterator[tuple[int, Neighbor]]:
    """Yield links with what they are of; 0 and once where all overloads are meant together."""
    counts = count_overloads_by_line(
        (one.link.node, one.link.lines, one.link.name) for one in arrows
    )
    known: set[tuple[Node | None, tuple[int, ...]]] = set()
    for symbol, _, link in arrows:
        if not link.name.startswith(OVERLOAD_PREFIX):
            yield symbol, link
            continue
        sure, others = map(tuple, split_by_certainty((link.node, link.lines, link.name), counts))
        if sure and (link.node, sure) not in known:
            known.add((link.node, sure))
            yield 0, link._replace(lines=sure, certainty="resolved")
        if others:
            yield symbol, link._replace(lines=others)


def _through(connection: sqlite3.Connection, meant: Sequence[Node]) -> Iterator[Caller]:
    """Yield calls of what the symbols stand in for: which of its subtypes runs is not known."""
    for node in symbols_by_id(connection, possible_callees_above(connection, meant)):
        for one in _direct(connection, [node], "calls"):
            yield replace(one, certainty="ambiguous", through=node.key)


def _others(known: Iterable[Caller], found: Iterable[Caller]) -> list[Caller]:
    """Return the callers that say something of a line that the known ones do not."""
    lines = {(one.file, one.name, line) for one in known for line in one.lines}
    return [
        one
        for one in found
        if not lines.issuperset((one.file, one.name, line) for line in one.lines)
    ]


def _possible(connection: sqlite3.Connection, members: Sequence[Node]) -> Iterator[Caller]:
    """Yield calls of members of something unknown; only methods are handed on by the object."""
    for handed in (True, False):
        part = [one for one in members if (one.kind == SymbolKind.METHOD) == handed]
        names, languages = {one.name for one in part}, {one.language for one in part}
        for link in possible_calls(connection, names, languages=languages, handed=handed):
            if link.node:
                yield _caller(link, link.node)


def _caller(link: Neighbor, node: Node, *, of: str = "") -> Caller:
    handed_on = link.kind == UseKind.REFERENCE
    return Caller(
        file=node.path,
        lines=link.lines,
        text="",
        name=node.qualified,
        kind=node.kind,
        certainty="ambiguous" if handed_on else link.certainty,
        is_test=bool(node.is_test),
        handed_on=handed_on,
        of=of,
    )


def _with_text(connection: sqlite3.Connection, found: Sequence[Caller]) -> Iterator[Caller]:
    """Add what their first lines say, each file read once."""
    texts = {
        path: stored_text(connection, path).split("\n") for path in {one.file for one in found}
    }
    for one in found:
        line = "".join(texts[one.file][one.lines[0] - 1 : one.lines[0]]).strip()
        yield replace(one, text=line if len(line) <= _WIDTH else f"{line[:_WIDTH]}…")
