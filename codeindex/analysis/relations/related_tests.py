"""Find the tests of a symbol, with the reasons for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.analysis.file_selection import select_file
from codeindex.analysis.subject import (
    ResolvedName,
    describe_definitions,
    find_symbols,
    list_definitions,
)
from codeindex.errors import QueryError
from codeindex.graph.covering_tests import MAY_CALL_IT, covering_tests, test_files_named_after
from codeindex.store.graph.links import links_to, links_to_files
from codeindex.store.symbols.declarations import DeclaringFile, declarations_in
from codeindex.types.report import DataReport, Table

if TYPE_CHECKING:
    import sqlite3

_MAX_POSSIBLE_TESTS = 5
"""Maximum possible tests that are shown if there are no better tests."""
_WEAKER_REASONS = frozenset({"uses", MAY_CALL_IT})
"""These reasons are not shown for a test that has a certain call."""


@dataclass(frozen=True, slots=True)
class RelatedTest:
    """A test or test file, with its reasons, strongest first."""

    file: str
    name: str
    kind: str
    line: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RelatedTests(DataReport):
    """The tests of a symbol; `total` counts all of them.

    `possible` counts the tests whose only reason is a call that matches by name.
    """

    symbol: str
    definitions: tuple[ResolvedName, ...]
    tests: tuple[RelatedTest, ...]
    total: int
    possible: int
    truncated: bool

    def columns(self) -> Table:
        rows = [
            (test.file, str(test.line), test.kind, test.name or "-", ", ".join(test.reasons))
            for test in self.tests
        ]
        return ("file", "line", "kind", "name", "reasons"), rows

    def text(self) -> Iterator[str]:
        yield f"{self.symbol}: {self.total} related tests"
        yield from describe_definitions(self.definitions)
        for test in self.tests:
            yield f"{test.file}:{test.line}: {test.name or '(file)'}  ({', '.join(test.reasons)})"
        if self.possible:
            yield f"of these, {self.possible} {MAY_CALL_IT}: --include-possible shows them too"


def find_related_tests(
    connection: sqlite3.Connection,
    symbol: str,
    *,
    path: str = "",
    include_possible: bool = False,
    limit: int,
) -> RelatedTests:
    """Return the tests of a symbol; `path` limits them to the definition in that file.

    Raise QueryError for an unknown name, and if `path` does not define the symbol.
    """
    nodes = [node for node in find_symbols(connection, symbol) if not node.is_test] or find_symbols(
        connection, symbol
    )
    if path:
        file = select_file(connection, path)
        here = [node for node in nodes if node.path == file.path]
        if not here:
            places = " and ".join(dict.fromkeys(f"'{node.path}'" for node in nodes[:3]))
            raise QueryError(f"No {symbol!r} is in '{file.path}': it is in {places}.")
        nodes = here
    result = covering_tests(connection, nodes)
    better = sum(reasons != (MAY_CALL_IT,) for _, reasons in result)
    shown_tests = result if include_possible else result[: better or _MAX_POSSIBLE_TESTS]
    tests = tuple(
        RelatedTest(node.path, node.qualified, node.kind, node.line, _drop_weaker_reasons(reasons))
        for node, reasons in shown_tests[:limit]
    )
    return RelatedTests(
        symbol=symbol,
        definitions=list_definitions(nodes),
        tests=tests,
        total=len(result),
        possible=len(result) - better,
        truncated=len(tests) < len(result),
    )


def _drop_weaker_reasons(reasons: tuple[str, ...]) -> tuple[str, ...]:
    """Return the reasons; weaker reasons are dropped if there is a certain call."""
    return tuple(
        reason for reason in reasons if "calls" not in reasons or reason not in _WEAKER_REASONS
    )


def find_tests_of_file(connection: sqlite3.Connection, file: DeclaringFile) -> list[str]:
    """Return the sorted paths of test files that import, use or are named after a file."""
    symbols = [node.id for node in declarations_in(connection, [file.id])]
    links = [*links_to_files(connection, [file.id]), *links_to(connection, symbols)]
    using = {link.node.path for link in links if link.node and link.node.is_test}
    named = {node.path for node in test_files_named_after(connection, file.path)}
    return sorted((using | named) - {file.path})
