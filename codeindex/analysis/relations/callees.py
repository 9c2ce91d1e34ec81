"""List the symbols that a symbol calls, in the order of their first calls."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from codeindex.analysis.subject import (
    ResolvedName,
    describe_definitions,
    find_symbols,
    list_definitions,
)
from codeindex.store.graph.links import links_from
from codeindex.text.short_names import shorten_name
from codeindex.types import Certainty, Neighbor, Node
from codeindex.types.report import DataReport, Table, make_table

_MAX_DEFINITIONS = 5
"""Most definitions of a name whose calls are listed; with more, nobody finds the right one."""


@dataclass(frozen=True, slots=True)
class Callee:
    """A called symbol, defined at `file` and `line`; `lines` are the lines of the calls."""

    lines: tuple[int, ...]
    name: str
    file: str
    line: int
    certainty: Certainty
    by: str = ""
    """Key of the calling definition; '' unless the name has several definitions."""
    by_compiler: bool = False
    """Whether a compiler's index confirms each of the lines."""


@dataclass(frozen=True, slots=True)
class Callees(DataReport):
    """What a symbol calls; `total` counts before the limit.

    `outside` counts the called names that are not defined in the repository.
    """

    symbol: str
    definitions: tuple[ResolvedName, ...]
    callees: tuple[Callee, ...]
    total: int
    outside: int
    truncated: bool

    def columns(self) -> Table:
        header = ("lines", "name", "file", "line", "certainty")
        return make_table(self.callees, header)

    def text(self) -> Iterator[str]:
        cut = f", the first {len(self.callees)}" if self.truncated else ""
        compiled = sum(callee.by_compiler for callee in self.callees)
        known = f" (of those shown, {compiled} by a compiler's index)" if compiled else ""
        yield f"{self.symbol}: calls {self.total}{known}{cut}, and {self.outside} outside"
        yield from describe_definitions(self.definitions)
        for callee in self.callees:
            doubt = "" if callee.certainty == "resolved" else "  (possible)"
            lines = ", ".join(map(str, callee.lines))
            name = shorten_name(callee.name, callee.file)
            yield f"{lines}: {name}  {callee.file}:{callee.line}{doubt}"


def find_callees(connection: sqlite3.Connection, symbol: str, *, limit: int) -> Callees:
    """Return what a symbol calls; raise QueryError for an unknown name."""
    nodes = find_symbols(connection, symbol)[:_MAX_DEFINITIONS]
    links = [(node, links_from(connection, node, "calls")) for node in nodes]
    several = len(nodes) > 1
    callees = [
        callee
        for node, calls in links
        for callee in _group_calls(calls, by=node.key if several else "")
    ]
    return Callees(
        symbol=symbol,
        definitions=list_definitions(nodes),
        callees=tuple(callees[:limit]),
        total=len(callees),
        outside=len({link.name for _, calls in links for link in calls if not link.node}),
        truncated=len(callees) > limit,
    )


def _group_calls(links: Sequence[Neighbor], *, by: str) -> Iterator[Callee]:
    """Yield a `Callee` for each called symbol, in the order of the first calls.

    `by` names the calling symbol.
    """
    called: dict[str, tuple[Node, list[Neighbor]]] = {}
    for link in links:
        if link.node:
            called.setdefault(link.node.key, (link.node, []))[1].append(link)
    for node, uses in called.values():
        yield Callee(
            lines=tuple(sorted({line for use in uses for line in use.lines})),
            name=node.qualified,
            file=node.path,
            line=node.line,
            certainty=min((use.certainty for use in uses), key="resolved".__ne__),
            by=by,
            by_compiler=all(set(use.lines) <= set(use.compiler) for use in uses),
        )
