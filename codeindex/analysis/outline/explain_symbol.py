"""Explain the symbols with a given name: signature, documentation, members, uses, callers."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from codeindex.analysis.outline.declaration import (
    DECLARATION_COLUMNS,
    Declaration,
    ShortDeclaration,
    describe_nodes,
)
from codeindex.analysis.subject import find_symbols
from codeindex.graph.possible_calls import possible_calls_of
from codeindex.store.graph.links import links_from, links_to
from codeindex.store.symbols.declarations import declarations_in
from codeindex.types import Neighbor, Node, SymbolKind
from codeindex.types.report import DataReport, Table, make_table, plural

MAX_EXPLAINED = 20
"""Most definitions that are explained; a name such as `__init__` has hundreds."""
_CHILDREN = 60
"""Most members that are listed of a definition; `declarations` lists all."""
_USES = 20
"""Most used names in printed text; `callees` lists all, with places."""
_CALLERS = 6
"""Most callers that are named; they are tests only if there are no others. `callers` lists all."""
_DATA = frozenset(
    {SymbolKind.FIELD, SymbolKind.ENUM_MEMBER, SymbolKind.CONSTANT, SymbolKind.VARIABLE}
)


@dataclass(frozen=True, slots=True)
class SymbolExplanation(Declaration):
    """What to know about one definition before using it.

    `callers` are some resolved callers, as `path:line name`. `used` counts lines by kind of use.
    `possible` counts lines with calls that match only by name.
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
    """Prototypes of the function, as `path:line`; uses of a prototype count as uses of the
    function."""

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
            ("uses", _shorten_names(self.uses)),
            ("called at", self.callers),
            ("declared at", self.declared_at),
        ):
            if names:
                yield f"  {title}: {', '.join(names)}"
        counts = ", ".join(f"{kind} {count}" for kind, count in self.used.items())
        doubt = f"; {plural(self.possible, 'more call')} may mean it" if self.possible else ""
        yield f"  used: {counts or 'nowhere that is known'}{doubt}"
        yield from (f"  {child.in_short()}" for child in self.children)
        if left := self.total_children - len(self.children):
            yield f"  and {plural(left, 'more member')}: `codeindex declarations` has them all"


def _shorten_names(keys: Sequence[str]) -> list[str]:
    """Return the first keys without their paths; if some are left out, `N more` follows.

    A key is like `a.py::Cart.add`.
    """
    names = list(dict.fromkeys(key.rpartition("::")[2] for key in keys))
    more = len(names) - _USES
    return [*names[:_USES], f"{more} more"] if more > 0 else names


@dataclass(frozen=True, slots=True)
class SymbolExplanations(DataReport):
    """The definitions with a given name, best match first; `total` counts them before the limit."""

    name: str
    symbols: tuple[SymbolExplanation, ...]
    total: int
    truncated: bool

    def columns(self) -> Table:
        return make_table(self.symbols, DECLARATION_COLUMNS)

    def text(self) -> Iterator[str]:
        for explanation in self.symbols:
            yield from explanation.text()
        if self.truncated:
            yield f"{self.total - len(self.symbols)} more: name the owner or `path::name`"


def explain_symbols(connection: sqlite3.Connection, name: str) -> SymbolExplanations:
    """Explain every symbol with a name; if there is none, raise QueryError with similar names."""
    symbols = list(_with_prototypes(find_symbols(connection, name)))
    explained = tuple(_explain(connection, *symbol) for symbol in symbols[:MAX_EXPLAINED])
    return SymbolExplanations(name, explained, len(symbols), len(explained) < len(symbols))


def _with_prototypes(nodes: Sequence[Node]) -> Iterator[tuple[Node, list[Node]]]:
    """Yield (symbol, its prototypes): functions of the same name without a body, as in C headers.

    A method without a body is a symbol of its own, because several types may implement it.
    """
    bodies = {
        node.qualified for node in nodes if node.has_body and node.kind == SymbolKind.FUNCTION
    }
    declared = [
        node
        for node in nodes
        if node.qualified in bodies and not node.has_body and node.kind == SymbolKind.FUNCTION
    ]
    claimed: set[str] = set()
    for symbol in nodes:
        if symbol in declared:
            continue
        is_first = symbol.has_body and symbol.qualified not in claimed
        claimed.update([symbol.qualified] if is_first else [])
        yield (
            symbol,
            [prototype for prototype in declared if prototype.qualified == symbol.qualified]
            if is_first
            else [],
        )


def _explain(
    connection: sqlite3.Connection, node: Node, prototypes: Sequence[Node]
) -> SymbolExplanation:
    around = declarations_in(connection, [node.file_id])
    children = [child for child in around if child.qualified.rpartition(".")[0] == node.qualified]
    own_declaration, *members = describe_nodes(
        connection, [node, *(child for child in children if child.id != node.id)]
    )
    incoming = links_to(connection, [node.id, *(prototype.id for prototype in prototypes)])
    outgoing = links_from(connection, node)
    certain = Counter(link.kind for link in incoming for _ in link.lines)
    possible = possible_calls_of(connection, [node], with_references=False).likely
    documented = next((prototype.doc for prototype in prototypes if prototype.doc), "")
    return SymbolExplanation(
        **asdict(own_declaration) | {"doc": own_declaration.doc or documented},
        declared_at=tuple(f"{prototype.path}:{prototype.line}" for prototype in prototypes),
        module=node.module,
        language=node.language,
        parent=node.qualified.rpartition(".")[0],
        children=tuple(member.brief() for member in _limit_members(members)),
        total_children=len(members),
        bases=_link_names(link for link in outgoing if link.kind == "extends"),
        subtypes=_link_names(link for link in incoming if link.kind == "extends"),
        uses=_link_names(
            link
            for link in outgoing
            if link.kind == "calls" and link.certainty == "resolved" and link.node
        ),
        callers=_callers(incoming),
        used=dict(certain.most_common()),
        possible=sum(len(edge.at) for edge in possible),
    )


def _limit_members(members: Sequence[Declaration]) -> Sequence[Declaration]:
    """Return at most `_CHILDREN` members of a type. Fields and constants are dropped first."""
    if len(members) <= _CHILDREN:
        return members
    return sorted(members, key=lambda declaration: declaration.kind in _DATA)[:_CHILDREN]


def _callers(links: Iterable[Neighbor]) -> tuple[str, ...]:
    calls = [
        (link.node.is_test, f"{link.node.path}:{link.lines[0]} {link.node.qualified}".rstrip())
        for link in links
        if link.node and link.kind == "calls" and link.certainty == "resolved"
    ]
    non_tests = [place for is_test, place in calls if not is_test]
    return tuple((non_tests or [place for _, place in calls])[:_CALLERS])


def _link_names(links: Iterator[Neighbor]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(link.node.key if link.node else link.name for link in links))
