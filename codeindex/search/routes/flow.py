"""The route of flow questions: how it gets from one place in the code to another, step by step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from codeindex.query.classify import Classification, QueryType, classify
from codeindex.search.routes.flow_endpoints import (
    FlowEndpoint,
    locate_endpoint,
    parse_flow_endpoints,
)
from codeindex.search.routes.line_hits import HitLine, line_hits
from codeindex.search.routes.shortest_paths import Traversal, shortest_paths, step_cost
from codeindex.store.catalog.connection import Catalog
from codeindex.store.graph.flow_steps import (
    EdgeStep,
    file_steps_from,
    file_steps_to,
    steps_from,
    steps_to,
)
from codeindex.types import Filters, Hit

if TYPE_CHECKING:
    import sqlite3

_HOPS = 8
"""Steps between symbols that are looked for (B2 asks for three at least)."""
_CERTAIN_HOPS = 6
"""Certain steps that are preferred to a shorter way over guesses."""
_FILE_HOPS = 3
"""Steps between files: with more, anything leads anywhere."""
_PATHS = 3
"""Paths of one answer."""


@dataclass(frozen=True, slots=True)
class FlowStep:
    """A step of a path as people see it."""

    source: str
    target: str
    kind: str
    certainty: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class FlowAnswer:
    """The best path first; `hits` are the lines of all steps in order."""

    question: Classification
    start: str
    goal: str
    paths: tuple[tuple[FlowStep, ...], ...]
    hits: tuple[Hit, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return what the answer's `meta` says of it."""
        names = FlowStep.__slots__
        return {
            "from": self.start,
            "to": self.goal,
            "paths": [
                [{name: getattr(one, name) for name in names} for one in path]
                for path in self.paths
            ],
        }


def answer_flow(
    catalog: Catalog,
    text: str,
    filters: Filters,
    *,
    repo: str,
    look: Callable[[str], Sequence[Hit]],
) -> FlowAnswer | None:
    """Answer a question about a way through the code; None for any other, or where there is none.

    `look` is the ordinary search, for ends that nothing is called like.
    """
    question = classify(text)
    said = parse_flow_endpoints(text) if question.type is QueryType.FLOW else None
    if said is None:
        return None
    connection = catalog.connection
    start, goal = (locate_endpoint(connection, one, look) for one in said)
    tests = filters.tests != "exclude" and _only_tests(connection, (*start.symbols, *goal.symbols))
    paths = _symbol_paths(connection, start, goal, tests=tests) or _file_paths(
        connection, start, goal, tests=tests
    )
    if not paths:
        return None
    files = paths[0][1]
    stops = tuple(_stops(connection, path, files=files) for path, _ in paths)
    return FlowAnswer(question, *said, paths=stops, hits=_hits(connection, stops, repo=repo))


def _only_tests(connection: sqlite3.Connection, symbols: Collection[int]) -> bool:
    """Tell whether an end is in tests, so that the way may lead through them."""
    return bool(set(symbols) - outside_of_tests(connection, symbols))


def outside_of_tests(connection: sqlite3.Connection, symbols: Collection[int]) -> set[int]:
    return _kept(connection, symbols, "symbols s JOIN files f ON f.id = s.file_id", "s.id")


def _kept(
    connection: sqlite3.Connection, ids: Collection[int], tables: str, column: str
) -> set[int]:
    listed = ", ".join(map(str, ids))
    rows = connection.execute(
        f"SELECT {column} FROM {tables} WHERE NOT f.is_test AND {column} IN ({listed})"  # noqa: S608 (numbers)
    )
    return {one for (one,) in rows}


_Ranked = list[tuple[tuple[EdgeStep, ...], bool]]


def _symbol_paths(
    connection: sqlite3.Connection, start: FlowEndpoint, goal: FlowEndpoint, *, tests: bool
) -> _Ranked:
    """Look for certain steps, and only if there is no such way for possible ones."""
    open_of = set if tests else partial(outside_of_tests, connection)
    for certain, hops in ((True, _CERTAIN_HOPS), (False, _HOPS)):
        ways = Traversal(steps_from, steps_to, open_of, certain=certain)
        found = shortest_paths(connection, ways, start.symbols, goal.symbols, hops=hops)
        if found:
            return [(one, False) for one in _ranked(connection, found)]
    return []


def _file_paths(
    connection: sqlite3.Connection, start: FlowEndpoint, goal: FlowEndpoint, *, tests: bool
) -> _Ranked:
    def open_of(ids: Collection[int]) -> set[int]:
        return set(ids) if tests else _kept(connection, ids, "files f", "f.id")

    sides = [one.files or _files_of(connection, one.symbols) for one in (start, goal)]
    named = start.files or goal.files  # between two functions, imports are no way
    if not named or set(sides[0]) & set(sides[1]):
        return []
    ways = Traversal(file_steps_from, file_steps_to, open_of, certain=False)
    found = shortest_paths(connection, ways, *sides, hops=_FILE_HOPS)
    return [(one, True) for one in _ranked(connection, found)]


def _files_of(connection: sqlite3.Connection, symbols: Collection[int]) -> tuple[int, ...]:
    listed = ", ".join(map(str, symbols))
    rows = connection.execute(f"SELECT DISTINCT file_id FROM symbols WHERE id IN ({listed})")  # noqa: S608 (numbers)
    return tuple(one for (one,) in rows)


def _ranked(
    connection: sqlite3.Connection, paths: Sequence[tuple[EdgeStep, ...]]
) -> list[tuple[EdgeStep, ...]]:
    """Put first what is certain, then what leads through central files."""
    central = dict(connection.execute("SELECT id, centrality FROM files").fetchall())
    ordered = sorted(
        (path for path in paths if path),
        key=lambda path: (
            len(path),
            sum(map(step_cost, path)),
            -sum(central.get(one.file, 0.0) for one in path),
            path,
        ),
    )
    return ordered[:_PATHS]


def _stops(
    connection: sqlite3.Connection, path: Sequence[EdgeStep], *, files: bool
) -> tuple[FlowStep, ...]:
    paths = dict(connection.execute("SELECT id, path FROM files").fetchall())

    def key(one: int) -> str:
        if files:
            return str(paths[one])
        file, qualified = connection.execute(
            "SELECT file_id, qualified FROM symbols WHERE id = ?", (one,)
        ).fetchone()
        return f"{paths[file]}::{qualified}"

    return tuple(
        FlowStep(
            key(one.source), key(one.target), one.kind, one.certainty, paths[one.file], one.line
        )
        for one in path
    )


def _hits(
    connection: sqlite3.Connection, paths: Sequence[Sequence[FlowStep]], *, repo: str
) -> tuple[Hit, ...]:
    """Read the lines of the steps, each once, in the order of the paths."""
    stops: dict[tuple[str, int], FlowStep] = {}
    for stop in (one for path in paths for one in path):
        stops.setdefault((stop.path, stop.line), stop)
    return tuple(line_hits(connection, map(_line, stops.values()), repo=repo))


def _line(stop: FlowStep) -> HitLine:
    own = stop.target if stop.kind in {"constructs", "overridden"} else stop.source
    return HitLine(
        stop.path,
        stop.line,
        symbol=own.partition("::")[2],
        kind="step",
        score=1.0 if stop.certainty == "resolved" else 0.5,
        why=f"{stop.kind} {stop.target} ({stop.certainty})",
    )
