"""Define the requests about the contents of files and folders: `Index.source`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated

from codeindex.api.requests.base import NumberBounds, Request
from codeindex.api.requests.fields import (
    LIMIT_HELP,
    EndLineParameter,
    GlobParameter,
    PathParameter,
    PathsParameter,
    StartLineParameter,
    SymbolParameter,
)


@dataclass(frozen=True, slots=True)
class TreeRequest(Request, capability="source.tree"):
    """Show the indexed folders and files, all or those below PATH."""

    path: PathParameter = ""
    _: KW_ONLY
    depth: Annotated[int, "Levels of folders, or steps of dependencies, to show; 0 for all."] = 0


@dataclass(frozen=True, slots=True)
class DeclarationsRequest(Request, capability="source.declarations"):
    """List the declarations of the file PATH, in their order."""

    path: PathParameter
    _: KW_ONLY
    kind: Annotated[str, "Only this kind: function, class, method and so on."] = ""
    shallow: Annotated[bool, "Leave out members and documentation."] = False


@dataclass(frozen=True, slots=True)
class PublicApiRequest(Request, capability="source.public_api"):
    """List the public API of a file, a folder or the repository; at most 2000 declarations."""

    path: PathParameter = ""
    _: KW_ONLY
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 2000)] = 500


@dataclass(frozen=True, slots=True)
class SummaryRequest(Request, capability="source.summary"):
    """Summarize the file PATH: what it imports and declares, and how it is tested."""

    path: PathParameter


@dataclass(frozen=True, slots=True)
class SummariesRequest(Request, capability="source.summaries"):
    """Summarize up to 30 files: PATHS, or those that a glob matches."""

    paths: PathsParameter = ()
    _: KW_ONLY
    glob: GlobParameter = ""


@dataclass(frozen=True, slots=True)
class ReadRequest(Request, capability="source.read"):
    """Read PATH: SYMBOLS in it, lines, or all; 200 lines a symbol, 500 together.

    SYMBOLS need no path, and may be lines: `a.go:10-40`.
    """

    path: PathParameter = ""
    symbols: Annotated[tuple[str, ...], "Symbols of the file."] = ()
    _: KW_ONLY
    start_line: StartLineParameter = 0
    end_line: EndLineParameter = 0
    expand: Annotated[int, "Lines to add above and below."] = 0
    collapse: Annotated[bool, "Show inner blocks as `{ ... }`."] = False


@dataclass(frozen=True, slots=True)
class TokenEstimateRequest(Request, capability="source.token_estimate"):
    """Estimate what reading costs: a file, a symbol of it, or all files of a folder or glob."""

    path: PathParameter = ""
    _: KW_ONLY
    symbol: SymbolParameter = ""
    directory: Annotated[str, "A folder: every file below it."] = ""
    glob: GlobParameter = ""


@dataclass(frozen=True, slots=True)
class FileContextRequest(Request, capability="source.file_context"):
    """Summarize the file PATH, its importers, what they use of it, and its tests."""

    path: PathParameter
    _: KW_ONLY
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 50)] = 20
