"""About answers: why a hit is where it is, and why another is not."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from codeindex.api.asking import checked_limit, of_what_was_read
from codeindex.api.searching import Searching
from codeindex.errors import QueryError
from codeindex.redact_query import redact_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codeindex.search.explain.hit import SearchExplanation
    from codeindex.search.explain.why_not_result import WhyNot
    from codeindex.search.pipeline import PipelineRequest
    from codeindex.search.retrieve.corpus import Corpus
    from codeindex.store.catalog.connection import Catalog
    from codeindex.types import Filters


@dataclass(frozen=True, slots=True)
class _State:
    """What a question is asked of, and the question."""

    catalog: Catalog
    corpus: Corpus
    request: PipelineRequest


_WHOLE = 10_000
"""Results of a route that a thing is looked for among: lists of uses are whole."""


class Explaining(Searching):
    """About answers: why a hit is where it is, and why another is not."""

    def explain_search(self, query: str, *, limit: int = 5, path: str = "") -> SearchExplanation:
        """Explain the best results for QUERY: route, and each signal x weight; at most 20."""
        from codeindex.search.explain.hit import MOST_EXPLAINED, explain_hits
        from codeindex.search.pipeline import classify_and_retrieve, read_hits, run_pipeline
        from codeindex.search.routes.dispatch import HitWindow, run_route

        wanted = checked_limit(limit, most=MOST_EXPLAINED)
        repo = self.reader().repository.name
        with self._asked_of(query, self._below(path)) as state:
            route = run_route(state.catalog, state.corpus, state.request, HitWindow(repo, 0, 1))
            found = run_pipeline(state.catalog, state.corpus, state.request)
            _, scores = classify_and_retrieve(state.catalog, state.corpus, state.request)
            hits = read_hits(state.catalog, found.ranked[:wanted], repo=repo)
            said = ""
            if route:
                said = (
                    f"A search answers it by its route, with {route.total} results in an order of"
                    " their own; ranked as an ordinary question they would be:"
                )
            answer = explain_hits(state.corpus, found, scores, hits, query=query, routed=said)
        complete = self._open.refreshed.is_complete
        return answer if complete else replace(answer, absence=None, missing_words=())

    def why_not(
        self,
        subject: str,
        query: str,
        *,
        limit: int = 10,
        path: str = "",
        language: str = "",
        include_tests: Literal["include", "exclude", "only"] = "include",
    ) -> WhyNot:
        """Say why SUBJECT (a path, PATH:LINE or symbol) is not among the results for QUERY.

        It names the rule that hides it, or its rank and every signal beside those of the hit in its
        place.
        """
        from codeindex.query.validation import MOST_RESULTS
        from codeindex.search.explain.why_not import WhyNotRequest, why_not
        from codeindex.search.pipeline import classify_and_retrieve, run_pipeline
        from codeindex.search.routes.dispatch import HitWindow, run_route
        from codeindex.types import Filters

        wanted = checked_limit(limit, most=MOST_RESULTS)
        below = self._below(path).paths
        languages = (language,) if language else ()
        filters = self._filters(Filters(languages=languages, paths=below), include_tests)
        with self._asked_of(query, filters) as state:
            found = run_pipeline(state.catalog, state.corpus, state.request)
            _, scores = classify_and_retrieve(state.catalog, state.corpus, state.request)
            window = HitWindow(self.reader().repository.name, 0, _WHOLE)
            route = run_route(state.catalog, state.corpus, state.request, window)
            asked = WhyNotRequest(
                self._inside(subject), query, wanted, filters, found, scores, route
            )
            return why_not(state.catalog, state.corpus, self.root, asked)

    def _below(self, path: str) -> Filters:
        from codeindex.types import Filters

        return self._filters(Filters(paths=(path.strip("/"),) if path else ()), "include")

    @contextmanager
    def _asked_of(self, query: str, filters: Filters) -> Iterator[_State]:
        """Give what a search of the tree as it is would rest on."""
        from codeindex.query.validation import check_not_blank
        from codeindex.search.answer import vector_model_id
        from codeindex.search.pipeline import PipelineRequest
        from codeindex.search.reader import query_vectorizer

        check_not_blank(query)
        self._freshen(related=False)
        reader = self.reader()
        with reader.corpus() as (catalog, whole):
            model = self.encoder_of(vector_model_id(whole))
            corpus = whole if model else whole.without_vectors()
            vectors = query_vectorizer(corpus, model)
            request = PipelineRequest(redact_text(query), filters, vectors, reader.dense_scores)
            try:
                yield _State(catalog, corpus, request)
            except QueryError as error:
                raise QueryError(of_what_was_read(str(error), self._open.refreshed)) from error
