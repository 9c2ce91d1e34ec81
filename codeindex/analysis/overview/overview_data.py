"""The contents of the repository report, apart from its renderings."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from codeindex.analysis.overview.parts import (
    ChangeCluster,
    FileMap,
    HotFile,
    IndexCoverage,
    IndexState,
    SearchUsage,
)
from codeindex.analysis.repository.health import Health
from codeindex.analysis.repository.hotspots import Hotspots
from codeindex.analysis.repository.patterns import FilePatterns
from codeindex.types.report import Table


@dataclass(frozen=True, slots=True)
class OverviewData:
    """All parts of the report; `spread` counts functions per complexity bucket."""

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
