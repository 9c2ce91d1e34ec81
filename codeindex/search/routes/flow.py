"""Answer flow questions with the shortest paths from one place in the code to another."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

from codeindex.query.classify import Classification
from codeindex.query.flow_phrases import parse_flow_endpoints
from codeindex.search.pipeline import PipelineRequest, read_hits, run_pipeline
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.routes.flow_endpoints import FlowEndpoint, locate_endpoint
from codeindex.search.routes.line_hits import HitLine, line_hits
from codeindex.search.routes.result import HitWindow, RouteResult
from codeindex.search.routes.shortest_paths import Traversal, shortest_paths, step_cost
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.files import FileRecord, file_records, non_test_files
from codeindex.store.graph.flow_steps import (
    EdgeStep,
    file_steps_from,
    file_steps_to,
    steps_from,
    steps_to,
)
from codeindex.store.symbols.lookups import files_of_symbols, non_test_symbols, symbol_place
from codeindex.types import Hit

_MOST_STEPS = 8
"""Most steps of a path between symbols."""
_MOST_RESOLVED_STEPS = 6
"""A path of resolved steps up to this length is preferred to a shorter one with possible steps."""
_MOST_FILE_STEPS = 3
"""Most imports of a path between files; with more, almost every file leads to every other."""
_MOST_PATHS = 3
"""Most paths in one answer."""


@dataclass(frozen=True, slots=True)
class FlowStep:
    """One step of a path through the code, such as a call.

    `source` and `target` are keys of symbols or paths of files. `path` and `line` are the place of
    the code that makes the step.
    """

    source: str
    target: str
    kind: str
    certainty: str
    path: str
    line: int


def answer_flow(
    catalog: Catalog,
    corpus: Corpus,
    request: PipelineRequest,
    window: HitWindow,
    question: Classification,
) -> RouteResult | None:
    """Return the lines of the paths that answer a flow question, such as "how does A reach B".

    Return None if the question has no two ends, or if there is no path between them.
    """
    ends = parse_flow_endpoints(request.text)
    if ends is None:
        return None

    def search(text: str) -> list[Hit]:
        ranked = run_pipeline(catalog, corpus, replace(request, text=text)).ranked
        return read_hits(catalog, ranked[: window.limit], repo=window.repo)

    connection = catalog.connection
    start, goal = (locate_endpoint(connection, name, search) for name in ends)
    tests = request.filters.tests != "exclude" and _any_in_tests(
        connection, (*start.symbols, *goal.symbols)
    )
    found = _symbol_paths(connection, start, goal, tests=tests)
    by_file = not found
    found = found or _file_paths(connection, start, goal, tests=tests)
    if not found:
        return None
    files = {file.id: file for file in file_records(connection)}
    paths = [
        _flow_steps(connection, path, files, by_file=by_file) for path in _best_paths(found, files)
    ]
    hits = _hits(connection, paths, repo=window.repo)
    steps = [[asdict(step) for step in path] for path in paths]
    meta = {"flow": {"from": ends[0], "to": ends[1], "paths": steps}}
    return RouteResult(question, len(hits), hits[window.page], meta)


def _any_in_tests(connection: sqlite3.Connection, symbols: Collection[int]) -> bool:
    """Tell whether one of the symbols is in a test.

    If so, the path of a flow question may lead through tests.
    """
    return bool(set(symbols) - non_test_symbols(connection, symbols))


def _symbol_paths(
    connection: sqlite3.Connection, start: FlowEndpoint, goal: FlowEndpoint, *, tests: bool
) -> list[tuple[EdgeStep, ...]]:
    """Return paths from a start to a goal whose steps are all resolved.

    If there are none, return paths with possible steps. With `tests`, paths may lead through tests.
    """
    allow = set if tests else partial(non_test_symbols, connection)
    for resolved_only, most in ((True, _MOST_RESOLVED_STEPS), (False, _MOST_STEPS)):
        graph = Traversal(steps_from, steps_to, allow, resolved_only=resolved_only)
        paths = shortest_paths(connection, graph, start.symbols, goal.symbols, most=most)
        if paths:
            return [path for path in paths if path]
    return []


def _file_paths(
    connection: sqlite3.Connection, start: FlowEndpoint, goal: FlowEndpoint, *, tests: bool
) -> list[tuple[EdgeStep, ...]]:
    """Return paths of imports between files if the start or the goal is a file, else [].

    Between two functions, imports prove nothing. With `tests`, paths may lead through tests.
    """
    sides = [end.files or files_of_symbols(connection, end.symbols) for end in (start, goal)]
    if not (start.files or goal.files) or set(sides[0]) & set(sides[1]):
        return []
    allow = set if tests else partial(non_test_files, connection)
    graph = Traversal(file_steps_from, file_steps_to, allow, resolved_only=False)
    paths = shortest_paths(connection, graph, *sides, most=_MOST_FILE_STEPS)
    return [path for path in paths if path]


def _best_paths(
    paths: Sequence[tuple[EdgeStep, ...]], files: Mapping[int, FileRecord]
) -> list[tuple[EdgeStep, ...]]:
    """Return the best paths: the shortest first, among these the most certain ones.

    In a tie, paths through files that many other files use come first. `files` maps ids to files.
    """
    ordered = sorted(
        paths,
        key=lambda path: (
            len(path),
            sum(map(step_cost, path)),
            -sum(files[step.file].centrality for step in path),
            path,
        ),
    )
    return ordered[:_MOST_PATHS]


def _flow_steps(
    connection: sqlite3.Connection,
    path: Sequence[EdgeStep],
    files: Mapping[int, FileRecord],
    *,
    by_file: bool,
) -> tuple[FlowStep, ...]:
    def key(node: int) -> str:
        if by_file:
            return files[node].path
        file, qualified = symbol_place(connection, node)
        return f"{files[file].path}::{qualified}"

    return tuple(
        FlowStep(
            key(step.source),
            key(step.target),
            step.kind,
            step.certainty,
            files[step.file].path,
            step.line,
        )
        for step in path
    )


def _hits(
    connection: sqlite3.Connection, paths: Sequence[Sequence[FlowStep]], *, repo: str
) -> tuple[Hit, ...]:
    """Return the distinct lines of code that make the steps, as hits in the order of the paths."""
    steps: dict[tuple[str, int], FlowStep] = {}
    for step in (step for path in paths for step in path):
        steps.setdefault((step.path, step.line), step)
    return tuple(line_hits(connection, map(_hit_line, steps.values()), repo=repo))


def _hit_line(step: FlowStep) -> HitLine:
    own = step.target if step.kind in {"constructs", "overridden"} else step.source
    return HitLine(
        step.path,
        step.line,
        symbol=own.partition("::")[2],
        kind="step",
        score=1.0 if step.certainty == "resolved" else 0.5,
        why=f"{step.kind} {step.target} ({step.certainty})",
    )
