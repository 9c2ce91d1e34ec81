"""Define the requests about the whole repository: `Index.overview`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Literal

from codeindex.api.requests.base import NumberBounds, Request
from codeindex.api.requests.fields import LIMIT_HELP, NameParameter, PathParameter


@dataclass(frozen=True, slots=True)
class ReportRequest(Request, capability="overview.report"):
    """Report on PATH or the repository: map, hotspots, health, co-changes, coverage.

    `.html()` returns one self-contained page.
    """

    path: PathParameter = ""


@dataclass(frozen=True, slots=True)
class StatsRequest(Request, capability="overview.stats"):
    """Count the indexed files, lines, symbols and edges, by language and kind."""


@dataclass(frozen=True, slots=True)
class HealthRequest(Request, capability="overview.health"):
    """Measure how complex, documented and tested PATH or the repository is."""

    path: PathParameter = ""


@dataclass(frozen=True, slots=True)
class HotspotsRequest(Request, capability="overview.hotspots"):
    """List the most complex functions of PATH or the repository; at most 100.

    Score is cyclomatic complexity + nesting * 2 + parameters * 0.5 + lines of the body / 20.
    """

    path: PathParameter = ""
    _: KW_ONLY
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 100)] = 20
    min_complexity: Annotated[int, "Leave out simpler functions."] = 1
    sort_by: Annotated[
        Literal["score", "complexity", "nesting", "params", "body_lines"], "The measure to sort by."
    ] = "score"


@dataclass(frozen=True, slots=True)
class GuidesRequest(Request, capability="overview.guides"):
    """Show what the document PATH says and links to, or all navigation documents."""

    path: PathParameter = ""


@dataclass(frozen=True, slots=True)
class ModulesRequest(Request, capability="overview.modules"):
    """List the modules and their contents, with their descriptions from the settings."""


@dataclass(frozen=True, slots=True)
class MembersRequest(Request, capability="overview.members"):
    """List the members of the workspace (Cargo, npm, pnpm, yarn, Go or uv)."""


@dataclass(frozen=True, slots=True)
class PatternsRequest(Request, capability="overview.patterns"):
    """Show groups of files of the same structure, by NAME, file or folder; at most 200."""

    name: NameParameter = ""
    _: KW_ONLY
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 200)] = 20


@dataclass(frozen=True, slots=True)
class SecretsRequest(Request, capability="overview.secrets"):
    """List the redacted secrets of PATH or the repository: place, kind and fingerprint.

    The secret itself is never shown. A fingerprint is made with a key of this data folder and
    reveals nothing without it.
    """

    path: PathParameter = ""


@dataclass(frozen=True, slots=True)
class RegenerateIndexRequest(Request, capability="overview.regenerate_index"):
    """Index what changed, and write INDEX.md: a map of the repository in BUDGET tokens.

    An INDEX.md that codeindex has not written is not changed.
    """

    _: KW_ONLY
    budget: Annotated[int, "Most tokens of the answer.", NumberBounds(200, 100_000)] = 2_000
