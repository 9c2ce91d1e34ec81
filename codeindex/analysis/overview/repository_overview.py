"""Gather the parts of the repository report from the catalog."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from codeindex.analysis.file_selection import catalog_path, select_files
from codeindex.analysis.overview.clusters import find_clusters
from codeindex.analysis.overview.file_map import make_file_map, rank_hot_files
from codeindex.analysis.overview.parts import (
    IndexCoverage,
    IndexState,
    OverviewParts,
    SearchUsage,
    SkipCount,
)
from codeindex.analysis.repository.health import measure_health
from codeindex.analysis.repository.hotspots import find_hotspots
from codeindex.analysis.repository.patterns import MAX_PATTERNS, FilePatterns, list_patterns
from codeindex.errors import QueryError
from codeindex.store.catalog.commits import files_by_commit
from codeindex.store.catalog.index_counts import count_indexed_below
from codeindex.store.catalog.skipped_files import list_unindexed
from codeindex.store.catalog.unparsed_code import unparsed_files
from codeindex.store.symbols.complexity import FunctionMetrics, function_metrics
from codeindex.types.report import Table

COMPLEXITY_BUCKETS = (
    ("1 to 5", 5),
    ("6 to 10", 10),
    ("11 to 20", 20),
    ("21 to 50", 50),
    ("over 50", 1 << 30),
)
"""Label and upper limit of each bucket of cyclomatic complexity; 10 is McCabe's limit."""
_FUNCTIONS = 50
MAX_NAMED_FILES = 200
"""Most files that are listed per reason; `codeindex files --skipped` lists all."""


@dataclass(frozen=True, slots=True)
class RepositoryOverview(OverviewParts):
    """The repository report, with its JSON, table, text and HTML forms."""

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(file.path for file in self.landscape.files)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"health": dict(self.health.as_dict())}

    def columns(self) -> Table:
        header = ("file", "language", "lines", "complexity", "commits")
        rows = [
            (file.path, file.language, str(file.lines), str(file.complexity), str(file.commits))
            for file in self.landscape.files
        ]
        return header, rows

    def text(self) -> Iterator[str]:
        from codeindex.analysis.overview.text import render_text

        return render_text(self)

    def html(self) -> str:
        """Return the report as an HTML page that loads nothing else."""
        from codeindex.analysis.overview.page import render_html

        return render_html(self)


def make_overview(
    connection: sqlite3.Connection, path: str, *, state: IndexState, use: SearchUsage
) -> RepositoryOverview:
    """Make the report about a file, a folder, or the whole repository."""
    files = select_files(connection, path)
    place = catalog_path(path)
    within = {file.path for file in files}
    functions = function_metrics(connection, within)
    commits = files_by_commit(connection)
    changes = Counter(path for paths in commits.values() for path in paths)
    drawn = make_file_map(connection, files, functions, changes)
    linked = {
        (drawn.files[link.source].path, drawn.files[link.target].path) for link in drawn.links
    }
    own_commits = ([path for path in paths if path in within] for paths in commits.values())
    return RepositoryOverview(
        state=state,
        landscape=drawn,
        hot_files=rank_hot_files(files, functions, changes),
        hotspots=find_hotspots(
            connection, limit=_FUNCTIONS, path=path, min_complexity=1, sort_by="score"
        ),
        health=measure_health(connection, path),
        spread=_spread(functions),
        clusters=find_clusters(own_commits, linked),
        patterns=_patterns(connection, place),
        cover=_measure_coverage(connection, place),
        use=use,
    )


def _spread(functions: Sequence[FunctionMetrics]) -> tuple[tuple[str, int], ...]:
    """Return the number of functions in each complexity bucket, as (label, count) pairs."""
    counts = Counter(
        next(label for label, most in COMPLEXITY_BUCKETS if function.cyclomatic <= most)
        for function in functions
        if function.cyclomatic
    )
    return tuple((label, counts[label]) for label, _ in COMPLEXITY_BUCKETS)


def _patterns(connection: sqlite3.Connection, place: str) -> FilePatterns:
    try:
        return list_patterns(connection, place, limit=MAX_PATTERNS)
    except QueryError:  # no file has a pattern
        return FilePatterns((), 0)


def _measure_coverage(connection: sqlite3.Connection, place: str) -> IndexCoverage:
    """Count the files below `place` that are not indexed or only partly parsed, by reason."""
    rows = list_unindexed(connection)
    left = [row for row in rows if _is_below(row[0], place)]
    counts = Counter(status for _, _, status in left)
    by_reason: dict[str, list[str]] = defaultdict(list)
    for path, reason, _ in left:
        by_reason[reason].append(path)
    reasons = [
        SkipCount(why, len(paths), tuple(paths[:MAX_NAMED_FILES]))
        for why, paths in by_reason.items()
    ]
    torn = [skipped for skipped in unparsed_files(connection) if _is_below(skipped.path, place)]
    return IndexCoverage(
        indexed=count_indexed_below(connection, place),
        skipped=counts["skipped"],
        failed=counts["failed"],
        reasons=tuple(sorted(reasons, key=lambda reason: (-reason.files, reason.reason))),
        unparsed=tuple((skipped.path, skipped.reason) for skipped in torn[:MAX_NAMED_FILES]),
    )


def _is_below(path: str, place: str) -> bool:
    return not place or path.rstrip("/") == place or path.startswith(f"{place}/")
