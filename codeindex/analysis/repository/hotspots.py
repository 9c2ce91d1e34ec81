"""The functions that are hardest to follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.file_selection import select_files
from codeindex.errors import QueryError
from codeindex.store.symbols.complexity import FunctionMetrics, function_metrics
from codeindex.types import SymbolKind

if TYPE_CHECKING:
    import sqlite3

HOTSPOT_ORDERS: Mapping[str, Callable[[FunctionMetrics], float]] = {
    "score": lambda one: one.score,
    "complexity": lambda one: one.cyclomatic,
    "nesting": lambda one: one.max_nesting,
    "params": lambda one: one.param_count,
    "body_lines": lambda one: one.body_lines,
}


@dataclass(frozen=True, slots=True)
class Hotspot:
    """A function with its measures."""

    file: str
    name: str
    kind: str
    line: int
    cyclomatic: int
    max_nesting: int
    param_count: int
    body_lines: int
    score: float


@dataclass(frozen=True, slots=True)
class Hotspots:
    """The worst functions of a place; `total` counts what the limit left out too."""

    total: int
    hotspots: tuple[Hotspot, ...]

    @property
    def paths(self) -> set[str]:
        return {one.file for one in self.hotspots}

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = [[str(getattr(one, field)) for field in _FIELDS] for one in self.hotspots]
        return _FIELDS, rows

    def text(self) -> Iterator[str]:
        noun = "function" if self.total == 1 else "functions"
        yield f"{self.total} {noun}, the worst {len(self.hotspots)}"
        for one in self.hotspots:
            yield (
                f"{one.file}:{one.line}: {one.name}  score {one.score:g}: {one.cyclomatic} paths,"
                f" {one.max_nesting} deep, {one.param_count} parameters, {one.body_lines} lines"
            )


_FIELDS = tuple(Hotspot.__slots__)


def find_hotspots(
    connection: sqlite3.Connection, *, limit: int, path: str, min_complexity: int, sort_by: str
) -> Hotspots:
    """Return the functions of a place that are highest by one measure, then by the score.

    A group of tests is as long as all that are in it, so tests that are no functions are left out.
    """
    if sort_by not in HOTSPOT_ORDERS:
        raise QueryError(f"sort_by is {sort_by!r}: use one of {', '.join(HOTSPOT_ORDERS)}.")
    order, least = HOTSPOT_ORDERS[sort_by], max(1, min_complexity)
    known = function_metrics(connection, {one.path for one in select_files(connection, path)})
    found = [one for one in known if one.cyclomatic >= least and one.kind != SymbolKind.TEST]
    found.sort(key=lambda one: (-order(one), -one.score, one.path, one.line))
    return Hotspots(len(found), tuple(_hotspot(one) for one in found[:limit]))


def _hotspot(one: FunctionMetrics) -> Hotspot:
    return Hotspot(
        file=one.path,
        name=one.qualified,
        kind=one.kind,
        line=one.line,
        cyclomatic=one.cyclomatic,
        max_nesting=one.max_nesting,
        param_count=one.param_count,
        body_lines=one.body_lines,
        score=round(one.score, 2),
    )
