"""What a report on a repository is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MapFile:
    """A file of the map; `complexity` sums up its functions, `commits` those that changed it."""

    path: str
    language: str
    lines: int
    is_test: bool
    complexity: int
    commits: int


@dataclass(frozen=True, slots=True)
class MapLink:
    """One file's uses of another, by their places in the map."""

    source: int
    target: int
    uses: int


@dataclass(frozen=True, slots=True)
class UnlistedFolder:
    """What of a folder the map does not list file by file."""

    folder: str
    files: int
    lines: int


@dataclass(frozen=True, slots=True)
class FileMap:
    """The map: files, who uses whom, and what did not fit."""

    files: tuple[MapFile, ...]
    links: tuple[MapLink, ...]
    rest: tuple[UnlistedFolder, ...]


@dataclass(frozen=True, slots=True)
class HotFile:
    """A file that is both hard to follow and changed often; `score` is the product."""

    path: str
    complexity: int
    commits: int
    score: int
    functions: int
    lines: int


@dataclass(frozen=True, slots=True)
class ChangeCluster:
    """Files that mostly change in the same commits; `commits` are those with two of them or more.

    `strength` is the mean share of commits that two of them have in common. `linked` says if one
    is known to use another.
    """

    files: tuple[str, ...]
    commits: int
    strength: float
    linked: bool


@dataclass(frozen=True, slots=True)
class SkipReason:
    """Why files are not indexed; `paths` are the first of them."""

    reason: str
    files: int
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IndexCoverage:
    """What the report rests on, and what is not in it."""

    indexed: int
    skipped: int
    failed: int
    reasons: tuple[SkipReason, ...]
    unparsed: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class IndexState:
    """What is indexed, how fresh it is, and what it was made with; no path of this machine."""

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
    """The searches of a day; tokens are those of answers, and of the files they cite."""

    date: str
    searches: int
    found_nothing: int
    answer_tokens: int
    whole_tokens: int


@dataclass(frozen=True, slots=True)
class SearchUsage:
    """How the repository was searched; `by_type` counts questions by their kind."""

    days: tuple[UsageDay, ...]
    by_type: Mapping[str, int]
    p50: float
    p95: float
