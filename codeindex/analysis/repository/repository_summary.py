"""Summarize a repository: the content of INDEX.md as an answer."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypedDict

from codeindex.analysis.repository.index_file import DEFAULT_INDEX_TOKENS, render_map
from codeindex.analysis.repository.repository_map import RepositoryMap
from codeindex.types.report import Table


class AreaSummaryDict(TypedDict):
    """A folder with its own files; `symbols` are those that most other files use."""

    path: str
    files: int
    purpose: str
    symbols: list[str]


class RepositorySummaryDict(TypedDict):
    """The JSON form of `RepositorySummary`; `languages` counts files."""

    name: str
    purpose: str
    files: int
    lines: int
    languages: dict[str, int]
    areas: list[AreaSummaryDict]
    entry_points: list[str]


@dataclass(frozen=True, slots=True)
class RepositorySummary:
    """A short description of a repository: purpose, areas, entry points, languages."""

    map: RepositoryMap

    @property
    def paths(self) -> Collection[str]:
        return ()

    def as_dict(self) -> RepositorySummaryDict:
        return {
            "name": self.map.name,
            "purpose": self.map.purpose,
            "files": self.map.files,
            "lines": self.map.lines,
            "languages": dict(self.map.languages),
            "areas": [
                {
                    "path": area.path or ".",
                    "files": area.files,
                    "purpose": area.purpose,
                    "symbols": [symbol.name for symbol in area.symbols],
                }
                for area in self.map.areas
            ],
            "entry_points": [place for place, _ in self.map.entries],
        }

    def columns(self) -> Table:
        rows = [(area.path or ".", str(area.files), area.purpose) for area in self.map.areas]
        return ("path", "files", "purpose"), rows

    def text(self) -> Iterator[str]:
        yield from render_map(self.map, budget=DEFAULT_INDEX_TOKENS).rstrip("\n").split("\n")
