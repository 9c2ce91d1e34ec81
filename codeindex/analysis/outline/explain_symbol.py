"""All that is needed to use a symbol without reading its body."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.outline.declaration import (
    DECLARATION_COLUMNS,
    Declaration,
    ShortDeclaration,
    describe_nodes,
)
from codeindex.analysis.subject import find_symbols
from codeindex.store.graph.links import links_from, links_to, possible_calls
from codeindex.store.symbols.declarations import declarations_in
from codeindex.types import OWNER_KINDS, Neighbor, Node, SymbolKind

if TYPE_CHECKING:
    import sqlite3

MAX_EXPLAINED = 20
"""Definitions that are explained: `__init__` has hundreds."""
_CHILDREN = 60
"""Members that are shown of one definition; `declarations` has them all."""
_USES = 20
"""Names of what a symbol uses that are shown to people; `callees` has them all, with places."""
_CALLERS = 6
"""Callers that are named, of tests only where there are no others; `callers` has them all."""
_DATA = frozenset(
    {SymbolKind.FIELD, SymbolKind.ENUM_MEMBER, SymbolKind.CONSTANT, SymbolKind.VARIABLE}
)


@dataclass(frozen=True, slots=True)
class SymbolExplanation(Declaration):
    """One definition; `used` counts lines by kind of use, `possible` calls that may mean it.

    `callers` are some of the certain ones: `path:line name`.
    """

    module: str
    language: str
    parent: str
    children: tuple[ShortDeclaration, ...]
    total_children: int
    bases: tuple[str, ...]
    subtypes: tuple[str, ...]
    uses: tuple[str, ...]
    callers: tuple[str, ...]
    used: Mapping[str, int]
    possible: int
    declared_at: tuple[str, ...] = ()
    """Prototypes of this function, `path:line`; their uses count as its own."""

    def text(self) -> Iterator[str]:
        doubt = "" if self.public else "  (private)"
        yield f"{self.file}:{self.line}: {self.kind} {self.name}{doubt}"
        yield f"  {self.signature}"
        if self.doc:
            yield from (f"  | {line}" for line in self.doc.splitlines())
        for title, names in (
            ("in", [self.parent] if self.parent else []),
            ("extends", self.bases),
            ("extended by", self.subtypes),
            ("uses", _in_short(self.uses)),
            ("called at", self.callers),
            ("declared at", self.declared_at),
        ):
            if names:
                yield f"  {title}: {', '.join(names)}"
        counts = ", ".join(f"{count} {kind}" for kind, count in self.used.items())
        doubt = f"; {self.possible} more calls may mean it" if self.possible else ""
        yield f"  used: {counts or 'nowhere that is known'}{doubt}"
        yield from (f"  {child.in_short()}" for child in self.children)
        if left := self.total_children - len(self.children):
            yield f"  and {left} more members: `codeindex declarations` has them all"


def _in_short(keys: Sequence[str]) -> list[str]:
    """Return the names of the first of what is used, without paths, and how many are left."""
    names = list(dict.fromkeys(one.rpartition("::")[2] for one in keys))
    more = len(names) - _USES
    return [*names[:_USES], f"{more} more"] if more > 0 else names


@dataclass(frozen=True, slots=True)
class SymbolExplanations:
    """The definitions that a name may mean, best first; `total` counts what a limit left out."""

    name: str
    symbols: tuple[SymbolExplanation, ...]
    total: int
    truncated: bool

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.symbols}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        return DECLARATION_COLUMNS, [one.row() for one in self.symbols]

    def text(self) -> Iterator[str]:
        for one in self.symbols:
            yield from one.text()
        if self.truncated:
            yield f"{self.total - len(self.symbols)} more: name the owner or `path::name`"


def explain_symbols(connection: sqlite3.Connection, name: str) -> SymbolExplanations:
    """Return what is known of each symbol of a name; QueryError names the nearest if none."""
    meant = list(_with_prototypes(find_symbols(connection, name)))
    explained = tuple(_explained(connection, *one) for one in meant[:MAX_EXPLAINED])
    return SymbolExplanations(name, explained, len(meant), len(explained) < len(meant))


def _with_prototypes(nodes: Sequence[Node]) -> Iterator[tuple[Node, list[Node]]]:
    """Yield each symbol with its prototypes: those of its name that are not members of types.

    A method without a body is a symbol of its own, since several types may implement it.
    """
    bodies = {one.qualified for one in nodes if one.has_body and one.kind == SymbolKind.FUNCTION}
    declared = [
        one
        for one in nodes
        if one.qualified in bodies and not one.has_body and one.kind == SymbolKind.FUNCTION
    ]
    claimed: set[str] = set()
    for one in nodes:
        if one in declared:
            continue
        is_first = one.has_body and one.qualified not in claimed
        claimed.update([one.qualified] if is_first else [])
        yield one, [it for it in declared if it.qualified == one.qualified] if is_first else []


def _explained(
    connection: sqlite3.Connection, node: Node, prototypes: Sequence[Node]
) -> SymbolExplanation:
    around = declarations_in(connection, [node.file_id])
    children = [one for one in around if one.qualified.rpartition(".")[0] == node.qualified]
    own, *members = describe_nodes(
        connection, [node, *(one for one in children if one.id != node.id)]
    )
    incoming = links_to(connection, [node.id, *(one.id for one in prototypes)])
    outgoing = links_from(connection, node)
    certain = Counter(one.kind for one in incoming for _ in one.lines)
    names = [node.name] if node.kind not in OWNER_KINDS else []
    possible = possible_calls(connection, names, languages=[node.language])
    documented = next((one.doc for one in prototypes if one.doc), "")
    return SymbolExplanation(
        **asdict(own) | {"doc": own.doc or documented},
        declared_at=tuple(f"{one.path}:{one.line}" for one in prototypes),
        module=node.module,
        language=node.language,
        parent=node.qualified.rpartition(".")[0],
        children=tuple(one.brief() for one in _first(members)),
        total_children=len(members),
        bases=_named(one for one in outgoing if one.kind == "extends"),
        subtypes=_named(one for one in incoming if one.kind == "extends"),
        uses=_named(
            one
            for one in outgoing
            if one.kind == "calls" and one.certainty == "resolved" and one.node
        ),
        callers=_callers(incoming),
        used=dict(certain.most_common()),
        possible=sum(len(one.lines) for one in possible),
    )


def _first(members: Sequence[Declaration]) -> Sequence[Declaration]:
    """Leave out data before functions where there are many members."""
    if len(members) <= _CHILDREN:
        return members
    return sorted(members, key=lambda one: one.kind in _DATA)[:_CHILDREN]


def _callers(links: Iterable[Neighbor]) -> tuple[str, ...]:
    calls = [
        (one.node.is_test, f"{one.node.path}:{one.lines[0]} {one.node.qualified}".rstrip())
        for one in links
        if one.node and one.kind == "calls" and one.certainty == "resolved"
    ]
    own = [place for is_test, place in calls if not is_test]
    return tuple((own or [place for _, place in calls])[:_CALLERS])


def _named(links: Iterator[Neighbor]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.node.key if one.node else one.name for one in links))
