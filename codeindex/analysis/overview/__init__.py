"""A repository at a glance: what a person wants to know before they read any of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codeindex.analysis.file_selection import as_indexed, files_at
from codeindex.analysis.overview.clusters import clusters
from codeindex.analysis.overview.coverage import cover
from codeindex.analysis.overview.landscape import hot_files, landscape
from codeindex.analysis.overview.models import Cluster, Cover, HotFile, Landscape, State, Use
from codeindex.analysis.repository.health import Health, health
from codeindex.analysis.repository.hotspots import Hotspots, hotspots
from codeindex.analysis.repository.patterns import MOST, Patterns, patterns
from codeindex.errors import QueryError
from codeindex.store.catalog.commit_counts import files_by_commit
from codeindex.store.symbols.complexity import functions_of

if TYPE_CHECKING:
    import sqlite3

    from codeindex.store.symbols.complexity import Function

SPREAD = (("1 to 5", 5), ("6 to 10", 10), ("11 to 20", 20), ("21 to 50", 50), ("over 50", 1 << 30))
"""Ways through a function, in steps that people use: ten is McCabe's own limit."""
_FUNCTIONS = 50


@dataclass(frozen=True, slots=True)
class Overview:
    """All that the report shows; `spread` counts functions by the ways through them."""

    state: State
    landscape: Landscape
    hot_files: tuple[HotFile, ...]
    hotspots: Hotspots
    health: Health
    spread: tuple[tuple[str, int], ...]
    clusters: tuple[Cluster, ...]
    patterns: Patterns
    cover: Cover
    use: Use

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
        from codeindex.analysis.overview.text import lines_of

        return lines_of(self)

    def html(self) -> str:
        """Return one page that needs nothing but itself."""
        from codeindex.analysis.overview.page import page_of

        return page_of(self)


def overview(connection: sqlite3.Connection, path: str, *, state: State, use: Use) -> Overview:
    """Look at a file, a folder, or everything."""
    files = files_at(connection, path)
    place = as_indexed(path)
    within = {one.path for one in files}
    functions = functions_of(connection, within)
    commits = files_by_commit(connection)
    changes = Counter(one for paths in commits.values() for one in paths)
    drawn = landscape(connection, files, functions, changes)
    linked = {(drawn.files[one.source].path, drawn.files[one.target].path) for one in drawn.links}
    own = ([one for one in paths if one in within] for paths in commits.values())
    return Overview(
        state=state,
        landscape=drawn,
        hot_files=hot_files(files, functions, changes),
        hotspots=hotspots(
            connection, limit=_FUNCTIONS, path=path, min_complexity=1, sort_by="score"
        ),
        health=health(connection, path),
        spread=_spread(functions),
        clusters=clusters(own, linked),
        patterns=_patterns(connection, place),
        cover=cover(connection, place),
        use=use,
    )


def _spread(functions: Sequence[Function]) -> tuple[tuple[str, int], ...]:
    """Count functions by the first step that they do not exceed."""
    counts = Counter(
        next(label for label, most in SPREAD if one.cyclomatic <= most)
        for one in functions
        if one.cyclomatic
    )
    return tuple((label, counts[label]) for label, _ in SPREAD)


def _patterns(connection: sqlite3.Connection, place: str) -> Patterns:
    try:
        return patterns(connection, place, limit=MOST)
    except QueryError:  # there is none
        return Patterns((), 0)
