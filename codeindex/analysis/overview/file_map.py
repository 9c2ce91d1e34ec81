"""Make the file map (size, complexity, commits, links), and rank hot files."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from codeindex.analysis.overview.parts import FileMap, HotFile, MapFile, MapLink, UnlistedFolder
from codeindex.store.catalog.files import FileRecord
from codeindex.store.graph.dependencies import file_dependencies
from codeindex.store.symbols.complexity import FunctionMetrics
from codeindex.types import SymbolKind

MAX_MAP_FILES = 5000
"""Most files in the map; only the most central ones are listed if there are more. A page with so
many opens in under two seconds."""
MAX_HOT_FILES = 100


def make_file_map(
    connection: sqlite3.Connection,
    files: Sequence[FileRecord],
    functions: Sequence[FunctionMetrics],
    commits: Mapping[str, int],
) -> FileMap:
    """Return the file map of the overview report: the files, and which of them use which.

    A file's complexity is the sum over its `functions`; `commits` has the number of commits of each
    path. Beyond `MAX_MAP_FILES`, the files that are used least are only counted, by folder.
    """
    complexity: Counter[str] = Counter()
    for function in functions:
        complexity[function.path] += function.cyclomatic
    shown_files = _most_used(files)
    place = {file.id: at for at, file in enumerate(shown_files)}
    links = [
        MapLink(place[dependency.source], place[dependency.target], dependency.uses)
        for dependency in file_dependencies(connection)
        if dependency.source in place and dependency.target in place
    ]
    rows = tuple(
        MapFile(
            path=file.path,
            language=file.language,
            lines=file.lines,
            is_test=bool(file.is_test),
            complexity=complexity[file.path],
            commits=commits.get(file.path, 0),
        )
        for file in shown_files
    )
    return FileMap(rows, tuple(links), _rest(files, {file.path for file in shown_files}))


def _most_used(files: Sequence[FileRecord]) -> list[FileRecord]:
    if len(files) <= MAX_MAP_FILES:
        return list(files)
    best = sorted(files, key=lambda file: (-file.centrality, file.path))[:MAX_MAP_FILES]
    return sorted(best, key=lambda file: file.path)


def _rest(files: Sequence[FileRecord], shown_paths: Collection[str]) -> tuple[UnlistedFolder, ...]:
    left: dict[str, list[int]] = defaultdict(list)
    for file in files:
        if file.path not in shown_paths:
            left[file.path.rpartition("/")[0]].append(file.lines)
    return tuple(
        UnlistedFolder(folder, len(rows), sum(rows)) for folder, rows in sorted(left.items())
    )


def rank_hot_files(
    files: Sequence[FileRecord], functions: Sequence[FunctionMetrics], commits: Mapping[str, int]
) -> tuple[HotFile, ...]:
    """Return up to `MAX_HOT_FILES` files by complexity times commits, highest first.

    Tests are left out. `commits` has the number of commits of each path.
    """
    complexities: dict[str, list[int]] = defaultdict(list)
    for function in functions:
        if function.cyclomatic and function.kind != SymbolKind.TEST:
            complexities[function.path].append(function.cyclomatic)
    hot_files = [
        HotFile(
            path=file.path,
            complexity=sum(complexities[file.path]),
            commits=commits.get(file.path, 0),
            score=sum(complexities[file.path]) * commits.get(file.path, 0),
            functions=len(complexities[file.path]),
            lines=file.lines,
        )
        for file in files
        if file.path in complexities and not file.is_test
    ]
    hot_files.sort(key=lambda file: (-file.score, -file.complexity, file.path))
    return tuple(hot_files[:MAX_HOT_FILES])
