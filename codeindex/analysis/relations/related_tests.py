"""Find the tests of a symbol, and why each counts as its test."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from codeindex.analysis.listing_filter import NO_FILTER, ListingFilter
from codeindex.analysis.relations.recorded_tests import find_recorded_tests
from codeindex.analysis.subject import (
    ResolvedName,
    describe_definitions,
    find_symbols,
    list_definitions,
)
from codeindex.errors import QueryError
from codeindex.graph.covering_tests import CoveringTest, covering_tests, test_files_named_after
from codeindex.graph.test_paths import TestGraph
from codeindex.store.catalog.files import FileRecord
from codeindex.store.catalog.unparsed_code import incomplete_files
from codeindex.store.graph.links import links_to, links_to_files
from codeindex.store.symbols.declarations import declarations_in
from codeindex.text.short_names import shorten_name
from codeindex.types import Node, SymbolKind, first_unread, unparsed_suffix
from codeindex.types.report import DataReport, Table, plural


@dataclass(frozen=True, slots=True)
class RelatedTest:
    """A test or test file, with the reasons for it, strongest first.

    `distance` is the number of uses between the test and the symbol; 0 if the only evidence is a
    name or coverage data.
    """

    file: str
    name: str
    kind: str
    line: int
    reasons: tuple[str, ...]
    distance: int = 0


@dataclass(frozen=True, slots=True)
class RelatedTests(DataReport):
    """The tests of a symbol, likeliest first; `total` counts all of them.

    The text names the nearest ones and counts the others by file. `possible` counts the tests that
    are less likely to run the symbol: those that `covering_tests` does not mark as `shown`.
    """

    symbol: str
    definitions: tuple[ResolvedName, ...]
    tests: tuple[RelatedTest, ...]
    total: int
    possible: int
    truncated: bool
    coverage: str = ""
    """Which coverage data of the repository were used, or why they were not; '' if there are
    none."""
    unread: int = 0
    """Number of code files that were skipped or parsed only partly, so that tests in them may be
    missing."""
    unread_paths: tuple[str, ...] = ()
    """Paths of the first of these files."""
    above: int = 0
    """Number of tests that are not in `tests`, since the answer lists them for another symbol."""

    def without(self, listed: Iterable[RelatedTest]) -> RelatedTests:
        """Return a copy without the tests in `listed`; `above` of the copy counts these."""
        places = {(test.file, test.name) for test in listed}
        tests = tuple(test for test in self.tests if (test.file, test.name) not in places)
        return replace(self, tests=tests, above=len(self.tests) - len(tests))

    def columns(self) -> Table:
        rows = [
            (
                *(test.file, str(test.line), test.kind, test.name or "-", str(test.distance)),
                ", ".join(test.reasons),
            )
            for test in self.tests
        ]
        return ("file", "line", "kind", "name", "distance", "reasons"), rows

    def text(self) -> Iterator[str]:
        rest = unparsed_suffix(self.unread, self.unread_paths)
        yield f"{self.symbol}: {plural(self.total, 'related test')}{rest}"
        if self.coverage:
            yield self.coverage
        yield from describe_definitions(self.definitions)
        nearest = min((test.distance for test in self.tests if test.distance), default=0)
        farther: dict[tuple[int, str], list[RelatedTest]] = {}
        for test in self.tests:
            if test.distance > nearest:
                farther.setdefault((test.distance, test.file), []).append(test)
                continue
            steps = f", {test.distance} steps away" if test.distance > 1 else ""
            reasons = ", ".join(test.reasons)
            name = shorten_name(test.name, test.file) or "(file)"
            yield f"{test.file}:{test.line}: {name}  ({reasons}{steps})"
        for (distance, file), tests in sorted(farther.items(), key=lambda item: item[0][0]):
            lines = ", ".join(str(test.line) for test in tests)
            yield f"only {distance} steps away, {len(tests)} in {file}: {lines}"
        if self.above:
            yield f"{self.above} of the tests listed above"
        if self.possible == self.total > 0:
            yield "none of these is likely to run it"
        elif self.possible:
            has_left_out = len(self.tests) + self.above <= self.total - self.possible
            hint = "; `codeindex related-tests --include-possible` shows them too"
            less = f"less likely to run it: {self.possible} of these"
            yield less + (hint if has_left_out else "")


class TestSources(NamedTuple):
    """What the search for tests reads besides the tables of the catalog.

    `root` is the root of the repository, in which recorded coverage data is looked for. `graph` is
    the cache of what earlier searches of the same generation have read.
    """

    root: Path
    graph: TestGraph


def find_related_tests(
    connection: sqlite3.Connection,
    sources: TestSources,
    symbol: str,
    *,
    inside: ListingFilter = NO_FILTER,
    include_possible: bool = False,
    limit: int,
) -> RelatedTests:
    """Return the tests of a symbol.

    `inside` limits the definitions of the symbol; if none of them is inside, it limits the tests.
    Raise QueryError for an unknown name, or if neither a definition nor a test is inside.
    """
    named = find_symbols(connection, symbol)
    nodes = [node for node in named if not node.is_test and node.kind != SymbolKind.TEST] or named
    here = [node for node in nodes if inside.holds(node.path, is_test=bool(node.is_test))]
    nodes = here or nodes
    recorded = find_recorded_tests(connection, sources.root, nodes)
    found = recorded.merge(covering_tests(connection, nodes, sources.graph))
    if not here:
        found = _tests_inside(inside, found, symbol, nodes)
    likely = [test for test in found if test.shown]
    shown = found if include_possible or not likely else likely
    tests = tuple(_make_related_test(test) for test in shown[:limit])
    # a test that uses it through others need not name it, which matters where none was found
    names = {node.name for node in nodes} if found else ()
    unread = incomplete_files(connection, names, languages={node.language for node in nodes})
    return RelatedTests(
        symbol=symbol,
        definitions=list_definitions(nodes),
        tests=tests,
        total=len(found),
        possible=sum(not test.shown for test in found),
        truncated=len(tests) < len(found),
        coverage=recorded.remark,
        unread=len(unread),
        unread_paths=first_unread(file.path for file in unread),
    )


def _tests_inside(
    inside: ListingFilter, tests: Iterable[CoveringTest], symbol: str, definitions: Sequence[Node]
) -> list[CoveringTest]:
    """Return the tests that are inside; raise QueryError if there are none.

    The error names the files of the symbol's definitions.
    """
    found = [test for test in tests if inside.holds(test.node.path, is_test=True)]
    if not found:
        places = " and ".join(dict.fromkeys(f"'{node.path}'" for node in definitions[:3]))
        given = " or ".join(inside.places)
        raise QueryError(f"Neither {symbol!r} nor a test of it is in '{given}': it is in {places}.")
    return found


def _make_related_test(test: CoveringTest) -> RelatedTest:
    node = test.node
    return RelatedTest(node.path, node.qualified, node.kind, node.line, test.reasons, test.distance)


def find_tests_of_file(connection: sqlite3.Connection, file: FileRecord) -> list[str]:
    """Return the sorted paths of test files that import a file, use it, or are named after it."""
    symbols = [node.id for node in declarations_in(connection, [file.id])]
    links = [*links_to_files(connection, [file.id]), *links_to(connection, symbols)]
    using = {link.node.path for link in links if link.node and link.node.is_test}
    named = {node.path for node in test_files_named_after(connection, [file.path])}
    return sorted((using | named) - {file.path})
