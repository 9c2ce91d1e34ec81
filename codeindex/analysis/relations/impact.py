"""Report everything that depends on a symbol or file, and the tests to run after a change of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from codeindex.analysis.focus import find_definitions, resolve_focus
from codeindex.analysis.relations.dependants import (
    MAX_DEPTH,
    Dependants,
    Dependence,
    ReachedNode,
    find_dependants,
)
from codeindex.analysis.relations.foreign_uses import UsesElsewhere, describe_uses_elsewhere
from codeindex.analysis.relations.other_mentions import NO_MENTIONS, Mentions, find_mentions
from codeindex.analysis.relations.tests_to_run import TestFile, select_tests_to_run
from codeindex.analysis.subject import ResolvedName, describe_definitions, list_definitions
from codeindex.store.catalog.unparsed_code import incomplete_files, other_code_with
from codeindex.store.graph.user_links import NodeKey, UserLinks
from codeindex.text.short_names import shorten_name
from codeindex.types import Certainty, by_name_suffix, first_unread, unparsed_suffix
from codeindex.types.report import DataReport, Table, make_table, plural

DEFAULT_DEPENDANTS = 50
_MAX_TESTS = 20
"""Most test files that are listed; somebody who must run more runs all tests."""


@dataclass(frozen=True, slots=True)
class ChainStep:
    """A step of a chain of uses.

    `name` is the symbol that uses the one before; '' is top-level code of the file.
    """

    file: str
    line: int
    name: str
    kind: str
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class Dependant:
    """A symbol or file that depends on the subject; `how` is the kind of its use in `lines`.

    `by_calls` is true if a chain of certain calls leads to the subject, so that it runs the
    subject. `chain` lists the uses between the subject and this dependant, the one nearest to the
    subject first. `via` names the last symbol of the chain.
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
    by_calls: bool = False


@dataclass(frozen=True, slots=True)
class Impact(DataReport):
    """Everything that depends on a subject; `total_*` and `files` count before the limit.

    `total_callers` counts the certain dependants that call the subject directly or through others;
    the other certain ones refer to it, import it or extend it. `files` counts the files with
    dependants.
    """

    subject: str
    definitions: tuple[ResolvedName, ...]
    dependants: tuple[Dependant, ...]
    tests: tuple[TestFile, ...]
    total_certain: int
    total_possible: int
    total_tests: int
    files: int
    truncated: bool
    total_callers: int = 0
    by_name_only: int = 0
    """Number of calls of members with these names that probably do not mean the subject."""
    unread: int = 0
    """Number of code files that were skipped or parsed only partly, so that uses in them may be
    missing."""
    unread_paths: tuple[str, ...] = ()
    """Paths of the first of these files."""
    elsewhere: UsesElsewhere | None = None
    """Uses in other repositories that the request names; None if it names none."""
    mentions: Mentions = NO_MENTIONS
    """Lines with the symbol's name that may be uses of it; searched only if no dependant is
    found."""

    def columns(self) -> Table:
        header = ("file", "lines", "name", "distance", "certainty")
        return make_table(self.dependants, header, blank="-")

    def text(self) -> Iterator[str]:
        total = self.total_certain + self.total_possible
        cut = f", the first {len(self.dependants)}" if len(self.dependants) < total else ""
        tests_cut = f", the first {len(self.tests)}" if len(self.tests) < self.total_tests else ""
        yield (
            f"{self.subject}: {plural(self.total_certain, 'certain dependant')}"
            f" ({self.total_callers} by calls), {self.total_possible} possible,"
            f" in {plural(self.files, 'file')}{cut};"
            f" {plural(self.total_tests, 'test file')}{tests_cut}"
            f"{by_name_suffix(self.by_name_only)}{unparsed_suffix(self.unread, self.unread_paths)}"
        )
        yield from describe_definitions(self.definitions)
        for dependant in self.dependants:
            doubt = "" if dependant.certainty == "resolved" else "  (possible)"
            if not (doubt or dependant.by_calls):
                doubt = "  (refers to it)"
            way = " < ".join(step.name or step.file for step in reversed(dependant.chain))
            via = f"  via {way}" if way else ""
            also = (
                f"  also in {', '.join(map(str, dependant.lines[1:]))}"
                if dependant.lines[1:]
                else ""
            )
            name = shorten_name(dependant.name, dependant.file) or "(top level)"
            yield f"{dependant.file}:{dependant.lines[0]}: {name}{also}{via}{doubt}"
        for test in self.tests:
            yield f"run {test.file}"
        yield from self.mentions.text()
        yield from describe_uses_elsewhere(self.elsewhere)


def find_impact(
    connection: sqlite3.Connection,
    subject: str,
    *,
    depth: int = MAX_DEPTH,
    limit: int = DEFAULT_DEPENDANTS,
    users: UserLinks | None = None,
) -> Impact:
    """Return what depends on a symbol or file within `depth` steps of use, and the tests to run.

    `subject` is a name or a path; raise QueryError if it is unknown. `users` caches links that
    earlier questions have read from the same state of the catalog.
    """
    focus = find_definitions(connection, resolve_focus(connection, subject))
    dependants = find_dependants(connection, focus, depth=depth, users=users)
    found = dependants.nodes
    tests = select_tests_to_run(connection, focus, dependants, limit=min(limit, _MAX_TESTS))
    certain = sum(dependence.is_certain for dependence in found.values())
    names = {node.name for node in focus.nodes if node.id}
    languages = {node.language for node in focus.nodes}
    others = other_code_with(connection, names, languages)
    unread = (*incomplete_files(connection, languages=languages), *others)
    return Impact(
        subject=subject,
        definitions=list_definitions(focus.nodes),
        dependants=tuple(_first_dependants(connection, dependants, limit)),
        tests=tuple(tests.first),
        total_certain=certain,
        total_possible=len(found) - certain,
        total_tests=tests.total,
        files=len(dependants.by_file),
        truncated=len(found) > limit or tests.total > len(tests.first),
        total_callers=sum(dependence.by_calls for dependence in found.values()),
        by_name_only=dependants.by_name_only,
        unread=len(unread),
        unread_paths=first_unread(file.path for file in unread),
        mentions=NO_MENTIONS if found else find_mentions(connection, focus.nodes),
    )


def _first_dependants(
    connection: sqlite3.Connection, dependants: Dependants, limit: int
) -> list[Dependant]:
    """Return the first `limit` dependants: certain ones first, then callers, near ones, non-tests.

    Names are read only for dependants that are shown and for those that tie with the last one.
    """

    def place(item: tuple[NodeKey, Dependence]) -> tuple[bool, bool, int, bool, int]:
        _, dependence = item
        file = dependants.files[dependence.file]
        nearness = (not dependence.is_certain, not dependence.by_calls, dependence.distance)
        return *nearness, file.is_test, file.rank

    near = _nearest(dependants.nodes, limit)
    first = nsmallest(limit, near, key=place)
    if len(first) == limit < len(near):
        last = place(first[-1])
        first = [item for item in near if place(item) <= last]
    chains = {key: _origins(key, dependants.nodes) for key, _ in first}
    every = {key for chain in chains.values() for key in chain}
    nodes = dependants.describe(connection, every)
    ordered = sorted(first, key=lambda item: (place(item)[:4], nodes[item[0]].node.key))
    return [_make_dependant([nodes[step] for step in chains[key]]) for key, _ in ordered[:limit]]


def _nearest(found: Mapping[NodeKey, Dependence], limit: int) -> list[tuple[NodeKey, Dependence]]:
    """Return the `limit` nearest dependants, and further ones that are as near as the last of them.

    The nearness of a dependant is its certainty, whether it leads to the focus by calls alone, and
    its distance. `found` is sorted by it (`Dependants.nodes`).
    """
    near: list[tuple[NodeKey, Dependence]] = []
    last = None
    for item in found.items():
        nearness = (item[1].is_certain, item[1].by_calls, item[1].distance)
        if len(near) >= limit and nearness != last:
            break
        near.append(item)
        last = nearness
    return near


def _origins(key: NodeKey, found: Mapping[NodeKey, Dependence]) -> list[NodeKey]:
    """Return a dependant and the nodes that lead from it to the focus, the dependant first."""
    chain = [key]
    while (origin := found[chain[-1]].origin) in found:
        chain.append(origin)
    return chain


def _make_dependant(chain: Sequence[ReachedNode]) -> Dependant:
    reached_node = chain[0]
    steps = tuple(
        ChainStep(
            step.node.path,
            step.link.lines[0],
            step.node.qualified,
            step.link.kind,
            step.link.certainty,
        )
        for step in reversed(chain[1:])
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
        by_calls=reached_node.by_calls,
    )
