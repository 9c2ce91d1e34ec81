"""How complex, documented and tested the code of a place is, in numbers."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from codeindex.analysis.file_selection import select_files
from codeindex.analysis.visibility import public_ids
from codeindex.store.symbols.complexity import FunctionMetrics, function_metrics, grep_chunks
from codeindex.store.symbols.declarations import declarations_in
from codeindex.types import SymbolKind

if TYPE_CHECKING:
    import sqlite3

HIGH_COMPLEXITY = 10
"""McCabe's own bound for a function that should be split; the tool's contract has it too."""
_HOTTEST, _LEAST_FUNCTIONS = 5, 2
_DEPRECATED = re.compile(r"\bdeprecated\b", re.IGNORECASE)
_MARKED_DEPRECATED = re.compile(
    r"[@\[(]\s*(?:\w+(?:\.|::))*deprecated\b|\[Obsolete\b", re.IGNORECASE
)
_TEST = re.compile(
    r"@(?:\w+)?Test\b|#\[(?:\w+::)?test\b|\[(?:Fact|Theory|Test|TestCase|TestMethod)\b"
)
_TEST_NAME = re.compile(r"(?:test|Test|Benchmark|Example|Fuzz)(?=[A-Z_\d]|$)|test\w")


@dataclass(frozen=True, slots=True)
class ComplexityStats:
    """The spread of cyclomatic complexity; the 90th percentile is a value that occurs."""

    avg: float
    median: float
    max: int
    p90: int


@dataclass(frozen=True, slots=True)
class HottestFile:
    """A file by the complexity of its functions."""

    file: str
    functions: int
    avg_complexity: float
    max_complexity: int


class HealthAverageDict(TypedDict):
    """An average in JSON."""

    avg: float


class HealthDict(TypedDict):
    """What `Health` is in JSON."""

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
    """`total_functions` counts all but tests that are none, `analyzed` those with a body.

    Averages are over the latter.
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
            "hottest_files": [asdict(one) for one in self.hottest_files],
        }

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        rows = []
        for name, value in self.as_dict().items():
            if isinstance(value, Mapping):
                rows += [(f"{name}.{key}", str(one)) for key, one in value.items()]
            elif not isinstance(value, list):
                rows.append((name, str(value)))
        rows += [(f"hottest:{one.file}", str(one.avg_complexity)) for one in self.hottest_files]
        return ("measure", "value"), rows

    def text(self) -> Iterator[str]:
        spread = self.complexity
        yield f"{self.path or 'all'}: {self.total_functions} functions in {len(self.files)} files"
        yield (
            f"complexity: {spread.avg:g} on average, {spread.median:g} at the median,"
            f" {spread.p90} at the 90th percentile, {spread.max} at most"
        )
        yield (
            f"{self.high_complexity_count} functions ({self.high_complexity_pct:g} %) have"
            f" {HIGH_COMPLEXITY} paths or more"
        )
        yield (
            f"on average {self.nesting:g} deep, {self.params:g} parameters,"
            f" {self.body_lines:g} lines"
        )
        yield (
            f"{self.documented_pct:g} % documented, {self.test_count} tests,"
            f" {self.deprecated_count} deprecated, {self.public_api_count} public declarations"
        )
        for one in self.hottest_files:
            yield (
                f"{one.file}: {one.functions} functions, complexity {one.avg_complexity:g} on"
                f" average, {one.max_complexity} at most"
            )


def measure_health(connection: sqlite3.Connection, path: str) -> Health:
    """Return the figures of a file, a folder, or everything."""
    files = select_files(connection, path)
    known = function_metrics(connection, {one.path for one in files})
    functions = [one for one in known if one.kind != SymbolKind.TEST]
    bodies = [one for one in functions if one.cyclomatic]
    own = [one.id for one in files if not one.is_test]
    return Health(
        path=path,
        files=tuple(one.path for one in files),
        total_functions=len(functions),
        analyzed=len(bodies),
        complexity=_spread([one.cyclomatic for one in bodies]),
        nesting=_average(one.max_nesting for one in bodies),
        params=_average(one.param_count for one in bodies),
        body_lines=_average(one.body_lines for one in bodies),
        high_complexity_count=sum(one.cyclomatic >= HIGH_COMPLEXITY for one in bodies),
        documented_pct=_percent(sum(bool(one.doc) for one in functions), len(functions)),
        test_count=_tests(connection, known),
        deprecated_count=_deprecated(connection, functions),
        public_api_count=len(public_ids(connection, declarations_in(connection, own))),
        hottest_files=_hottest(bodies),
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
    known = list(values)
    return round(statistics.fmean(known), 2) if known else 0.0


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def _deprecated(connection: sqlite3.Connection, functions: Iterable[FunctionMetrics]) -> int:
    """Count functions that say so in their documentation, or in an attribute above the name."""
    marked = grep_chunks(connection, _MARKED_DEPRECATED, "eprecated", "[Obsolete")
    return sum(bool(_DEPRECATED.search(one.doc)) or _is_marked(one, marked) for one in functions)


def _tests(connection: sqlite3.Connection, functions: Iterable[FunctionMetrics]) -> int:
    """Count what a test runner would run: by its form, its name in a test file, or its mark."""
    marked = grep_chunks(connection, _TEST, "Test", "test]", "[Fact", "[Theory")
    return sum(
        one.kind == SymbolKind.TEST
        or bool(one.is_test and _TEST_NAME.match(one.qualified.rpartition(".")[2]))
        or _is_marked(one, marked)
        for one in functions
    )


def _is_marked(one: FunctionMetrics, lines: Mapping[str, set[int]]) -> bool:
    here = lines.get(one.path, set())
    return not here.isdisjoint(range(one.start_line, one.line + 1))


def _hottest(bodies: Iterable[FunctionMetrics]) -> tuple[HottestFile, ...]:
    by_file: dict[str, list[int]] = defaultdict(list)
    for one in bodies:
        by_file[one.path].append(one.cyclomatic)
    found = [
        HottestFile(path, len(values), _average(values), max(values))
        for path, values in by_file.items()
        if len(values) >= _LEAST_FUNCTIONS
    ]
    found.sort(key=lambda one: (-one.avg_complexity, -one.max_complexity, one.file))
    return tuple(found[:_HOTTEST])
