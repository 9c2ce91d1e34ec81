"""Requests about how symbols and files depend on each other: `Index.graph`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Literal

from codeindex.api.requests.base import Bounds, Request
from codeindex.api.requests.fields import (
    RESULTS,
    IncludeTests,
    Path,
    Subject,
    SymbolName,
    TypeName,
)


@dataclass(frozen=True, slots=True)
class CallersRequest(Request, capability="graph.callers"):
    """List who calls SYMBOL: certain calls first, then calls that may be meant; at most 200."""

    symbol: SymbolName
    _: KW_ONLY
    path: Path = ""
    include_tests: IncludeTests = "include"
    limit: Annotated[int, RESULTS, Bounds(1, 200)] = 20


@dataclass(frozen=True, slots=True)
class CalleesRequest(Request, capability="graph.callees"):
    """List what SYMBOL calls, each once, in the order of its lines; at most 200."""

    symbol: SymbolName
    _: KW_ONLY
    limit: Annotated[int, RESULTS, Bounds(1, 200)] = 50


@dataclass(frozen=True, slots=True)
class ImplementersRequest(Request, capability="graph.implementers"):
    """List what implements SYMBOL, an interface, a type or a method of one; at most 500."""

    symbol: SymbolName
    _: KW_ONLY
    path: Path = ""
    include_tests: IncludeTests = "include"
    limit: Annotated[int, RESULTS, Bounds(1, 500)] = 50


@dataclass(frozen=True, slots=True)
class ImpactRequest(Request, capability="graph.impact"):
    """List what depends on SUBJECT (a path or a symbol), over others too, and tests to run."""

    subject: Subject
    _: KW_ONLY
    limit: Annotated[int, RESULTS, Bounds(1, 1000)] = 50


@dataclass(frozen=True, slots=True)
class ImportsRequest(Request, capability="graph.imports"):
    """List the import statements of the file PATH, and the files that they lead to."""

    path: Path


@dataclass(frozen=True, slots=True)
class RelatedTestsRequest(Request, capability="graph.related_tests"):
    """Find tests of SYMBOL by calls, imports and names, the surest first; at most 200."""

    symbol: SymbolName
    _: KW_ONLY
    path: Path = ""
    include_possible: Annotated[bool, "Also tests that may merely call it by its name."] = False
    limit: Annotated[int, RESULTS, Bounds(1, 200)] = 20


@dataclass(frozen=True, slots=True)
class TypeFlowRequest(Request, capability="graph.type_flow"):
    """List the functions that give TYPE_NAME and those that take it; at most 200 each."""

    type_name: TypeName
    _: KW_ONLY
    path: Path = ""
    include_fields: Annotated[bool, "Also fields of the type."] = False
    limit: Annotated[int, RESULTS, Bounds(1, 200)] = 50


@dataclass(frozen=True, slots=True)
class UnusedRequest(Request, capability="graph.unused"):
    """Find symbols below PATH that nothing is known to use: an estimate; at most 500."""

    path: Path = ""
    _: KW_ONLY
    exported: Annotated[bool, "Also what is exported and used nowhere here."] = False
    limit: Annotated[int, RESULTS, Bounds(1, 500)] = 100


@dataclass(frozen=True, slots=True)
class DependencyGraphRequest(Request, capability="graph.diagram"):
    """Draw what the files of PATH depend on, or which types extend which.

    Dependencies of a PATH are followed to their ends, or for `depth` steps.
    """

    path: Path = ""
    _: KW_ONLY
    level: Annotated[Literal["file", "symbol"], "What the nodes are."] = "file"
    format: Annotated[Literal["mermaid", "dot", "json", "html"], "How to draw it."] = "mermaid"
    depth: Annotated[int, "Levels of folders, or steps of dependency, to show; 0 for all."] = 0
    calls: Annotated[bool, "Also calls between symbols."] = False


@dataclass(frozen=True, slots=True)
class ExportGraphRequest(Request, capability="graph.export"):
    """Export files, symbols and the edges between them; `--json` gives all that is known."""

    path: Path = ""
