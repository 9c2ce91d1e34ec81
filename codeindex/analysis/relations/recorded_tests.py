"""Find the tests that ran a symbol, from the coverage data of the repository."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from codeindex.graph.covering_tests import CoveringTest, TestEvidence
from codeindex.store.catalog.files import file_stat
from codeindex.store.coverage_contexts import COVERAGE_FILE, LineContexts, read_line_contexts
from codeindex.store.symbols.declarations import declarations_in
from codeindex.store.symbols.nodes import file_nodes
from codeindex.types import CALLABLE_KINDS, OWNER_KINDS, Node

RAN_IT = "ran it"
_NO_CONTEXTS = (
    f"{COVERAGE_FILE} does not say which test ran a line: not used (`pytest --cov-context=test`"
    " records it)"
)
_BILLION = 1_000_000_000


@dataclass(frozen=True, slots=True)
class RecordedTests:
    """The tests that ran certain symbols when coverage was measured (`tests`).

    `recorded` are the ids of all tests for which there are coverage data. `remark` is a sentence
    about the data that were used, or about why none were used.
    """

    tests: tuple[Node, ...] = ()
    recorded: frozenset[int] = frozenset()
    remark: str = ""

    def merge(self, found: Sequence[CoveringTest]) -> list[CoveringTest]:
        """Return the tests that ran the symbols, then the tests in `found` without coverage data.

        A test in `found` whose coverage data show that it ran none of the symbols is dropped.
        """
        if not self.recorded:
            return list(found)
        known = {test.node.id: test for test in found if test.node.id}
        ran = [
            CoveringTest(
                node,
                TestEvidence.CALLS,
                (RAN_IT, *(known[node.id].reasons if node.id in known else ())),
                known[node.id].distance if node.id in known else 0,
                shown=True,
            )
            for node in self.tests
        ]
        ran.sort(
            key=lambda test: (not test.distance, test.distance, test.node.path, test.node.line)
        )
        others = [test for test in found if test.node.id not in self.recorded]
        return ran + [test for test in others if test.node.id or not ran]


def find_recorded_tests(
    connection: sqlite3.Connection, root: Path, targets: Sequence[Node]
) -> RecordedTests:
    """Return the tests that ran a line of the symbols when coverage was measured.

    There are none without usable coverage data; `remark` of the result says why.
    """
    contexts: set[str] = set()
    recorded: frozenset[str] = frozenset()
    mtime_ns = 0
    for path in dict.fromkeys(node.path for node in targets):
        lines = read_line_contexts(root, path)
        if lines is None:
            return RecordedTests()
        if not lines.recorded:
            return RecordedTests(remark=_NO_CONTEXTS)
        indexed = file_stat(connection, path)
        if indexed and indexed.mtime_ns > lines.mtime_ns:
            return RecordedTests(remark=f"{COVERAGE_FILE} is older than {path}: not used")
        recorded, mtime_ns = lines.recorded, lines.mtime_ns
        contexts |= _contexts_of(connection, lines, [node for node in targets if node.path == path])
    if not recorded:
        return RecordedTests()
    nodes = _test_nodes(connection, recorded)
    measured = dt.datetime.fromtimestamp(mtime_ns / _BILLION, tz=dt.UTC)
    ran = {nodes[context].id: nodes[context] for context in contexts if context in nodes}
    return RecordedTests(
        tuple(ran.values()),
        frozenset(node.id for node in nodes.values()),
        f"which tests ran it is known from {COVERAGE_FILE} of {measured:%Y-%m-%d %H:%M} UTC",
    )


def _contexts_of(
    connection: sqlite3.Connection, lines: LineContexts, nodes: Collection[Node]
) -> set[str]:
    """Return the contexts, usually tests, in which coverage saw a line of the symbols' bodies run.

    Lines of definitions do not count, because importing the file runs them.
    """
    inner = declarations_in(connection, {node.file_id for node in nodes})
    heads = {
        line
        for node in inner
        if node.kind in CALLABLE_KINDS | OWNER_KINDS
        for line in range(node.start_line, node.line + 1)
    }
    found: set[str] = set()
    for node in nodes:
        nested = {
            line
            for other in inner
            if other.qualified.startswith(f"{node.qualified}.") and node.kind not in OWNER_KINDS
            for line in range(other.line + 1, other.end_line + 1)
        }
        for line in {*range(node.line + 1, node.end_line + 1)} - heads - nested:
            found |= lines.by_line.get(line, set())
    return found


def _test_nodes(connection: sqlite3.Connection, contexts: Iterable[str]) -> dict[str, Node]:
    """Return {coverage context: test function}; contexts of other tests are left out."""
    places = {context: _place(context) for context in contexts}
    files = {
        node.path: node for node in file_nodes(connection, {path for path, _ in places.values()})
    }
    symbols = {
        (node.path, node.qualified): node
        for node in declarations_in(connection, {node.file_id for node in files.values()})
    }
    return {context: symbols[place] for context, place in places.items() if place in symbols}


def _place(context: str) -> tuple[str, str]:
    """Return (path, qualified name) of the test that a coverage context names.

    A context is `tests/test_a.py::TestB::test_c[1]|run` if pytest-cov wrote it, and
    `tests.test_a.TestB.test_c` if coverage.py did.
    """
    name = context.partition("|")[0].partition("[")[0]
    path, colons, inner = name.partition("::")
    if colons:
        return path, inner.replace("::", ".")
    parts = name.split(".")
    at = next((at for at, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
    return f"{'/'.join(parts[:at])}.py", ".".join(parts[at:])
