"""Explain why a search has its results, and why others are missing: `Index.explain`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from codeindex.api.capability import capability
from codeindex.api.component import Component
from codeindex.api.query_runner import with_gaps
from codeindex.api.requests.explain import ExplainSearchRequest, WhyNotRequest
from codeindex.errors import QueryError
from codeindex.redact_query import redact_text
from codeindex.search.explain.hit import SearchExplanation, explain_hits
from codeindex.search.explain.why_not import WhyNotInput, why_not, why_not_indexed
from codeindex.search.explain.why_not_result import WhyNot
from codeindex.search.pipeline import PipelineRequest, read_hits, run_pipeline
from codeindex.search.rank.odds_shifts import odds_shifts
from codeindex.search.reader import query_vectorizer, usable_corpus
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.routes.dispatch import run_route
from codeindex.search.routes.result import HitWindow
from codeindex.store.catalog.connection import Catalog
from codeindex.types import Filters


@dataclass(frozen=True, slots=True)
class _SearchState:
    """The catalog and corpus on which a search runs, and the search's request."""

    catalog: Catalog
    corpus: Corpus
    request: PipelineRequest


_ALL_ROUTED = 10_000
"""Most results of a route among which `why_not` looks for its subject: all, in practice."""


class ExplainQueries(Component):
    """Explains why a search has its results, and why a file or symbol is not among them."""

    @capability(ExplainSearchRequest)
    def search(self, request: ExplainSearchRequest) -> SearchExplanation:
        repo = self._runner.reader().repository.name
        filters = self._runner.filters(Filters(paths=_folders(request.path)))
        with self._search_state(request.query, filters) as state:
            route = run_route(state.catalog, state.corpus, state.request, HitWindow(repo, 0, 1))
            result = run_pipeline(state.catalog, state.corpus, state.request)
            hits = read_hits(state.catalog, result.ranked[: request.limit], repo=repo)
            remark = ""
            if route:
                remark = (
                    f"A search lists {route.total} results from the graph or from patterns, in an"
                    " order of their own. Ranked as an ordinary question, the results would be:"
                )
            explanation = explain_hits(
                state.corpus, result, hits, query=request.query, routed=remark
            )
        if self._runner.refreshed.is_complete:
            return explanation
        return replace(explanation, absence=None, missing_words=())

    @capability(WhyNotRequest)
    def why_not(self, request: WhyNotRequest) -> WhyNot:
        below = self._runner.filters(Filters(paths=_folders(request.path))).paths
        languages = (request.language,) if request.language else ()
        filters = self._runner.filters(
            Filters(languages=languages, paths=below), request.include_tests
        )
        subject = self._runner.indexed_path(request.subject)
        with self._search_state(request.query or "", filters) as state:
            if request.query is None:
                return why_not_indexed(state.catalog, state.corpus, self._session.root, subject)
            result = run_pipeline(state.catalog, state.corpus, state.request)
            window = HitWindow(self._runner.reader().repository.name, 0, _ALL_ROUTED)
            route = run_route(state.catalog, state.corpus, state.request, window)
            why_not_input = WhyNotInput(
                subject, request.query, request.limit, filters, result, route
            )
            return why_not(state.catalog, state.corpus, self._session.root, why_not_input)

    @contextmanager
    def _search_state(self, query: str, filters: Filters) -> Iterator[_SearchState]:
        """Refresh the index; yield the catalog and corpus on which a search would run."""
        self._runner.freshness.refresh(related=False)
        reader = self._runner.reader()
        with reader.corpus() as (catalog, whole):
            models = self._session.query_encoders(whole.generation)
            corpus = usable_corpus(whole, models)
            vectors = query_vectorizer(corpus, models)
            shifts = odds_shifts(self._session.settings.config)
            request = PipelineRequest(
                redact_text(query), filters, vectors, reader.dense_scores, shifts=shifts
            )
            try:
                yield _SearchState(catalog, corpus, request)
            except QueryError as error:
                raise QueryError(with_gaps(str(error), self._runner.refreshed)) from error


def _folders(path: str) -> tuple[str, ...]:
    return (path.strip("/"),) if path else ()
