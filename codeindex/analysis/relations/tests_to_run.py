"""Select the tests to run after a change: dependent tests, and test files with a matching name."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from codeindex.graph.test_paths import inline_tests
from codeindex.store.symbols.nodes import nodes_by_id
from codeindex.text.file_names import subject_name
from codeindex.types import Certainty

if TYPE_CHECKING:
    from codeindex.analysis.focus import Focus
    from codeindex.analysis.relations.dependants import Dependants, Dependence
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
    nodes = dependants.nodes
    files = {dependants.files[file]: keys for file, keys in dependants.by_file.items()}
    inline = inline_tests(
        connection,
        {
            file.path: (key for key in keys if key > 0)
            for file, keys in files.items()
            if not file.is_test
        },
    )
    by_path: dict[str, Sequence[NodeKey]] = {}
    for file, keys in files.items():
        tests = keys if file.is_test else [key for key in keys if key in inline]
        if tests and file.path not in without:
            by_path[file.path] = tests
    found = [(*min(_nearness(nodes[key]) for key in keys), path) for path, keys in by_path.items()]
    found += [
        (True, 0, path)
        for path in _tests_named_like(dependants, {subject_name(path) for path in focus.paths})
        if path not in by_path and path not in focus.paths and path not in without
    ]
    found.sort()
    ordered = {
        path: sorted(by_path.get(path, ()), key=lambda key: _nearness(nodes[key]))
        for _, _, path in found[:limit]
    }
    names = _names(connection, dependants, chain.from_iterable(ordered.values()))
    first = [
        TestFile(
            path,
            distance,
            "ambiguous" if uncertain else "resolved",
            tuple(_shown_names(ordered[path], nodes, names)),
            len({names[key] for key in ordered[path]} - {""}),
        )
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


def _names(
    connection: sqlite3.Connection, dependants: Dependants, keys: Iterable[NodeKey]
) -> dict[NodeKey, str]:
    """Return {key: qualified name}; the name of a file is ''."""
    ends = {key: (dependants.nodes[key].file, max(key, 0)) for key in keys}
    found = nodes_by_id(connection, ends.values())
    return {key: found[end].qualified for key, end in ends.items()}


def _shown_names(
    keys: Sequence[NodeKey], nodes: Mapping[NodeKey, Dependence], names: Mapping[NodeKey, str]
) -> Iterable[str]:
    """Return the names of the first near tests among `keys`."""
    near = {names[key] for key in keys if nodes[key].distance <= _NEAR}
    every = dict.fromkeys(names[key] for key in keys)
    return islice((name for name in every if name and name in near), _NAMED)
