"""A repository at a glance: what a person wants to know before they read any of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.file_selection import normalize_path, select_files
from codeindex.analysis.overview.clusters import find_clusters
from codeindex.analysis.overview.coverage import measure_coverage
from codeindex.analysis.overview.file_map import make_file_map, rank_hot_files
from codeindex.analysis.overview.parts import (
    ChangeCluster,
    FileMap,
    HotFile,
    IndexCoverage,
    IndexState,
    SearchUsage,
)
from codeindex.analysis.repository.health import Health, measure_health
from codeindex.analysis.repository.hotspots import Hotspots, find_hotspots
from codeindex.analysis.repository.patterns import MAX_PATTERNS, FilePatterns, list_patterns
from codeindex.errors import QueryError
from codeindex.store.catalog.commits import files_by_commit
from codeindex.store.symbols.complexity import function_metrics

if TYPE_CHECKING:
    import sqlite3

    from codeindex.store.symbols.complexity import FunctionMetrics

COMPLEXITY_BUCKETS = (
    ("1 to 5", 5),
    ("6 to 10", 10),
    ("11 to 20", 20),
    ("21 to 50", 50),
    ("over 50", 1 << 30),
)
"""Ways through a function, in steps that people use: ten is McCabe's own limit."""
_FUNCTIONS = 50


@dataclass(frozen=True, slots=True)
class RepositoryOverview:
    """All that the report shows; `spread` counts functions by the ways through them."""

    state: IndexState
    landscape: FileMap
    hot_files: tuple[HotFile, ...]
    hotspots: Hotspots
    health: Health
    spread: tuple[tuple[str, int], ...]
    clusters: tuple[ChangeCluster, ...]
    patterns: FilePatterns
    cover: IndexCoverage
    use: SearchUsage

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(one.path for one in self.landscape.files)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"health": dict(self.health.as_dict())}

    def columns(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        header = ("file", "language", "lines", "complexity", "commits")
        rows = [
            (one.path, one.language, str(one.lines), str(one.complexity), str(one.commits))
            for one in self.landscape.files
        ]
        return header, rows

    def text(self) -> Iterator[str]:
        from codeindex.analysis.overview.text import render_text

        return render_text(self)

    def html(self) -> str:
        """Return one page that needs nothing but itself."""
        from codeindex.analysis.overview.page import render_html

        return render_html(self)


def make_overview(
    connection: sqlite3.Connection, path: str, *, state: IndexState, use: SearchUsage
) -> RepositoryOverview:
    """Look at a file, a folder, or everything."""
    files = select_files(connection, path)
    place = normalize_path(path)
    within = {one.path for one in files}
    functions = function_metrics(connection, within)
    commits = files_by_commit(connection)
    changes = Counter(one for paths in commits.values() for one in paths)
    drawn = make_file_map(connection, files, functions, changes)
    linked = {(drawn.files[one.source].path, drawn.files[one.target].path) for one in drawn.links}
    own = ([one for one in paths if one in within] for paths in commits.values())
    return RepositoryOverview(
        state=state,
        landscape=drawn,
        hot_files=rank_hot_files(files, functions, changes),
        hotspots=find_hotspots(
            connection, limit=_FUNCTIONS, path=path, min_complexity=1, sort_by="score"
        ),
        health=measure_health(connection, path),
        spread=_spread(functions),
        clusters=find_clusters(own, linked),
        patterns=_patterns(connection, place),
        cover=measure_coverage(connection, place),
        use=use,
    )


def _spread(functions: Sequence[FunctionMetrics]) -> tuple[tuple[str, int], ...]:
    """Count functions by the first step that they do not exceed."""
    counts = Counter(
        next(label for label, most in COMPLEXITY_BUCKETS if one.cyclomatic <= most)
        for one in functions
        if one.cyclomatic
    )
    return tuple((label, counts[label]) for label, _ in COMPLEXITY_BUCKETS)


def _patterns(connection: sqlite3.Connection, place: str) -> FilePatterns:
    try:
        return list_patterns(connection, place, limit=MAX_PATTERNS)
    except QueryError:  # there is none
        return FilePatterns((), 0)
