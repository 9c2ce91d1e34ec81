"""Report everything that depends on a symbol or file, and the tests to run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from codeindex.analysis.focus import Focus, resolve_focus
from codeindex.analysis.relations.tests_to_run import TestFile, select_tests_to_run
from codeindex.analysis.subject import Definition, describe_definitions, list_definitions
from codeindex.graph.dispatch import called_by
from codeindex.store.catalog.unparsed_code import partly_known
from codeindex.store.graph.adjacency import Arrow, arrows_to, carried_by
from codeindex.store.graph.links import links_to, possible_calls
from codeindex.store.graph.unresolved_references import possible_arrows
from codeindex.types import OWNER_KINDS, USE_KINDS, Certainty, Link, Node, may_lack
from codeindex.types.report import DataReport, Table

if TYPE_CHECKING:
    import sqlite3

DEFAULT_DEPENDANTS, MAX_DEPENDANTS = 50, 1000
MAX_DEPTH = 20
"""Steps; real chains of uses end before, and each step reads the edges of a whole level."""

_TESTS = 20
"""Test files that are listed; with more than these one runs all tests."""
_DEPENDING = frozenset({*USE_KINDS, "constructs", "assigns", "contains"})
"""Kinds of links that pass on a change; a mention in a document does not."""

NodeKey = tuple[int, int]
"""The id of a symbol, or of a file; the other is 0."""


@dataclass(frozen=True, slots=True)
class ChainStep:
    """A use by a symbol; `name` is '' for a file at top level."""

    file: str
    line: int
    name: str
    kind: str
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class Dependant:
    """A symbol or file that depends on the subject; `how` is the kind of its use in `lines`.

    `chain` are the steps from the subject's direct user on; `via` is the last one.
    """

    file: str
    name: str
    kind: str
    lines: tuple[int, ...]
    how: str
    distance: int
    certainty: Certainty
    is_test: bool
    via: str
    chain: tuple[ChainStep, ...]


@dataclass(frozen=True, slots=True)
class Impact(DataReport):
    """`total_*` count dependants and `files` their files, before the limit."""

    subject: str
    definitions: tuple[Definition, ...]
    dependants: tuple[Dependant, ...]
    tests: tuple[TestFile, ...]
    total_certain: int
    total_possible: int
    total_tests: int
    files: int
    truncated: bool
    unread: int = 0
    """Code files that were skipped or parsed in part: dependants may be missing."""

    def columns(self) -> Table:
        rows = [
            (
                dependant.file,
                ",".join(map(str, dependant.lines)),
                dependant.name or "-",
                str(dependant.distance),
                dependant.certainty,
            )
            for dependant in self.dependants
        ]
        return ("file", "lines", "name", "distance", "certainty"), rows

    def text(self) -> Iterator[str]:
        yield (
            f"{self.subject}: {self.total_certain} certain, {self.total_possible} possible"
            f" dependants in {self.files} files, {self.total_tests} test files"
            f"{may_lack(self.unread)}"
        )
        yield from describe_definitions(self.definitions)
        for dependant in self.dependants:
            doubt = "" if dependant.certainty == "resolved" else "  (possible)"
            way = " < ".join(step.name or step.file for step in reversed(dependant.chain))
            via = f"  via {way}" if way else ""
            also = (
                f"  also in {', '.join(map(str, dependant.lines[1:]))}"
                if dependant.lines[1:]
                else ""
            )
            yield (
                f"{dependant.file}:{dependant.lines[0]}:"
                f" {dependant.name or '(top level)'}{also}{via}{doubt}"
            )
        for test in self.tests:
            yield f"run {test.file}"


class ReachedNode(NamedTuple):
    """A dependant as it was found: by which use of what."""

    node: Node
    link: Link
    origin: NodeKey
    distance: int
    certainty: Certainty

    def with_link(self, link: Link) -> ReachedNode:
        """Add the lines of a further use of the same."""
        lines = tuple(sorted({*self.link.lines, *link.lines}))
        return self._replace(link=self.link._replace(lines=lines))


def find_impact(
    connection: sqlite3.Connection,
    subject: str,
    *,
    depth: int = MAX_DEPTH,
    limit: int = DEFAULT_DEPENDANTS,
) -> Impact:
    """Return the dependants of a symbol or file; QueryError for an unknown name."""
    focus = resolve_focus(connection, subject)
    reached = find_dependants(connection, focus, depth=depth)
    ordered = sorted(
        reached.values(),
        key=lambda reached_node: (
            reached_node.certainty != "resolved",
            reached_node.distance,
            reached_node.node.is_test,
            reached_node.node.key,
        ),
    )
    tests = select_tests_to_run(connection, focus, reached.values())
    certain = sum(reached_node.certainty == "resolved" for reached_node in ordered)
    return Impact(
        subject=subject,
        definitions=list_definitions(focus.nodes),
        dependants=tuple(_dependant(reached_node, reached) for reached_node in ordered[:limit]),
        tests=tuple(tests[: min(limit, _TESTS)]),
        total_certain=certain,
        total_possible=len(ordered) - certain,
        total_tests=len(tests),
        files=len({reached_node.node.file_id for reached_node in ordered}),
        truncated=len(ordered) > limit or len(tests) > min(limit, _TESTS),
        unread=len(partly_known(connection)),
    )


def find_dependants(
    connection: sqlite3.Connection, focus: Focus, *, depth: int = MAX_DEPTH
) -> dict[NodeKey, ReachedNode]:
    """Return who depends on a focus, each by its shortest way, certain ways before possible."""
    inside: set[NodeKey] = {(number, 0) for number in focus.inside} | {
        (0, file) for file in focus.files
    }
    reached: dict[NodeKey, ReachedNode] = {}
    _follow(connection, dict.fromkeys(inside, 0), inside, reached, depth, certain=True)
    for link in _possible(connection, focus):
        node = link.node
        if node is None or _key(node) in inside:
            continue
        earlier = reached.get(_key(node))
        if earlier is None:
            reached[_key(node)] = ReachedNode(node, link, (0, 0), 1, "ambiguous")
        elif earlier.distance == 1 and earlier.certainty == "ambiguous":
            reached[_key(node)] = earlier.with_link(link)
    starts = dict.fromkeys(inside, 0) | {
        key: reached_node.distance
        for key, reached_node in reached.items()
        if reached_node.link.kind != "imports"
    }
    _follow(connection, starts, inside, reached, depth, certain=False)
    using = {
        reached_node.node.file_id
        for reached_node in reached.values()
        if reached_node.link.kind != "imports"
    }
    return {
        key: reached_node
        for key, reached_node in reached.items()
        if reached_node.link.kind != "imports" or reached_node.node.file_id not in using
    }


def _follow(
    connection: sqlite3.Connection,
    starts: dict[NodeKey, int],
    inside: set[NodeKey],
    reached: dict[NodeKey, ReachedNode],
    depth: int,
    *,
    certain: bool,
) -> None:
    """Go on from `starts`, which have been reached at these distances, level by level."""
    waiting = dict(starts)
    for distance in range(depth):
        level = [key for key, at in waiting.items() if at == distance]
        arrows = _arrows(connection, level, certain=certain)
        for arrow in sorted(arrows, key=_imports_last):
            node = arrow.link.node
            if node is None or arrow.link.kind not in _DEPENDING:
                continue
            key = _key(node)
            sure: Certainty = "resolved" if certain else "ambiguous"
            if (earlier := reached.get(key)) and earlier[2:] == (arrow[:2], distance + 1, sure):
                reached[key] = earlier.with_link(arrow.link)
            if key in inside or earlier:
                continue
            reached[key] = ReachedNode(node, arrow.link, arrow[:2], distance + 1, sure)
            if arrow.link.kind != "imports":
                waiting[key] = distance + 1


def _arrows(
    connection: sqlite3.Connection, level: Iterable[NodeKey], *, certain: bool
) -> Iterator[Arrow]:
    """Yield the uses of a level, and what runs a part of it without naming it."""
    keys = list(level)
    symbols = [number for number, _ in keys if number]
    for arrow in arrows_to(connection, symbols, [number for _, number in keys if number]):
        if arrow.link.certainty == "resolved" or not certain:
            yield arrow
    yield from carried_by(connection, symbols)
    if not certain:
        yield from possible_arrows(connection, symbols, most=1)


def _imports_last(arrow: Arrow) -> bool:
    """Sort so that what is both imported and used counts as used."""
    return arrow.link.kind == "imports"


def _possible(connection: sqlite3.Connection, focus: Focus) -> list[Link]:
    """Return calls of what the named ones stand in for, and calls on something unknown.

    Those are of what was named, or of a member named like no other.
    """
    names = {symbol.name for symbol in focus.nodes if symbol.id and symbol.kind not in OWNER_KINDS}
    for file_id in {symbol.file_id for symbol in focus.nodes}:
        rows = connection.execute(_ONLY_ONES, (file_id,))
        names.update(name for symbol, name in rows if symbol in focus.inside)
    before = called_by(connection, focus.nodes)
    through = [symbol for symbol in links_to(connection, before, "calls") if symbol.node]
    return [
        *(symbol._replace(certainty="ambiguous") for symbol in through),
        *possible_calls(connection, names, languages={symbol.language for symbol in focus.nodes}),
    ]


_ONLY_ONES = (
    "SELECT s.id, s.name FROM symbols s WHERE s.file_id = ? AND instr(s.qualified, '.')"
    " AND 1 = (SELECT count(*) FROM symbols o WHERE o.folded = s.folded)"
)


def _key(node: Node) -> NodeKey:
    return (node.id, 0) if node.id else (0, node.file_id)


def _dependant(reached_node: ReachedNode, reached: dict[NodeKey, ReachedNode]) -> Dependant:
    chain = [reached_node]
    while chain[-1].origin in reached:
        chain.append(reached[chain[-1].origin])
    steps = tuple(
        ChainStep(
            it.node.path, it.link.lines[0], it.node.qualified, it.link.kind, it.link.certainty
        )
        for it in reversed(chain[1:])
    )
    return Dependant(
        file=reached_node.node.path,
        name=reached_node.node.qualified,
        kind=reached_node.node.kind,
        lines=reached_node.link.lines,
        how=reached_node.link.kind,
        distance=reached_node.distance,
        certainty=reached_node.certainty,
        is_test=bool(reached_node.node.is_test),
        via=(steps[-1].name or steps[-1].file) if steps else "",
        chain=steps,
    )
