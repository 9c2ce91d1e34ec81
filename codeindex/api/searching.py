"""Finding code: by meaning, by name, or by what it is like."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from codeindex.api.asking import Asking
from codeindex.errors import DamagedError, NotIndexedError, QueryError, StoreError
from codeindex.metrics.record import is_recording
from codeindex.query.validation import (
    check_search,
    check_spans,
    check_tests_scope,
    check_texts,
    parameter_error,
)
from codeindex.redact_query import redact_text
from codeindex.types import AgentFormat, Answer, Hit, TestScope

if TYPE_CHECKING:
    from codeindex.search.answer import SearchRequest
    from codeindex.types import Filters, LineSpan


class Searching(Asking):
    """Finding code: by meaning, by name, or by what it is like."""

    def search(  # noqa: PLR0913 (the command line's and the server's options, each by its name)
        self,
        query: str,
        *,
        limit: int = 10,
        filters: Filters | None = None,
        tests: TestScope = "include",
        min_score: float = 0.0,
        cursor: str = "",
        budget: int = 0,
        sent_as: AgentFormat = "json",
        seen: Sequence[LineSpan] = (),
        vector: Sequence[float] = (),
        rerank: bool | None = None,
    ) -> Answer:
        """Find code by meaning or by name; every hit is checked against its file.

        Files that changed since they were indexed are read again first. A `budget` is the tokens
        that the answer may take as it is sent, by `search.agent_json` or `search.agent_text`: hits
        then show an outline or their place alone, or wait behind the cursor. What was `seen` is
        pointed to. `vector` is the query as the index's model sees it. `rerank` has the first
        results reordered by a cross-encoder, or not, whatever `search.reranker` says; `meta` tells
        if it fails. NotIndexedError if nothing was ever indexed; QueryError for an empty query, a
        bad filter, a stale cursor or a vector of another model.
        """
        from codeindex.api.reranking import reranking_of
        from codeindex.query.validation import check_vector
        from codeindex.search.answer import SearchRequest

        started = time.monotonic()
        check_search(query, limit=limit, min_score=min_score, cursor=cursor, budget=budget)
        shown = check_spans(seen)
        asked = SearchRequest(
            query=redact_text(query),
            limit=limit,
            filters=self._filters(filters, tests),
            min_score=min_score,
            cursor=cursor,
            vector=check_vector(vector),
            reranking=reranking_of(self._open, self.settings, rerank),
        )
        found = self._fitted(self._answered(asked), budget, shown, sent_as)
        self._note(found, started, is_more=bool(cursor))
        return found

    def search_many(
        self,
        queries: Sequence[str],
        *,
        limit: int = 10,
        filters: Filters | None = None,
        tests: TestScope = "include",
        min_score: float = 0.0,
    ) -> Answer:
        """Ask several questions at once: each hit comes once, and `why` says who found it.

        The list ends with its first page. Errors are those of `search`.
        """
        from codeindex.search.pack.merge_queries import merge_queries

        asked = dict.fromkeys(check_texts("queries", queries))
        if not asked:
            raise parameter_error("queries", queries, "name one at least")
        answers = {
            query: self.search(
                query, limit=limit, filters=filters, tests=tests, min_score=min_score
            )
            for query in asked
        }
        return merge_queries(answers, limit=limit)

    def similar(  # noqa: PLR0913 (options of the command, each by its name)
        self,
        place: str,
        *,
        limit: int = 10,
        filters: Filters | None = None,
        tests: TestScope = "include",
        cursor: str = "",
        budget: int = 0,
        sent_as: AgentFormat = "json",
    ) -> Answer:
        """Find code that is like the code at PATH:LINE, by its vectors and its rarer words.

        QueryError for a place that is not indexed.
        """
        from codeindex.search.answer import SearchRequest

        check_search(place, limit=limit, min_score=0.0, cursor=cursor, budget=budget)
        path, _, line = place.rpartition(":")
        if not path or not (line.isascii() and line.isdigit()):
            raise QueryError(f"'{place}' is no place in a file: write PATH:LINE.")
        chosen = self._filters(filters, tests)
        asked = SearchRequest(place, limit, chosen, cursor=cursor, like=(path, int(line)))
        return self._fitted(self._answered(asked), budget, (), sent_as)

    def outline(self, hit: Hit) -> Mapping[int, str]:
        """Return what a hit defines, by line: signatures and the beginnings of descriptions."""
        from codeindex.search.pack.outline import hit_outline

        with self.reader().catalog() as (catalog, _):
            return hit_outline(catalog.connection, hit)

    def cited_bytes(self, answer: Answer) -> int:
        """Return the bytes of the files that an answer cites of this repository, each once."""
        from codeindex.store.catalog.files import total_size

        found, name = (*answer.hits, *answer.navigation), self.reader().repository.name
        cited = {hit.path for hit in found if hit.repo == name}
        with self.reader().catalog() as (catalog, _):
            return total_size(catalog.connection, cited)

    def _note(self, answer: Answer, started: float, *, is_more: bool) -> None:
        seconds = time.monotonic() - started
        if not is_recording():
            return
        from codeindex.metrics.searches import record_search

        with suppress(NotIndexedError, StoreError):  # deleted since: the answer stands
            whole = self.cited_bytes(answer)
            record_search(answer, seconds=seconds, whole_bytes=whole, is_more=is_more)

    def _answered(self, asked: SearchRequest) -> Answer:
        from codeindex.search.answer import answer_request
        from codeindex.search.routes.dispatch import follows_edges

        related = follows_edges(asked.query)

        def once() -> Answer:
            begun = self._freshen(related=related)
            catch_up = partial(self._catch_up, related=related)
            return answer_request(
                self.reader(), self.encoder_of, asked, begun=begun, catch_up=catch_up
            )

        for rebuild in (False, True):  # first what a sync sees to be broken, then everything
            try:
                return once()
            except DamagedError:
                self._mend(rebuild=rebuild)
        return once()

    def _fitted(
        self, answer: Answer, budget: int, seen: Sequence[LineSpan], sent_as: AgentFormat
    ) -> Answer:
        from codeindex.query.cursor import cursor_after
        from codeindex.search.pack.budget import fit_answer

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

    def _filters(self, filters: Filters | None, tests: TestScope) -> Filters:
        """Check the filters and add the part of the tree that this index was opened for."""
        from codeindex.search.filters import check_filters
        from codeindex.types import Filters

        known = check_filters(Filters() if filters is None else filters)
        paths = known.paths or ((self.part,) if self.part else ())
        scope = check_tests_scope(tests)
        return replace(known, paths=paths, tests=scope if scope != "include" else known.tests)
