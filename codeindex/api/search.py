"""Search by meaning, by name or by example, for `Index` and its parts."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from codeindex.api.query_runner import Component
from codeindex.api.requests.core import SearchManyRequest, SearchRequest, SimilarRequest
from codeindex.errors import DamagedError, NotIndexedError, QueryError, StoreError
from codeindex.metrics.record import is_noting
from codeindex.query.validation import misfit, spans, texts, unit_vector
from codeindex.redact_query import redact_text
from codeindex.types import Answer, Hit, SentAs

if TYPE_CHECKING:
    from codeindex.search.answer import Asked
    from codeindex.types import Span


class Searcher(Component):
    """Search by meaning, by name or by example."""

    def search(self, request: SearchRequest) -> Answer:
        from codeindex.api.reranking import reranking_of
        from codeindex.search.answer import Asked

        started = time.monotonic()
        seen = spans(request.seen)
        asked = Asked(
            query=redact_text(request.query),
            limit=request.limit,
            filters=self._runner.filters(request.filters, request.tests),
            min_score=request.min_score,
            cursor=request.cursor,
            vector=unit_vector(request.vector),
            reranking=reranking_of(self._session.resources, self._session.settings, request.rerank),
        )
        answer = self._pack(self.answer(asked), request.budget, seen, request.sent_as)
        self._note(answer, started, is_more=bool(request.cursor))
        return answer

    def search_many(self, request: SearchManyRequest) -> Answer:
        from codeindex.search.pack.merge_queries import fused

        queries = dict.fromkeys(texts("queries", request.queries))
        if not queries:
            raise misfit("queries", request.queries, "name one at least")
        answers = {
            query: self.search(
                SearchRequest(
                    query,
                    limit=request.limit,
                    filters=request.filters,
                    tests=request.tests,
                    min_score=request.min_score,
                )
            )
            for query in queries
        }
        return fused(answers, limit=request.limit)

    def similar(self, request: SimilarRequest) -> Answer:
        from codeindex.search.answer import Asked

        path, _, line = request.place.rpartition(":")
        if not path or not (line.isascii() and line.isdigit()):
            raise QueryError(f"'{request.place}' is no place in a file: write PATH:LINE.")
        filters = self._runner.filters(request.filters, request.tests)
        asked = Asked(
            request.place,
            request.limit,
            filters,
            cursor=request.cursor,
            like=(path, int(line)),
        )
        return self._pack(self.answer(asked), request.budget, (), request.sent_as)

    def outline(self, hit: Hit) -> Mapping[int, str]:
        """Return what a hit defines, by line: signatures and the beginnings of descriptions."""
        from codeindex.search.pack.outline import outline

        with self._runner.reader().catalog() as (catalog, _):
            return outline(catalog.connection, hit)

    def cited_bytes(self, answer: Answer) -> int:
        """Return the bytes of the files of this repository that an answer cites, each once."""
        from codeindex.store.catalog.files import bytes_of

        hits, name = (*answer.hits, *answer.navigation), self._runner.reader().repository.name
        cited = {hit.path for hit in hits if hit.repo == name}
        with self._runner.reader().catalog() as (catalog, _):
            return bytes_of(catalog.connection, cited)

    def answer(self, asked: Asked) -> Answer:
        """Answer a search of the tree as it is now; a damaged index is repaired first."""
        from codeindex.search.answer import answer
        from codeindex.search.routes.dispatch import follows_edges

        related = follows_edges(asked.query)
        freshness = self._runner.freshness

        def once() -> Answer:
            begun = freshness.freshen(related=related)
            catch_up = partial(freshness.catch_up, related=related)
            return answer(
                self._runner.reader(),
                self._session.encoder_of,
                asked,
                begun=begun,
                catch_up=catch_up,
            )

        for rebuild in (False, True):  # first what a sync finds broken, then everything
            try:
                return once()
            except DamagedError:
                self._runner.mend(rebuild=rebuild)
        return once()

    def _note(self, answer: Answer, started: float, *, is_more: bool) -> None:
        seconds = time.monotonic() - started
        if not is_noting():
            return
        from codeindex.metrics.searches import note_search

        with suppress(NotIndexedError, StoreError):  # the index was deleted since
            whole = self.cited_bytes(answer)
            note_search(answer, seconds=seconds, whole_bytes=whole, is_more=is_more)

    def _pack(self, answer: Answer, budget: int, seen: Sequence[Span], sent_as: SentAs) -> Answer:
        """Fit an answer into a budget of tokens."""
        from codeindex.query.cursor import cursor_after
        from codeindex.search.pack.budget import fitted

        def after(hits: Sequence[Hit]) -> str:
            return cursor_after(hits, answer)

        return fitted(
            answer,
            budget=budget,
            seen=seen,
            outline=self.outline,
            cursor_after=after,
            sent_as=sent_as,
        )
