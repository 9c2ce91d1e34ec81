"""Compare `related-tests` with what tests really ran: `coverage_contexts.py REPO=DATA...`.

DATA is a `.coverage` file that `pytest --cov=PACKAGE --cov-context=test` wrote for REPO (`pip
install pytest-cov`, `relative_files = True`), with or without `--cov-branch`. The truth of a
function is every test that ran a line of its body. Asked are functions and methods outside of tests
that 1 to 10 tests ran, and as many of all that tests ran; ten tests are shown. A test file without
a test is right if it holds one that ran the function. Coverage data in REPO itself would be used:
move them away first.

`--fit` prints the weights of `codeindex.graph.test_likelihood`, fitted to the functions that 1 to
10 tests ran, and for each repository the figures with weights that are fitted to all others.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np
from searched import words_alone

from codeindex import Index
from codeindex.analysis.subject import find_symbols
from codeindex.graph.covering_tests import TestSearch
from codeindex.graph.test_likelihood import LIKELY, WEIGHTS
from codeindex.store.symbols.nodes import symbols_by_id

_SEED = 7
_SHOWN = 10
_RIDGE = 3.0
_SYMBOLS = (
    "SELECT f.path, s.qualified, s.name, s.line, s.start_line, s.end_line FROM symbols s"
    " JOIN files f ON f.id = s.file_id WHERE s.kind IN ('function', 'method', 'constructor')"
    " AND NOT f.is_test AND s.body_lines > 0"
)

_OF_CONTEXTS = (
    " b JOIN file f ON f.id = b.file_id JOIN context c ON c.id = b.context_id WHERE c.context != ''"
)
_LINES = f"SELECT f.path, c.context, b.numbits FROM line_bits{_OF_CONTEXTS}"
_ARCS = f"SELECT f.path, c.context, b.tono FROM arc{_OF_CONTEXTS} AND b.tono > 0"
"""The lines that arcs lead to; with a negative number, an arc leaves a function."""

Test = tuple[str, str]
"""Path and qualified name."""


class Function(NamedTuple):
    path: str
    qualified: str
    name: str
    line: int
    start: int
    end: int


def tests_by_line(data: Path) -> Mapping[str, Mapping[int, set[Test]]]:
    """Return {path: {line: tests that ran it}}, from the data of lines and those of branches.

    Exit if no line has a context: the data were measured without contexts.
    """
    found: dict[str, dict[int, set[Test]]] = defaultdict(lambda: defaultdict(set))
    with closing(sqlite3.connect(f"file:{data}?mode=ro", uri=True)) as connection:
        for path, context, bits in connection.execute(_LINES):
            for at, byte in enumerate(bits):
                for bit in range(8):
                    if byte & 1 << bit:
                        found[path][at * 8 + bit].add(_test(context))
        for path, context, line in connection.execute(_ARCS):
            found[path][line].add(_test(context))
    if not found:
        sys.exit(f"{data} does not say which test ran a line: measure with --cov-context=test")
    return found


def _test(context: str) -> Test:
    path, _, inner = context.partition("|")[0].partition("[")[0].partition("::")
    return path, inner.replace("::", ".")


def functions(connection: sqlite3.Connection, data: Path) -> Iterator[tuple[Function, set[Test]]]:
    """Yield the functions that tests ran, with these tests."""
    lines = tests_by_line(data)
    every = [Function(*row) for row in connection.execute(_SYMBOLS)]
    within: dict[str, list[Function]] = defaultdict(list)
    for function in every:
        within[function.path].append(function)
    for function in every:
        inner = {
            line
            for other in within[function.path]
            if other.qualified.startswith(f"{function.qualified}.")
            for line in range(other.line + 1, other.end + 1)
        }
        body = set(range(function.line + 1, function.end + 1)) - inner
        tests = {test for line in body for test in lines.get(function.path, {}).get(line, ())}
        if tests:
            yield function, tests


def measure(root: Path, data: Path, *, size: int, show: int) -> None:
    with Index.open(root) as index:
        index.sync(structure_only=True)
        with index.reader().catalog() as (catalog, _):
            few, some = _sample(catalog.connection, data, size=size)
        for title, sample in (("at most ten tests", few), ("any number of tests", some)):
            print(f"{root.name:12} {title:20}", _related(index, sample, show=show))
            show = 0


Sample = list[tuple[Function, set[Test]]]


def _sample(connection: sqlite3.Connection, data: Path, *, size: int) -> tuple[Sample, Sample]:
    """Return functions that at most ten tests ran, and functions that any number ran."""
    ran = sorted(functions(connection, data))
    random.seed(_SEED)
    random.shuffle(ran)
    return [pair for pair in ran if len(pair[1]) <= _SHOWN][:size], ran[:size]


def _related(index: Index, sample: Sample, *, show: int) -> str:
    hits = right = shown = wanted = empty = 0
    for function, tests in sample:
        report = index.graph.related_tests(
            f"{function.path}::{function.qualified}", limit=_SHOWN, path=function.path
        )
        named = {(test.file, test.name) for test in report.tests if test.name}
        files = {path for path, _ in tests}
        wrong = [
            test
            for test in report.tests
            if not ((test.file, test.name) in tests if test.name else test.file in files)
        ]
        hits += len(named & tests)
        right += len(report.tests) - len(wrong)
        shown += len(report.tests)
        wanted += len(tests)
        empty += not named & tests
        if show > 0 and (tests - named or wrong):
            show -= 1
            print(f"  {function.path}:{function.line} {function.qualified}")
            print("    missed", sorted(tests - named)[:3])
            print("    wrong ", [(test.file, test.name, test.reasons) for test in wrong[:4]])
    return (
        f"{len(sample):4} functions, recall {hits / max(wanted, 1):.3f} of {wanted} tests,"
        f" precision {right / max(shown, 1):.3f} of {shown}, without a right one {empty}"
    )


class Judged(NamedTuple):
    """The tests that may run one function: a row of features each, and whether it ran it."""

    features: np.ndarray
    ran: np.ndarray
    wanted: int
    """Number of tests that ran the function."""


def judged(root: Path, data: Path, *, size: int) -> list[Judged]:
    found = []
    with Index.open(root) as index:
        index.sync(structure_only=True)
        with index.reader().catalog() as (catalog, _):
            connection = catalog.connection
            for function, tests in _sample(connection, data, size=size)[0]:
                nodes = find_symbols(connection, f"{function.path}::{function.qualified}")
                search = TestSearch(connection, nodes)
                features = search.features()
                ran = {
                    node.id
                    for node in symbols_by_id(connection, features)
                    if (node.path, node.qualified) in tests
                }
                rows = np.array([*features.values()], float).reshape(-1, len(WEIGHTS))
                found.append(Judged(rows, np.array([test in ran for test in features]), len(tests)))
    return found


def fit(parts: Iterable[Sequence[Judged]]) -> np.ndarray:
    """Return the weights of a logistic regression in which each repository counts as much."""
    used = [(part, each) for part in parts for each in part if len(each.ran)]
    rows = np.concatenate([each.features for _, each in used])
    right = np.concatenate([each.ran for _, each in used]).astype(float)
    counts = np.concatenate([np.full(len(each.ran), 100 / len(part)) for part, each in used])
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    mean[0], scale[scale < 1e-9] = 0, 1
    columns = (rows - mean) / scale
    weights = np.zeros(columns.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
        slope = columns.T @ (counts * (right - chance)) - _RIDGE * weights
        curve = (columns * (counts * chance * (1 - chance))[:, None]).T @ columns
        step = np.linalg.solve(curve + _RIDGE * np.eye(len(weights)), slope)
        weights += np.clip(step, -3, 3)
    weights /= scale
    weights[0] -= weights[1:] @ mean[1:]
    return weights


def figures(part: Sequence[Judged], weights: np.ndarray, least: float) -> tuple[float, float]:
    """Return recall and precision of the first ten tests with this likelihood."""
    hits = shown = 0
    for each in part:
        chances = 1 / (1 + np.exp(-np.clip(each.features @ weights, -30, 30)))
        first = np.argsort(-chances, kind="stable")[:_SHOWN]
        first = first[chances[first] >= least]
        hits, shown = hits + int(each.ran[first].sum()), shown + len(first)
    return hits / max(1, sum(each.wanted for each in part)), hits / max(1, shown)


def report_fit(data: Mapping[str, Sequence[Judged]]) -> Iterator[str]:
    """Yield the figures of each repository by the others, and the weights fitted on all."""
    fitted = {name: fit([data[other] for other in data if other != name]) for name in data}
    for least in (0.15, 0.2, LIKELY, 0.3, 0.4):
        found = {name: figures(data[name], fitted[name], least) for name in data}
        means = np.mean([*found.values()], axis=0)
        each = " ".join(
            f"{name} {recall:.3f}/{right:.3f}" for name, (recall, right) in found.items()
        )
        yield f"likelihood {least}: mean {means[0]:.3f}/{means[1]:.3f}, {each}"
    for field, weight in zip(WEIGHTS._fields, fit(data.values()), strict=True):
        yield f"    {field}={weight:.2f},"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+", metavar="REPO=DATA")
    parser.add_argument("--home", type=Path, help="keep indexes here")
    parser.add_argument("--size", type=int, default=200, help="functions of each kind")
    parser.add_argument("--show", type=int, default=0, help="print so many functions with faults")
    parser.add_argument("--fit", action="store_true", help="fit the weights")
    args = parser.parse_args()
    with words_alone(args.home):
        if args.fit:
            places = [pair.partition("=") for pair in args.repositories]
            data = {
                Path(root).name: judged(Path(root).resolve(), Path(file), size=args.size)
                for root, _, file in places
            }
            print(*report_fit(data), sep="\n")
            return
        for pair in args.repositories:
            root, _, data = pair.partition("=")
            measure(Path(root).resolve(), Path(data), size=args.size, show=args.show)


if __name__ == "__main__":
    main()
