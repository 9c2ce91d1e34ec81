"""The map of a repository: its files, how large, hard and busy they are, and who uses whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from codeindex.analysis.overview.parts import FileMap, HotFile, MapFile, MapLink, UnlistedFolder
from codeindex.store.graph.dependencies import file_dependencies
from codeindex.types import SymbolKind

if TYPE_CHECKING:
    import sqlite3

    from codeindex.store.symbols.complexity import FunctionMetrics
    from codeindex.store.symbols.declarations import FileRow

MAX_MAP_FILES = 5000
"""A page of so many opens in under two seconds; of more, the most used are listed."""
MAX_HOT_FILES = 100


def make_file_map(
    connection: sqlite3.Connection,
    files: Sequence[FileRow],
    functions: Sequence[FunctionMetrics],
    commits: Mapping[str, int],
) -> FileMap:
    """Return the map of these files."""
    complexity: Counter[str] = Counter()
    for one in functions:
        complexity[one.path] += one.cyclomatic
    shown = _most_used(connection, files)
    place = {one.id: at for at, one in enumerate(shown)}
    links = [
        MapLink(place[one.source], place[one.target], one.uses)
        for one in file_dependencies(connection)
        if one.source in place and one.target in place
    ]
    rows = tuple(
        MapFile(
            path=one.path,
            language=one.language,
            lines=one.lines,
            is_test=bool(one.is_test),
            complexity=complexity[one.path],
            commits=commits.get(one.path, 0),
        )
        for one in shown
    )
    return FileMap(rows, tuple(links), _rest(files, {one.path for one in shown}))


def _most_used(connection: sqlite3.Connection, files: Sequence[FileRow]) -> list[FileRow]:
    if len(files) <= MAX_MAP_FILES:
        return list(files)
    rank = dict(connection.execute("SELECT id, centrality FROM files"))
    best = sorted(files, key=lambda one: (-rank.get(one.id, 0.0), one.path))[:MAX_MAP_FILES]
    return sorted(best, key=lambda one: one.path)


def _rest(files: Sequence[FileRow], shown: Collection[str]) -> tuple[UnlistedFolder, ...]:
    left: dict[str, list[int]] = defaultdict(list)
    for one in files:
        if one.path not in shown:
            left[one.path.rpartition("/")[0]].append(one.lines)
    return tuple(
        UnlistedFolder(folder, len(rows), sum(rows)) for folder, rows in sorted(left.items())
    )


def rank_hot_files(
    files: Sequence[FileRow], functions: Sequence[FunctionMetrics], commits: Mapping[str, int]
) -> tuple[HotFile, ...]:
    """Return the files outside of tests whose complexity times changes is highest."""
    known: dict[str, list[int]] = defaultdict(list)
    for one in functions:
        if one.cyclomatic and one.kind != SymbolKind.TEST:
            known[one.path].append(one.cyclomatic)
    found = [
        HotFile(
            path=one.path,
            complexity=sum(known[one.path]),
            commits=commits.get(one.path, 0),
            score=sum(known[one.path]) * commits.get(one.path, 0),
            functions=len(known[one.path]),
            lines=one.lines,
        )
        for one in files
        if one.path in known and not one.is_test
    ]
    found.sort(key=lambda one: (-one.score, -one.complexity, one.path))
    return tuple(found[:MAX_HOT_FILES])
