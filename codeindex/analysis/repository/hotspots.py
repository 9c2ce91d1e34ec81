"""Rank functions by their complexity."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from codeindex.analysis.file_selection import select_files
from codeindex.store.symbols.complexity import FunctionMetrics, function_metrics
from codeindex.types import SymbolKind
from codeindex.types.report import DataReport, Table, make_table, plural

_ORDERS: Mapping[str, Callable[[FunctionMetrics], float]] = {
    "score": lambda function: function.score,
    "complexity": lambda function: function.cyclomatic,
    "nesting": lambda function: function.max_nesting,
    "params": lambda function: function.param_count,
    "body_lines": lambda function: function.body_lines,
}


@dataclass(frozen=True, slots=True)
class Hotspot:
    """A function and its complexity metrics.

    `score` is a weighted sum of the other metrics; higher is worse. `max_nesting` counts levels of
    blocks.
    """

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
class Hotspots(DataReport):
    """The most complex functions; `total` counts before the limit."""

    total: int
    hotspots: tuple[Hotspot, ...]

    def columns(self) -> Table:
        return make_table(self.hotspots, Hotspot.__slots__)

    def text(self) -> Iterator[str]:
        yield f"{plural(self.total, 'function')}, the worst {len(self.hotspots)}"
        for hotspot in self.hotspots:
            yield (
                f"{hotspot.file}:{hotspot.line}: {hotspot.name}  score {hotspot.score:g}:"
                f" {plural(hotspot.cyclomatic, 'path')},"
                f" {hotspot.max_nesting} deep, {plural(hotspot.param_count, 'parameter')},"
                f" {plural(hotspot.body_lines, 'line')}"
            )


def find_hotspots(
    connection: sqlite3.Connection, *, limit: int, path: str, min_complexity: int, sort_by: str
) -> Hotspots:
    """Return the functions with the highest values of the metric `sort_by`; ties go by `score`.

    Test groups such as `describe(...)` are left out, because they contain all tests of the group,
    and generated files unless `path` has no others.
    """
    order, least = _ORDERS[sort_by], max(1, min_complexity)
    files = select_files(connection, path)
    written = [file for file in files if not file.is_generated] or files
    all_functions = function_metrics(connection, {file.path for file in written})
    matching = [
        function
        for function in all_functions
        if function.cyclomatic >= least and function.kind != SymbolKind.TEST
    ]
    matching.sort(
        key=lambda function: (-order(function), -function.score, function.path, function.line)
    )
    return Hotspots(len(matching), tuple(_hotspot(function) for function in matching[:limit]))


def _hotspot(function: FunctionMetrics) -> Hotspot:
    return Hotspot(
        file=function.path,
        name=function.qualified,
        kind=function.kind,
        line=function.line,
        cyclomatic=function.cyclomatic,
        max_nesting=function.max_nesting,
        param_count=function.param_count,
        body_lines=function.body_lines,
        score=round(function.score, 2),
    )
