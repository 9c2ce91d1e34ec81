"""Requests about the whole repository: `Index.overview`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated

from codeindex.api.requests.base import Bounds, Request
from codeindex.api.requests.fields import RESULTS, Name, Path


@dataclass(frozen=True, slots=True)
class ReportRequest(Request, capability="overview.report"):
    """Look at PATH or at everything: map, hotspots, health, what changes together, coverage.

    `.html()` is one page that needs nothing but itself.
    """

    path: Path = ""


@dataclass(frozen=True, slots=True)
class StatsRequest(Request, capability="overview.stats"):
    """Count the files, lines, symbols and edges that are indexed, by language and kind."""


@dataclass(frozen=True, slots=True)
class HealthRequest(Request, capability="overview.health"):
    """Sum up how complex, documented and tested PATH is, or everything."""

    path: Path = ""


@dataclass(frozen=True, slots=True)
class HotspotsRequest(Request, capability="overview.hotspots"):
    """List the functions that are hardest to follow, of PATH or of everything; at most 100.

    Score is cyclomatic complexity + nesting * 2 + parameters * 0.5 + lines of the body / 20.
    """

    path: Path = ""
    _: KW_ONLY
    limit: Annotated[int, RESULTS, Bounds(1, 100)] = 20
    min_complexity: Annotated[int, "Leave out functions that are simpler."] = 1
    sort_by: Annotated[str, "What the first is first by."] = "score"


@dataclass(frozen=True, slots=True)
class GuidesRequest(Request, capability="overview.guides"):
    """Show what the document PATH says and points at, or all that lead around."""

    path: Path = ""


@dataclass(frozen=True, slots=True)
class ModulesRequest(Request, capability="overview.modules"):
    """List the modules and what is in them, with what the settings say of them."""


@dataclass(frozen=True, slots=True)
class MembersRequest(Request, capability="overview.members"):
    """List the members of the workspace: of Cargo, npm, pnpm, yarn, Go or uv."""


@dataclass(frozen=True, slots=True)
class PatternsRequest(Request, capability="overview.patterns"):
    """Show groups of files that are built alike, by NAME, file or folder; at most 200."""

    name: Name = ""
    _: KW_ONLY
    limit: Annotated[int, RESULTS, Bounds(1, 200)] = 20


@dataclass(frozen=True, slots=True)
class SecretsRequest(Request, capability="overview.secrets"):
    """List what was taken out of PATH or of everything: where, of what kind, its fingerprint.

    The secret itself is never shown. A fingerprint is made with a key of this data folder and
    tells nothing without it.
    """

    path: Path = ""


@dataclass(frozen=True, slots=True)
class RegenerateIndexRequest(Request, capability="overview.regenerate_index"):
    """Index what changed, and write INDEX.md: a map of the repository in BUDGET tokens.

    An INDEX.md that codeindex has not made is left alone.
    """

    _: KW_ONLY
    budget: Annotated[int, "Most tokens of the answer.", Bounds(200, 100_000)] = 2_000
