"""What a change may break: everything that depends on a symbol or file, near ones first.

Users of users are followed breadth first, first through certain uses alone, then through possible
ones. A file that imports and does nothing else is listed but not followed: it need not use it.
Calls of something unknown count by their names: for the subject all of them, further on those of
names that one method has, since by others everything may be meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from codeindex.analysis.focus import Focus, resolve_focus
from codeindex.analysis.relations.tests_to_run import TestFile, select_tests_to_run
from codeindex.analysis.subject import Definition, describe_definitions, list_definitions
from codeindex.graph.dispatch import possible_callees_above
from codeindex.store.catalog.unparsed_code import incomplete_files
from codeindex.store.graph.adjacency import IncomingLink, implicit_users, incoming_links
from codeindex.store.graph.links import links_to, possible_calls
from codeindex.store.graph.unresolved_references import possible_incoming_links
from codeindex.types import OWNER_KINDS, USE_KINDS, Certainty, Neighbor, Node, unparsed_suffix

if TYPE_CHECKING:
    import sqlite3

DEFAULT_DEPENDANTS = 50
MAX_DEPTH = 20
"""Steps; real chains of uses end before, and each step reads the edges of a whole level."""

_TESTS = 20
"""Test files that are named: whoever has more to run runs all."""
_DEPENDING = frozenset({*USE_KINDS, "constructs", "assigns", "contains"})
"""Kinds of links that pass on a change; a mention in a document does not."""

NodeKey = tuple[int, int]
"""The id of a symbol, or of a file; the other is 0."""


@dataclass(frozen=True, slots=True)
class ChainStep:
    """A use: `name` in `file`, nothing for the file itself, in its line."""

    file: str
    line: int
    name: str
    kind: str
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class Dependant:
    """Who depends on the subject, in which lines and how.

    `chain` are the steps between, from the subject's user on; `via` is the last of them.
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
class Impact:
    """`total_*` count dependants, `files` their files, whatever the limit has left of them."""

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
    """Files of code that were left out or not wholly parsed (`store.unread`)."""

    @property
    def paths(self) -> set[str]:
        steps = {step.file for one in self.dependants for step in one.chain}
        ends = {one.file for one in self.definitions} | {one.file for one in self.dependants}
        return steps | ends | {one.file for one in self.tests}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [
            (
                one.file,
                ",".join(map(str, one.lines)),
                one.name or "-",
                str(one.distance),
                one.certainty,
            )
            for one in self.dependants
        ]
        return ("file", "lines", "name", "distance", "certainty"), rows

    def text(self) -> Iterator[str]:
        yield (
            f"{self.subject}: {self.total_certain} certain, {self.total_possible} possible"
            f" dependants in {self.files} files, {self.total_tests} test files"
            f"{unparsed_suffix(self.unread)}"
        )
        yield from describe_definitions(self.definitions)
        for one in self.dependants:
            doubt = "" if one.certainty == "resolved" else "  (possible)"
            way = " < ".join(step.name or step.file for step in reversed(one.chain))
            via = f"  via {way}" if way else ""
            also = f"  also in {', '.join(map(str, one.lines[1:]))}" if one.lines[1:] else ""
            yield f"{one.file}:{one.lines[0]}: {one.name or '(top level)'}{also}{via}{doubt}"
        for test in self.tests:
            yield f"run {test.file}"


class ReachedNode(NamedTuple):
    """A dependant as it was found: by which use of what."""

    node: Node
    link: Neighbor
    origin: NodeKey
    distance: int
    certainty: Certainty

    def with_link(self, link: Neighbor) -> ReachedNode:
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
    """Return who depends on a symbol or file; QueryError if nothing is called so."""
    focus = resolve_focus(connection, subject)
    reached = find_dependants(connection, focus, depth=depth)
    ordered = sorted(
        reached.values(),
        key=lambda one: (one.certainty != "resolved", one.distance, one.node.is_test, one.node.key),
    )
    tests = select_tests_to_run(connection, focus, reached.values())
    certain = sum(one.certainty == "resolved" for one in ordered)
    return Impact(
        subject=subject,
        definitions=list_definitions(focus.nodes),
        dependants=tuple(_dependant(one, reached) for one in ordered[:limit]),
        tests=tuple(tests[: min(limit, _TESTS)]),
        total_certain=certain,
        total_possible=len(ordered) - certain,
        total_tests=len(tests),
        files=len({one.node.file_id for one in ordered}),
        truncated=len(ordered) > limit or len(tests) > min(limit, _TESTS),
        unread=len(incomplete_files(connection)),
    )


def find_dependants(
    connection: sqlite3.Connection, focus: Focus, *, depth: int = MAX_DEPTH
) -> dict[NodeKey, ReachedNode]:
    """Return who depends on a focus, each by its shortest way, certain ways before possible."""
    inside: set[NodeKey] = {(one, 0) for one in focus.inside} | {(0, one) for one in focus.files}
    reached: dict[NodeKey, ReachedNode] = {}
    _follow(connection, dict.fromkeys(inside, 0), inside, reached, depth, certain=True)
    for link in _possible(connection, focus):
        node = link.node
        if node is None or _key(node) in inside:
            continue
        known = reached.get(_key(node))
        if known is None:
            reached[_key(node)] = ReachedNode(node, link, (0, 0), 1, "ambiguous")
        elif known.distance == 1 and known.certainty == "ambiguous":
            reached[_key(node)] = known.with_link(link)
    starts = dict.fromkeys(inside, 0) | {
        key: one.distance for key, one in reached.items() if one.link.kind != "imports"
    }
    _follow(connection, starts, inside, reached, depth, certain=False)
    using = {one.node.file_id for one in reached.values() if one.link.kind != "imports"}
    return {
        key: one
        for key, one in reached.items()
        if one.link.kind != "imports" or one.node.file_id not in using
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
            if (known := reached.get(key)) and known[2:] == (arrow[:2], distance + 1, sure):
                reached[key] = known.with_link(arrow.link)
            if key in inside or known:
                continue
            reached[key] = ReachedNode(node, arrow.link, arrow[:2], distance + 1, sure)
            if arrow.link.kind != "imports":
                waiting[key] = distance + 1


def _arrows(
    connection: sqlite3.Connection, level: Iterable[NodeKey], *, certain: bool
) -> Iterator[IncomingLink]:
    """Yield the uses of a level, and what runs a part of it without naming it."""
    keys = list(level)
    symbols = [one for one, _ in keys if one]
    for arrow in incoming_links(connection, symbols, [one for _, one in keys if one]):
        if arrow.link.certainty == "resolved" or not certain:
            yield arrow
    yield from implicit_users(connection, symbols)
    if not certain:
        yield from possible_incoming_links(connection, symbols, most=1)


def _imports_last(arrow: IncomingLink) -> bool:
    """Sort so that what is both imported and used counts as used."""
    return arrow.link.kind == "imports"


def _possible(connection: sqlite3.Connection, focus: Focus) -> list[Neighbor]:
    """Return calls of what the named ones stand in for, and calls on something unknown.

    Those are of what was named, or of a member named like no other.
    """
    names = {one.name for one in focus.nodes if one.id and one.kind not in OWNER_KINDS}
    for file_id in {one.file_id for one in focus.nodes}:
        rows = connection.execute(_ONLY_ONES, (file_id,))
        names.update(name for one, name in rows if one in focus.inside)
    before = possible_callees_above(connection, focus.nodes)
    through = [one for one in links_to(connection, before, "calls") if one.node]
    return [
        *(one._replace(certainty="ambiguous") for one in through),
        *possible_calls(connection, names, languages={one.language for one in focus.nodes}),
    ]


_ONLY_ONES = (
    "SELECT s.id, s.name FROM symbols s WHERE s.file_id = ? AND instr(s.qualified, '.')"
    " AND 1 = (SELECT count(*) FROM symbols o WHERE o.folded = s.folded)"
)


def _key(node: Node) -> NodeKey:
    return (node.id, 0) if node.id else (0, node.file_id)


def _dependant(one: ReachedNode, reached: dict[NodeKey, ReachedNode]) -> Dependant:
    chain = [one]
    while chain[-1].origin in reached:
        chain.append(reached[chain[-1].origin])
    steps = tuple(
        ChainStep(
            it.node.path, it.link.lines[0], it.node.qualified, it.link.kind, it.link.certainty
        )
        for it in reversed(chain[1:])
    )
    return Dependant(
        file=one.node.path,
        name=one.node.qualified,
        kind=one.node.kind,
        lines=one.link.lines,
        how=one.link.kind,
        distance=one.distance,
        certainty=one.certainty,
        is_test=bool(one.node.is_test),
        via=(steps[-1].name or steps[-1].file) if steps else "",
        chain=steps,
    )
