"""Search by meaning, by name or by similar code, for `Index` and its parts."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import compress

from codeindex.api.component import Component
from codeindex.api.requests.core import (
    FilesRequest,
    SearchManyRequest,
    SearchRequest,
    SimilarRequest,
)
from codeindex.api.resources import Resources
from codeindex.config import Settings, data_home
from codeindex.embed.lock import load_lock
from codeindex.errors import DamagedError, ModelError, NotIndexedError, QueryError, StoreError
from codeindex.metrics.record import is_recording
from codeindex.metrics.searches import record_search
from codeindex.query.classify import follows_edges
from codeindex.query.cursor import cursor_after
from codeindex.query.validation import check_spans, check_texts, check_vector, parameter_error
from codeindex.redact_query import redact_text
from codeindex.search.answer import SearchInput, answer_request
from codeindex.search.filters import file_mask
from codeindex.search.pack.budget import fit_answer
from codeindex.search.pack.merge_queries import merge_queries
from codeindex.search.pack.outline import hit_outline
from codeindex.search.rank.odds_shifts import odds_shifts
from codeindex.search.rank.rerank import Reranker
from codeindex.store.catalog.files import total_size
from codeindex.types import AgentFormat, Answer, Hit, LineSpan

_NO_RERANKER = (
    "No reranker is known: add one with `codeindex models add DIR --kind reranker` and name it in"
    " `search.reranker`."
)


class Searcher(Component):
    """Searches by meaning, by name or by similar code."""

    def search(self, request: SearchRequest) -> Answer:
        started = time.monotonic()
        seen = check_spans(request.seen)
        search_input = SearchInput(
            query=redact_text(request.query),
            limit=request.limit,
            filters=self._runner.filters(request.filters, request.tests),
            min_score=request.min_score,
            cursor=request.cursor,
            vector=check_vector(request.vector),
            reranking=_select_reranker(
                self._session.resources, self._session.settings, request.rerank
            ),
        )
        answer = self.pack(self.answer(search_input), request.budget, seen, request.sent_as)
        self._note(answer, started, is_more=bool(request.cursor))
        return answer

    def search_many(self, request: SearchManyRequest) -> Answer:
        queries = dict.fromkeys(check_texts("queries", request.queries))
        if not queries:
            raise parameter_error("queries", request.queries, "give at least one")
        answers = {
            query: self.search(SearchRequest.from_other(request, query=query)) for query in queries
        }
        return merge_queries(answers, limit=request.limit)

    def similar(self, request: SimilarRequest) -> Answer:
        path, _, line = request.place.rpartition(":")
        if not path or not (line.isascii() and line.isdigit()):
            raise QueryError(f"'{request.place}' is not a place in a file: write PATH:LINE.")
        filters = self._runner.filters(request.filters, request.tests)
        search_input = SearchInput(
            request.place, request.limit, filters, cursor=request.cursor, like=(path, int(line))
        )
        return self.pack(self.answer(search_input), request.budget, (), request.sent_as)

    def files(self, request: FilesRequest) -> tuple[str, ...]:
        filters = self._runner.filters(request.filters, request.tests)
        self._runner.freshness.refresh(related=False)
        with self._runner.reader().corpus() as (_, corpus):
            return tuple(compress(corpus.paths, file_mask(corpus, filters) & corpus.is_indexed))

    def outline(self, hit: Hit) -> Mapping[int, str]:
        """Return the outline of a hit: {line number: signature, or first line of documentation}."""
        with self._runner.reader().catalog() as (catalog, _):
            return hit_outline(catalog.connection, hit)

    def cited_bytes(self, answer: Answer) -> int:
        """Return the total size in bytes of the files that an answer cites.

        Files of other repositories do not count.
        """
        hits, name = (*answer.hits, *answer.navigation), self._runner.reader().repository.name
        cited = {hit.path for hit in hits if hit.repo == name}
        with self._runner.reader().catalog() as (catalog, _):
            return total_size(catalog.connection, cited)

    def answer(self, search_input: SearchInput) -> Answer:
        """Refresh the index and search it; if the index is damaged, repair it and search again."""
        related = follows_edges(search_input.query)
        freshness = self._runner.freshness

        def once() -> Answer:
            begun = freshness.refresh(related=related)
            catch_up = partial(freshness.refresh_paths, related=related)
            shifts = odds_shifts(self._session.settings.config)
            return answer_request(
                self._runner.reader(),
                self._session.query_encoders,
                replace(search_input, shifts=shifts),
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
        if not is_recording():
            return

        with suppress(NotIndexedError, StoreError):  # the index was deleted since
            whole = self.cited_bytes(answer)
            record_search(answer, seconds=seconds, whole_bytes=whole, is_more=is_more)

    def pack(
        self, answer: Answer, budget: int, seen: Sequence[LineSpan], sent_as: AgentFormat
    ) -> Answer:
        """Cut an answer so that it fits into `budget` tokens, in the form `sent_as`.

        Code in `seen` spans, which were shown before, is not repeated.
        """

        def after(hits: Sequence[Hit]) -> str:
            return cursor_after(hits, answer)

        return fit_answer(
            answer,
            budget=budget,
            seen=seen,
            outline=self.outline,
            cursor_after=after,
            sent_as=sent_as,
        )


def _select_reranker(
    resources: Resources, settings: Settings, wanted: bool | None
) -> Reranker | None:
    """Return the reranker that a search uses; None if reranking is off.

    `wanted` overrides the settings. If the settings name no model, the only known reranker is used;
    if there is no such model, reranking raises ModelError.
    """
    configured = settings.config.search.reranker
    if wanted is False or (wanted is None and not configured):
        return None

    name = configured or _only_installed()

    def score(query: str, texts: Sequence[str]) -> Sequence[float]:
        if not name:
            raise ModelError(_NO_RERANKER)
        return resources.reranker(name).scores(query, texts)

    return Reranker(name, settings.config.search.rerank_top, score)


def _only_installed() -> str:
    """Return the id of the reranker if exactly one is known, else ''."""
    try:
        models = load_lock(data_home()).values()
    except ModelError:
        return ""
    known = [model.id for model in models if model.kind == "reranker"]
    return known[0] if len(known) == 1 else ""
