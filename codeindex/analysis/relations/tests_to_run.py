"""Select the tests to run after a change: dependent tests, and test files with a matching name."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from codeindex.graph.test_paths import inline_tests
from codeindex.text.file_names import subject_name
from codeindex.types import Certainty

if TYPE_CHECKING:
    from codeindex.analysis.focus import Focus
    from codeindex.analysis.relations.dependants import Dependants, Dependence, ReachedNode
    from codeindex.store.graph.user_links import NodeKey

_NAMED, _NEAR = 3, 2
"""Most tests that are listed per file, and greatest distance of a listed test."""


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


class TestsToRun(NamedTuple):
    """The first test files to run, and the number of all of them."""

    first: list[TestFile]
    total: int


def select_tests_to_run(
    connection: sqlite3.Connection,
    focus: Focus,
    dependants: Dependants,
    *,
    limit: int,
    without: Container[str] = (),
) -> TestsToRun:
    """Return the test files that depend on the focus or match its file names, certain ones first.

    A file with code and tests counts if one of these tests depends on the focus. Files in `without`
    are left out.
    """
    by_path: defaultdict[str, list[NodeKey]] = defaultdict(list)
    inline = inline_tests(
        connection,
        {
            key: dependants.files[dependence.file].path
            for key, dependence in dependants.nodes.items()
            if key > 0
        },
    )
    for key, dependence in dependants.nodes.items():
        file = dependants.files[dependence.file]
        if (file.is_test or key in inline) and file.path not in without:
            by_path[file.path].append(key)
    ordered = {
        path: sorted(keys, key=lambda key: _nearness(dependants.nodes[key]))
        for path, keys in by_path.items()
    }
    found = [(*_nearness(dependants.nodes[keys[0]]), path) for path, keys in ordered.items()]
    found += [
        (True, 0, path)
        for path in _tests_named_like(dependants, {subject_name(path) for path in focus.paths})
        if path not in by_path and path not in focus.paths and path not in without
    ]
    found.sort()
    shown = [key for _, _, path in found[:limit] for key in ordered.get(path, ())]
    nodes = dependants.describe(connection, shown)
    first = [
        _make_test_file(path, uncertain, distance, [nodes[key] for key in ordered.get(path, ())])
        for uncertain, distance, path in found[:limit]
    ]
    return TestsToRun(first, len(found))


def _nearness(dependence: Dependence) -> tuple[bool, int]:
    return not dependence.is_certain, dependence.distance


def _tests_named_like(dependants: Dependants, names: Collection[str]) -> Iterator[str]:
    """Yield the paths of test files that are named after one of the files `names`.

    `test_cart.py` is named after `cart`.
    """
    for file in dependants.files.values():
        if file.is_test and subject_name(file.path) in names:
            yield file.path


def _make_test_file(
    path: str, uncertain: bool, distance: int, nodes: Sequence[ReachedNode]
) -> TestFile:
    names = dict.fromkeys(test.node.qualified for test in nodes if test.node.qualified)
    near = {test.node.qualified for test in nodes if test.distance <= _NEAR}
    shown = tuple(name for name in names if name in near)[:_NAMED]
    return TestFile(path, distance, "ambiguous" if uncertain else "resolved", shown, len(names))
