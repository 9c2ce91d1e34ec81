"""Select the tests to run after a change: dependent tests, and test files with a matching name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.store.catalog.file_lists import list_test_paths
from codeindex.text.file_names import subject_name
from codeindex.types import Certainty

if TYPE_CHECKING:
    import sqlite3

    from codeindex.analysis.focus import Focus
    from codeindex.analysis.relations.dependants import ReachedNode

_NAMED, _NEAR = 3, 2
"""Maximum tests listed per file, and the maximum distance of a listed test."""


@dataclass(frozen=True, slots=True)
class TestFile:
    """A test file to run; `distance` is 0 if only its file name matches.

    `total` counts the dependent tests in the file; `names` are the nearest of them.
    """

    file: str
    distance: int
    certainty: Certainty
    names: tuple[str, ...]
    total: int


def select_tests_to_run(
    connection: sqlite3.Connection, focus: Focus, reached: Iterable[ReachedNode]
) -> list[TestFile]:
    """Return test files that depend on the focus or match its file names, certain ones first."""
    named = {subject_name(path) for path in focus.paths}
    by_path: dict[str, list[ReachedNode]] = {}
    for reached_node in reached:
        if reached_node.node.is_test:
            by_path.setdefault(reached_node.node.path, []).append(reached_node)
    tests = [_make_test_file(path, reached_nodes) for path, reached_nodes in by_path.items()]
    tests += [
        TestFile(path, 0, "ambiguous", (), 0)
        for path in list_test_paths(connection)
        if path not in by_path and subject_name(path) in named and path not in focus.paths
    ]
    return sorted(tests, key=lambda test: (test.certainty != "resolved", test.distance, test.file))


def _make_test_file(path: str, reached_nodes: Sequence[ReachedNode]) -> TestFile:
    best = min(
        reached_nodes,
        key=lambda reached_node: (reached_node.certainty != "resolved", reached_node.distance),
    )
    ordered = sorted(
        reached_nodes,
        key=lambda reached_node: (reached_node.certainty != "resolved", reached_node.distance),
    )
    names = dict.fromkeys(
        reached_node.node.qualified for reached_node in ordered if reached_node.node.qualified
    )
    near = {
        reached_node.node.qualified
        for reached_node in reached_nodes
        if reached_node.distance <= _NEAR
    }
    shown_names = tuple(name for name in names if name in near)[:_NAMED]
    return TestFile(path, best.distance, best.certainty, shown_names, len(names))
