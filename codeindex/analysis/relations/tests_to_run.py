"""The tests to run after a change: those that depend on it, and those that are named after it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codeindex.text.file_names import subject_name
from codeindex.types import Certainty

if TYPE_CHECKING:
    import sqlite3

    from codeindex.analysis.focus import Focus
    from codeindex.analysis.relations.impact import ReachedNode

_NAMED, _NEAR = 3, 2
"""Tests of a file that are named, if they are so near: whoever runs some of many runs the file."""


@dataclass(frozen=True, slots=True)
class TestFile:
    """A test file to run; `distance` is 0 where only its name says so.

    `names` are some of the `total` tests in it, where they are near.
    """

    file: str
    distance: int
    certainty: Certainty
    names: tuple[str, ...]
    total: int


def select_tests_to_run(
    connection: sqlite3.Connection, focus: Focus, reached: Iterable[ReachedNode]
) -> list[TestFile]:
    """Return test files that depend on a focus or are named after its files, certain ones first."""
    named = {subject_name(one) for one in focus.paths}
    found: dict[str, list[ReachedNode]] = {}
    for one in reached:
        if one.node.is_test:
            found.setdefault(one.node.path, []).append(one)
    tests = [_test(path, those) for path, those in found.items()]
    for (path,) in connection.execute("SELECT path FROM files WHERE is_test"):
        if path not in found and subject_name(path) in named and path not in focus.paths:
            tests.append(TestFile(path, 0, "ambiguous", (), 0))
    return sorted(tests, key=lambda one: (one.certainty != "resolved", one.distance, one.file))


def _test(path: str, those: Sequence[ReachedNode]) -> TestFile:
    best = min(those, key=lambda one: (one.certainty != "resolved", one.distance))
    ordered = sorted(those, key=lambda one: (one.certainty != "resolved", one.distance))
    names = dict.fromkeys(one.node.qualified for one in ordered if one.node.qualified)
    near = {one.node.qualified for one in those if one.distance <= _NEAR}
    shown = tuple(name for name in names if name in near)[:_NAMED]
    return TestFile(path, best.distance, best.certainty, shown, len(names))
