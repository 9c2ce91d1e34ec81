"""Measure the complexity, documentation and tests of the functions below a path."""

from __future__ import annotations

import re
import sqlite3
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, TypedDict

from codeindex.analysis.file_selection import select_files
from codeindex.analysis.visibility import public_ids
from codeindex.languages import LANGUAGES
from codeindex.store.symbols.complexity import FunctionMetrics, function_metrics, grep_chunks
from codeindex.store.symbols.declarations import declarations_in
from codeindex.types import SymbolKind
from codeindex.types.report import Table, plural

HIGH_COMPLEXITY = 10
"""McCabe's limit: a function that reaches it should be split. The public tool promises this
number."""
_HOTTEST, _LEAST_FUNCTIONS = 5, 2
_DEPRECATED = re.compile(r"\bdeprecated\b", re.IGNORECASE)
_MARKED_DEPRECATED = re.compile(
    r"[@\[(]\s*(?:\w+(?:\.|::))*deprecated\b|\[Obsolete\b", re.IGNORECASE
)
_TEST_NAME = re.compile(r"(?:test|Test|Benchmark|Example|Fuzz)(?=[A-Z_\d]|$)|test\w")


@dataclass(frozen=True, slots=True)
class ComplexityStats:
    """The distribution of cyclomatic complexity; `p90` is the 90th percentile.

    `p90` is a value that occurs, not an interpolated one.
    """

    avg: float
    median: float
    max: int
    p90: int


@dataclass(frozen=True, slots=True)
class HottestFile:
    """A file with the average and the highest complexity of its functions."""

    file: str
    functions: int
    avg_complexity: float
    max_complexity: int


class HealthAverageDict(TypedDict):
    """The JSON form of an average over the analyzed functions."""

    avg: float


class HealthDict(TypedDict):
    """The JSON form of `Health`."""

    total_functions: int
    analyzed: int
    complexity: Annotated[dict[str, Any], ComplexityStats]
    nesting: HealthAverageDict
    params: HealthAverageDict
    body_lines: HealthAverageDict
    high_complexity_count: int
    high_complexity_pct: float
    documented_pct: float
    test_count: int
    deprecated_count: int
    public_api_count: int
    hottest_files: list[Annotated[dict[str, Any], HottestFile]]


@dataclass(frozen=True, slots=True)
class Health:
    """The measurements of a path.

    `total_functions` counts functions without test groups; `analyzed` counts those that have a
    body. The averages are over the analyzed functions.
    """

    path: str
    files: tuple[str, ...]
    total_functions: int
    analyzed: int
    complexity: ComplexityStats
    nesting: float
    params: float
    body_lines: float
    high_complexity_count: int
    documented_pct: float
    test_count: int
    deprecated_count: int
    public_api_count: int
    hottest_files: tuple[HottestFile, ...]

    @property
    def high_complexity_pct(self) -> float:
        return _percent(self.high_complexity_count, self.analyzed)

    @property
    def paths(self) -> tuple[str, ...]:
        return self.files

    def as_dict(self) -> HealthDict:
        return {
            "total_functions": self.total_functions,
            "analyzed": self.analyzed,
            "complexity": asdict(self.complexity),
            "nesting": {"avg": self.nesting},
            "params": {"avg": self.params},
            "body_lines": {"avg": self.body_lines},
            "high_complexity_count": self.high_complexity_count,
            "high_complexity_pct": self.high_complexity_pct,
            "documented_pct": self.documented_pct,
            "test_count": self.test_count,
            "deprecated_count": self.deprecated_count,
            "public_api_count": self.public_api_count,
            "hottest_files": [asdict(file) for file in self.hottest_files],
        }

    def columns(self) -> Table:
        rows = []
        for name, value in self.as_dict().items():
            if isinstance(value, Mapping):
                rows += [(f"{name}.{key}", str(number)) for key, number in value.items()]
            elif not isinstance(value, list):
                rows.append((name, str(value)))
        rows += [(f"hottest:{hot.file}", str(hot.avg_complexity)) for hot in self.hottest_files]
        return ("measure", "value"), rows

    def text(self) -> Iterator[str]:
        spread = self.complexity
        bodies = (
            "" if self.analyzed == self.total_functions else f", {self.analyzed:,} with a body,"
        )
        yield (
            f"{self.path or 'all'}: {plural(self.total_functions, 'function')}{bodies}"
            f" in {plural(len(self.files), 'file')}"
        )
        yield (
            f"complexity: {spread.avg:g} on average, {spread.median:g} at the median,"
            f" {spread.p90} at the 90th percentile, {spread.max} at most"
        )
        yield (
            f"{HIGH_COMPLEXITY} paths or more: {plural(self.high_complexity_count, 'function')}"
            f" ({self.high_complexity_pct:g} %)"
        )
        yield (
            f"on average: nesting {self.nesting:g}, parameters {self.params:g},"
            f" lines {self.body_lines:g}"
        )
        yield (
            f"{self.documented_pct:g} % documented, {plural(self.test_count, 'test')},"
            f" {self.deprecated_count} deprecated,"
            f" {plural(self.public_api_count, 'public declaration')}"
        )
        for file in self.hottest_files:
            yield (
                f"{file.file}: {plural(file.functions, 'function')},"
                f" complexity {file.avg_complexity:g} on average, {file.max_complexity} at most"
            )


def measure_health(connection: sqlite3.Connection, path: str) -> Health:
    """Measure the functions of a file, of a folder, or of the whole repository."""
    files = select_files(connection, path)
    all_functions = function_metrics(connection, {file.path for file in files})
    functions = [function for function in all_functions if function.kind != SymbolKind.TEST]
    bodies = [function for function in functions if function.cyclomatic]
    own_files = [file.id for file in files if not file.is_test]
    return Health(
        path=path,
        files=tuple(file.path for file in files),
        total_functions=len(functions),
        analyzed=len(bodies),
        complexity=_spread([function.cyclomatic for function in bodies]),
        nesting=_average(function.max_nesting for function in bodies),
        params=_average(function.param_count for function in bodies),
        body_lines=_average(function.body_lines for function in bodies),
        high_complexity_count=sum(function.cyclomatic >= HIGH_COMPLEXITY for function in bodies),
        documented_pct=_percent(sum(bool(function.doc) for function in functions), len(functions)),
        test_count=_count_tests(connection, all_functions),
        deprecated_count=_count_deprecated(connection, functions),
        public_api_count=len(public_ids(connection, declarations_in(connection, own_files))),
        hottest_files=_hottest_files(bodies),
    )


def _spread(values: Sequence[int]) -> ComplexityStats:
    if not values:
        return ComplexityStats(0.0, 0.0, 0, 0)
    ordered = sorted(values)
    return ComplexityStats(
        avg=_average(ordered),
        median=statistics.median(ordered),
        max=ordered[-1],
        p90=ordered[-(-9 * len(ordered) // 10) - 1],
    )


def _average(values: Iterable[int]) -> float:
    numbers = list(values)
    return round(statistics.fmean(numbers), 2) if numbers else 0.0


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def _count_deprecated(connection: sqlite3.Connection, functions: Iterable[FunctionMetrics]) -> int:
    """Count the functions that their documentation or attributes mark as deprecated."""
    marked = grep_chunks(connection, _MARKED_DEPRECATED, "eprecated", "[Obsolete")
    return sum(
        bool(_DEPRECATED.search(function.doc)) or _is_marked(function, marked)
        for function in functions
    )


def _count_tests(connection: sqlite3.Connection, functions: Iterable[FunctionMetrics]) -> int:
    """Count the functions that are tests by their kind, attribute, or name in a test file."""
    patterns = {language.test_annotation.pattern for language in LANGUAGES.values()}
    annotation = re.compile("|".join(sorted(patterns)))
    marked = grep_chunks(connection, annotation, "Test", "test", "Fact", "Theory")
    return sum(
        function.kind == SymbolKind.TEST
        or bool(function.is_test and _TEST_NAME.match(function.qualified.rpartition(".")[2]))
        or _is_marked(function, marked)
        for function in functions
    )


def _is_marked(function: FunctionMetrics, lines: Mapping[str, set[int]]) -> bool:
    here = lines.get(function.path, set())
    return not here.isdisjoint(range(function.start_line, function.line + 1))


def _hottest_files(bodies: Iterable[FunctionMetrics]) -> tuple[HottestFile, ...]:
    by_file: dict[str, list[int]] = defaultdict(list)
    for function in bodies:
        by_file[function.path].append(function.cyclomatic)
    files = [
        HottestFile(path, len(values), _average(values), max(values))
        for path, values in by_file.items()
        if len(values) >= _LEAST_FUNCTIONS
    ]
    files.sort(key=lambda file: (-file.avg_complexity, -file.max_complexity, file.file))
    return tuple(files[:_HOTTEST])
