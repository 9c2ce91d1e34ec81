"""Answer how symbols and files depend on each other: `Index.graph`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.analysis.relations.callees import Callees, find_callees
from codeindex.analysis.relations.callers import Callers, find_callers
from codeindex.analysis.relations.compiler_comparison import (
    CompilerComparison,
    compare_with_compiler,
)
from codeindex.analysis.relations.dependency_graph import DependencyGraph, make_dependency_graph
from codeindex.analysis.relations.foreign_uses import (
    ForeignNames,
    ForeignUses,
    find_uses_of_names,
    keep_names_of_subject,
    keep_published_names,
    list_external_names,
)
from codeindex.analysis.relations.graph_export import ExportedGraph, export_graph
from codeindex.analysis.relations.impact import Impact, find_impact
from codeindex.analysis.relations.implementers import Implementers, find_implementers
from codeindex.analysis.relations.imports import Imports, list_imports
from codeindex.analysis.relations.related_tests import (
    RelatedTests,
    TestSources,
    find_related_tests,
)
from codeindex.analysis.relations.type_flow import TypeFlow, find_type_flow
from codeindex.analysis.relations.unused import UnusedSymbols, find_unused
from codeindex.api.capability import capability
from codeindex.api.component import Component
from codeindex.api.deprecated import warn_once
from codeindex.api.listing import listing_filter
from codeindex.api.requests.graph import (
    CalleesRequest,
    CallersRequest,
    CompareRequest,
    DependencyGraphRequest,
    ExportGraphRequest,
    ImpactRequest,
    ImplementersRequest,
    ImportsRequest,
    RelatedTestsRequest,
    TypeFlowRequest,
    UnusedRequest,
)
from codeindex.errors import QueryError
from codeindex.graph.scip.collect import IndexLocation, locations_below
from codeindex.store.datadir.file_paths import path_in_root

if TYPE_CHECKING:
    from codeindex.graph.foreign_names import ForeignName
    from codeindex.store.exports.networkx_graph import Graph


class GraphQueries(Component):
    """Answers how symbols and files depend on each other."""

    @capability(CallersRequest)
    def callers(self, request: CallersRequest) -> Callers:
        symbol = self._runner.indexed_path(request.symbol)
        inside = listing_filter(self._runner, request.path, request.include_tests)
        return self._runner.run(
            lambda connection: find_callers(
                connection,
                symbol,
                limit=request.limit,
                inside=inside(connection),
                root=self._session.root,
            )
        )

    @capability(CalleesRequest)
    def callees(self, request: CalleesRequest) -> Callees:
        symbol = self._runner.indexed_path(request.symbol)
        return self._runner.run(find_callees, symbol, limit=request.limit)

    @capability(ImplementersRequest)
    def implementers(self, request: ImplementersRequest) -> Implementers:
        symbol = self._runner.indexed_path(request.symbol)
        inside = listing_filter(self._runner, request.path, request.include_tests)
        return self._runner.run(
            lambda connection: find_implementers(
                connection, symbol, limit=request.limit, inside=inside(connection)
            )
        )

    @capability(ImpactRequest)
    def impact(self, request: ImpactRequest) -> Impact:
        subject = self._runner.indexed_path(request.subject)
        return self._runner.run(
            lambda connection: find_impact(
                connection, subject, limit=request.limit, users=self._runner.reader().graph().users
            )
        )

    @capability(ImportsRequest)
    def imports(self, request: ImportsRequest) -> Imports:
        path = self._runner.indexed_path(request.path)
        return self._runner.run(list_imports, path)

    @capability(RelatedTestsRequest)
    def related_tests(self, request: RelatedTestsRequest) -> RelatedTests:
        inside = listing_filter(self._runner, request.path)
        return self._runner.run(
            lambda connection: find_related_tests(
                connection,
                TestSources(self._session.root, self._runner.reader().graph().tests),
                self._runner.indexed_path(request.symbol),
                inside=inside(connection),
                include_possible=request.include_possible,
                limit=request.limit,
            )
        )

    @capability(TypeFlowRequest)
    def type_flow(self, request: TypeFlowRequest) -> TypeFlow:
        inside = listing_filter(self._runner, request.path)
        return self._runner.run(
            lambda connection: find_type_flow(
                connection,
                request.type_name,
                inside=inside(connection),
                include_fields=request.include_fields,
                limit=request.limit,
            )
        )

    @capability(UnusedRequest)
    def unused(self, request: UnusedRequest) -> UnusedSymbols:
        path = self._runner.indexed_path(request.path)
        report = self._runner.run(
            lambda connection: find_unused(
                connection,
                path,
                exported=request.exported,
                include_possible=request.include_possible,
                limit=request.limit,
                cached=self._runner.reader().graph().unused,
            )
        )
        if not self._runner.refreshed.is_complete:  # an unread file may use anything
            gaps = " ".join(self._runner.refreshed.gaps())
            raise QueryError(
                f"Unused symbols cannot be found now, because some files are not read. {gaps}"
            )
        return report

    @capability(DependencyGraphRequest)
    def diagram(self, request: DependencyGraphRequest) -> DependencyGraph:
        return self._runner.run(
            make_dependency_graph,
            path=self._runner.indexed_path(request.path),
            level=request.level,
            form=request.format,
            depth=request.depth,
            calls=request.calls,
        )

    @capability(ExportGraphRequest)
    def export(self, request: ExportGraphRequest) -> ExportedGraph:
        path = self._runner.indexed_path(request.path)
        return self._runner.run(export_graph, path)

    @capability(CompareRequest)
    def compare(self, request: CompareRequest) -> CompilerComparison:
        self._runner.freshness.resolve_stale_edges()
        root = self._session.root
        own = path_in_root(root, root / request.index)
        path = Path(request.index)
        location = (
            locations_below(root, [own])[0]
            if own
            else IndexLocation(path.absolute().parent, path.name, "")
        )
        return self._runner.run(compare_with_compiler, root, location, show=request.show)

    def external_names(self) -> ForeignNames:
        """Return the names that this repository's code uses but does not define."""
        return self._runner.run(list_external_names)

    def names_published(self, names: Sequence[ForeignName]) -> ForeignNames:
        """Return the names among `names` that this repository's published packages define."""
        return self._runner.run(keep_published_names, names)

    def names_of(self, subject: str, names: Sequence[ForeignName]) -> ForeignNames:
        """Return the names among `names` that refer to `subject`, a symbol or file."""
        subject = self._runner.indexed_path(subject)
        return self._runner.run(keep_names_of_subject, subject, names)

    def uses_of_names(
        self, found: ForeignNames, *, unsure: Collection[ForeignName] = ()
    ) -> ForeignUses:
        """Return the uses, in this repository, of names that another repository defines.

        A use of a name in `unsure` is reported as possible, not as certain.
        """
        repo = self._runner.reader().repository.name
        return self._runner.run(find_uses_of_names, repo, found, unsure=unsure)

    def networkx(self) -> Graph:
        """Return the networkx graph of files and symbols for the published index version."""
        # Here, because the other methods need no parser and no networkx.
        from codeindex.ingest.sync.export import current_graph

        self._runner.freshness.resolve_stale_edges()
        with self._runner.reader().catalog() as (_, generation):
            published = generation
        return current_graph(self._session.repository, published)

    def __call__(self) -> Graph:
        """Return the graph for the former call `index.graph()`; warn to use `networkx` instead."""
        warn_once("Index.graph()", "Index.graph.networkx()", stacklevel=3)
        return self.networkx()
