"""Answer several queries in one call, for agents: `Index.combined`."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from codeindex.analysis.file_selection import catalog_path
from codeindex.analysis.repository.repository_summary import RepositorySummary
from codeindex.api.capability import capability
from codeindex.api.component import Component
from codeindex.api.query_runner import QueryRunner
from codeindex.api.repository_map import read_map
from codeindex.api.requests.combined import (
    ExploreRequest,
    FindRequest,
    SearchRelevantRequest,
    SummarizeRequest,
)
from codeindex.api.requests.core import SearchRequest
from codeindex.errors import QueryError
from codeindex.languages import language_for_path
from codeindex.search.explore import Exploration, code_room, is_routed, link_symbols, without_code
from codeindex.search.name_uses import NameUses, find_name_uses
from codeindex.search.neighbors import NeighborReader
from codeindex.search.region_candidates import Candidate
from codeindex.search.regions import CodeRegion, find_regions
from codeindex.search.relevant_places import RelevantPlaces, find_relevant_places
from codeindex.store.catalog.files import files_under
from codeindex.text.globs import escape_glob
from codeindex.types import Filters, LineSpan

if TYPE_CHECKING:
    from codeindex.analysis.outline.declarations import Declarations
    from codeindex.analysis.outline.explain_symbol import SymbolExplanations
    from codeindex.analysis.outline.lookup import DeclarationMatches
    from codeindex.analysis.outline.summary import FileSummaries, FileSummary
    from codeindex.analysis.relations.callees import Callees
    from codeindex.analysis.relations.callers import Callers
    from codeindex.analysis.relations.implementers import Implementers
    from codeindex.api.exact import ExactQueries
    from codeindex.api.graph import GraphQueries
    from codeindex.api.search import Searcher
    from codeindex.api.source import SourceQueries
    from codeindex.api.symbols import SymbolQueries

_GLOB = frozenset("*?[")
_ROOT_PATHS = frozenset({"", ".", "./"})


class CombinedQueries(Component):
    """Answers several queries in one call."""

    def __init__(
        self,
        runner: QueryRunner,
        searcher: Searcher,
        *,
        exact: ExactQueries,
        graph: GraphQueries,
        source: SourceQueries,
        symbols: SymbolQueries,
    ) -> None:
        super().__init__(runner)
        self._searcher = searcher
        self._exact = exact
        self._graph = graph
        self._source = source
        self._symbols = symbols

    @capability(ExploreRequest)
    def explore(self, request: ExploreRequest) -> Exploration:
        filters = Filters(paths=(request.path.strip("/"),) if request.path else ())
        return self.explore_new(request, filters=filters)

    def explore_new(
        self, request: ExploreRequest, *, filters: Filters, seen: Sequence[LineSpan] = ()
    ) -> Exploration:
        """Explore as `explore` does, but limit the answer by `filters` instead of `request.path`.

        Code in the line spans `seen`, which were shown before, is not repeated.
        """
        filters = self._runner.filters(filters)
        uses: Sequence[NameUses] = ()
        if request.sent_as == "text":
            grep = partial(self._exact.grep, filters=filters)
            uses = find_name_uses(request.query, request.budget, self._symbols.kinds, grep)
        budget = request.budget and max(1, request.budget - sum(use.size() for use in uses))
        search = SearchRequest(request.query, filters=filters, sent_as=request.sent_as)
        found = self._searcher.search(search)
        routed = is_routed(found)
        shown = found if routed else without_code(found)
        answer = self._searcher.pack(shown, budget, seen, request.sent_as)
        room = code_room(budget, answer, request.sent_as)

        def explored(connection: sqlite3.Connection) -> Exploration:
            sent_as, neighbors = request.sent_as, NeighborReader(connection)
            code: Sequence[CodeRegion] = ()
            others: Sequence[Candidate] = ()
            if not routed:
                code, others = find_regions(
                    neighbors, found, room=room, seen=seen, sent_as=sent_as, filters=filters
                )
            links = link_symbols(
                neighbors, answer, code, budget=budget, sent_as=sent_as, filters=filters
            )
            shown_lines = {(region.path, number) for region in code for number, _ in region.lines}
            left = tuple(use.without(shown_lines) for use in uses)
            return Exploration(answer, tuple(code), links, tuple(others), left)

        return self._runner.run(explored)

    @capability(SearchRelevantRequest)
    def search_relevant(self, request: SearchRelevantRequest) -> RelevantPlaces:
        answer = self._searcher.search(SearchRequest(request.query, limit=request.limit))
        with self._runner.reader().catalog() as (catalog, _generation):
            return find_relevant_places(catalog.connection, answer)

    @capability(FindRequest)
    def find(
        self, request: FindRequest
    ) -> RelevantPlaces | DeclarationMatches | Callers | Callees | Implementers:
        query, limit = request.query, request.limit
        match request.mode:
            case "relevant":
                return self.search_relevant(query, limit=limit)
            case "symbol":
                return self._symbols.lookup(query, limit=limit)
            case "callers":
                return self._graph.callers(query, limit=limit)
            case "callees":
                return self._graph.callees(query, limit=limit)
            case "implementers":
                return self._graph.implementers(query, limit=limit)
            case "signature":
                return self._symbols.signatures(query, limit=limit)

    @capability(SummarizeRequest)
    def summarize(
        self, request: SummarizeRequest
    ) -> FileSummary | FileSummaries | SymbolExplanations | Declarations | RepositorySummary:
        path = request.path
        if path.strip() in _ROOT_PATHS and request.scope == "all":
            return RepositorySummary(read_map(self._runner))
        place, kind = self._classify(path)
        if request.scope == "public" and kind not in {"file", "folder"}:
            raise QueryError(
                f"{path!r} is no indexed file or folder: the scope `public` lists the interface of"
                " one of these."
            )
        if kind == "glob":
            return self._source.summaries(glob=path)
        if kind == "symbol":
            return self._symbols.explain(path)
        if request.scope == "public":
            return self._source.public_api(place)
        if kind == "file":
            return self._source.summary(place)
        return self._source.summaries(glob=f"{escape_glob(place)}/*")

    def _classify(self, name: str) -> tuple[str, Literal["file", "folder", "glob", "symbol"]]:
        """Return (name as the index spells it, kind of what it names).

        An indexed file or folder comes first, since names of files may contain `[`. A name that is
        not indexed and does not look like a path or glob is a symbol.
        """
        place = catalog_path(self._runner.indexed_path(name))
        self._runner.freshness.refresh(related=False)
        with self._runner.reader().catalog() as (catalog, _generation):
            files = files_under(catalog.connection, place)
        if files:
            return place, "file" if files[0].path == place else "folder"
        if _GLOB & set(name):
            return place, "glob"
        is_path = "::" not in place and ("/" in place or language_for_path(place))
        return place, "file" if is_path else "symbol"
