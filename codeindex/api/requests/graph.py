"""Define the requests about how symbols and files depend on each other: `Index.graph`."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Literal

from codeindex.api.requests.base import NumberBounds, Request
from codeindex.api.requests.fields import (
    LIMIT_HELP,
    IncludeTestsParameter,
    PathParameter,
    SubjectParameter,
    SymbolParameter,
    TypeNameParameter,
    WithinParameter,
)


@dataclass(frozen=True, slots=True)
class CallersRequest(Request, capability="graph.callers"):
    """List the callers of SYMBOL: certain calls first, then possible ones; at most 200."""

    symbol: SymbolParameter
    _: KW_ONLY
    path: WithinParameter = ()
    include_tests: IncludeTestsParameter = "include"
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 200)] = 20


@dataclass(frozen=True, slots=True)
class CalleesRequest(Request, capability="graph.callees"):
    """List what SYMBOL calls, each once, in the order of its lines; at most 200."""

    symbol: SymbolParameter
    _: KW_ONLY
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 200)] = 50


@dataclass(frozen=True, slots=True)
class ImplementersRequest(Request, capability="graph.implementers"):
    """List the implementations of SYMBOL: an interface, a type or a method of one; at most 500."""

    symbol: SymbolParameter
    _: KW_ONLY
    path: WithinParameter = ()
    include_tests: IncludeTestsParameter = "include"
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 500)] = 50


@dataclass(frozen=True, slots=True)
class ImpactRequest(Request, capability="graph.impact"):
    """List what depends on SUBJECT (a path or symbol), directly or indirectly, and tests to run."""

    subject: SubjectParameter
    _: KW_ONLY
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 1000)] = 50


@dataclass(frozen=True, slots=True)
class ImportsRequest(Request, capability="graph.imports"):
    """List the import statements of the file PATH, and the files that they resolve to."""

    path: PathParameter


@dataclass(frozen=True, slots=True)
class RelatedTestsRequest(Request, capability="graph.related_tests"):
    """Find tests of SYMBOL by calls, imports and names, the most certain first; at most 200."""

    symbol: SymbolParameter
    _: KW_ONLY
    path: WithinParameter = ()
    include_possible: Annotated[bool, "Also tests that call something of its name."] = False
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 200)] = 20


@dataclass(frozen=True, slots=True)
class TypeFlowRequest(Request, capability="graph.type_flow"):
    """List the functions that return TYPE_NAME and those that take it; at most 200 each."""

    type_name: TypeNameParameter
    _: KW_ONLY
    path: WithinParameter = ()
    include_fields: Annotated[bool, "Also fields of the type."] = False
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 200)] = 50


@dataclass(frozen=True, slots=True)
class UnusedRequest(Request, capability="graph.unused"):
    """Find symbols below PATH without a known use: an estimate; at most 500."""

    path: PathParameter = ""
    _: KW_ONLY
    exported: Annotated[bool, "Also exported symbols that nothing here uses."] = False
    include_possible: Annotated[bool, "Also symbols that something may use."] = False
    limit: Annotated[int, LIMIT_HELP, NumberBounds(1, 500)] = 100


@dataclass(frozen=True, slots=True)
class DependencyGraphRequest(Request, capability="graph.diagram"):
    """Draw the dependencies of the files of PATH, or which types extend which.

    Dependencies of a PATH are followed to their ends, or for `depth` steps.
    """

    path: PathParameter = ""
    _: KW_ONLY
    level: Annotated[Literal["file", "symbol"], "What the nodes are."] = "file"
    format: Annotated[Literal["mermaid", "dot", "json", "html"], "How to draw it."] = "mermaid"
    depth: Annotated[
        int,
        "Levels of folders, or steps of dependencies, to show; 0 for all.",
        NumberBounds(0, advice="use a whole number of steps, 0 for all"),
    ] = 0
    calls: Annotated[bool, "Also calls between symbols."] = False


@dataclass(frozen=True, slots=True)
class ExportGraphRequest(Request, capability="graph.export"):
    """Export files, symbols and the edges between them; `--json` has all fields."""

    path: PathParameter = ""


@dataclass(frozen=True, slots=True)
class CompareRequest(Request, capability="graph.compare"):
    """Measure how well the graph's edges agree with a compiler's SCIP index, by language.

    The measures are recall and precision. The index is not used for the measured edges, and need
    not be in the repository.
    """

    index: Annotated[str, "Path of the index, absolute or relative to the root."] = "index.scip"
    _: KW_ONLY
    show: Annotated[int, "Most wrong and missed names to list.", NumberBounds(0, 1000)] = 0
