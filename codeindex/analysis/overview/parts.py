"""Define the parts of the repository report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from codeindex.analysis.repository.health import Health
from codeindex.analysis.repository.hotspots import Hotspots
from codeindex.analysis.repository.patterns import FilePatterns


@dataclass(frozen=True, slots=True)
class MapFile:
    """A file of the map in the report.

    `complexity` is summed over its functions; `commits` is the number of commits that changed it.
    """

    path: str
    language: str
    lines: int
    is_test: bool
    complexity: int
    commits: int


@dataclass(frozen=True, slots=True)
class MapLink:
    """The uses of one file by another; `source` and `target` are indices into the map's files."""

    source: int
    target: int
    uses: int


@dataclass(frozen=True, slots=True)
class UnlistedFolder:
    """The number and lines of the files in a folder that the map does not list."""

    folder: str
    files: int
    lines: int


@dataclass(frozen=True, slots=True)
class FileMap:
    """The files in the map of the report and their links.

    `rest` counts the files beyond the limit, by folder.
    """

    files: tuple[MapFile, ...]
    links: tuple[MapLink, ...]
    rest: tuple[UnlistedFolder, ...]


@dataclass(frozen=True, slots=True)
class HotFile:
    """A complex file that changes often; `score` is complexity times commits."""

    path: str
    complexity: int
    commits: int
    score: int
    functions: int
    lines: int


@dataclass(frozen=True, slots=True)
class ChangeCluster:
    """Files that change in the same commits.

    `commits` counts the commits that change at least two of the files. `strength` is the mean
    Jaccard index of the commits of each two files. `linked` is true if one of the files uses
    another.
    """

    files: tuple[str, ...]
    commits: int
    strength: float
    linked: bool


@dataclass(frozen=True, slots=True)
class SkipCount:
    """A reason why files are not indexed, and their number; `paths` are the first of them."""

    reason: str
    files: int
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IndexCoverage:
    """Counts of indexed, skipped and failed files; `unparsed` has (path, reason) pairs."""

    indexed: int
    skipped: int
    failed: int
    reasons: tuple[SkipCount, ...]
    unparsed: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class IndexState:
    """The state of the index, without absolute paths, so that the report can be shared."""

    repo: str
    path: str
    version: int
    complete: bool
    written_at: str
    branch: str
    head: str
    model: str
    size_bytes: int
    chunks: int
    symbols: int
    words: float
    vectors: float
    commits: int


@dataclass(frozen=True, slots=True)
class UsageDay:
    """The searches of one day; `whole_tokens` counts the tokens of the files that answers cite."""

    date: str
    searches: int
    found_nothing: int
    answer_tokens: int
    whole_tokens: int


@dataclass(frozen=True, slots=True)
class SearchUsage:
    """Searches by day and question type; `p50` and `p95` are response times in milliseconds."""

    days: tuple[UsageDay, ...]
    by_type: Mapping[str, int]
    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class OverviewParts:
    """All parts of the report; `spread` has (range of complexity, number of functions) pairs."""

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
