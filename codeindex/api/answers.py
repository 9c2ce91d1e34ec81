"""Answer questions in sentences that cite files and lines: `Index.answers`."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from codeindex.api.capability import capability
from codeindex.api.component import Component
from codeindex.api.query_runner import QueryRunner
from codeindex.api.requests.answers import AskRequest, AskWriterRequest
from codeindex.api.requests.core import SearchRequest
from codeindex.ask.compose import AskResults, compose_extract
from codeindex.ask.near_quotes import NEARNESS_IF_FOUND
from codeindex.ask.question import weigh_question
from codeindex.ask.write import refine_answer, write_answer
from codeindex.languages import LANGUAGES
from codeindex.llm_command import NotWrittenError, parse_llm_command
from codeindex.search.answer import SearchInput
from codeindex.search.near_chunks import NearChunk, compare_chunks, near_chunks, text_nearness
from codeindex.search.reader import query_vectorizer, usable_corpus
from codeindex.text.words import stemmed_words
from codeindex.types import Filters

if TYPE_CHECKING:
    from codeindex.api.search import Searcher
    from codeindex.ask.extract import Extract
    from codeindex.ask.near_quotes import TextNearness
    from codeindex.search.retrieve.corpus import Corpus
    from codeindex.store.catalog.connection import Catalog

_CANDIDATES = 12
"""Fewest hits to search for: an answer is composed of more hits than it shows."""
_NEAR_CHUNKS = 200
"""Chunks near the question whose prose may be quoted."""


class AnswerQueries(Component):
    """Answers questions in sentences that cite files and lines."""

    def __init__(self, runner: QueryRunner, searcher: Searcher) -> None:
        super().__init__(runner)
        self._searcher = searcher

    @capability(AskRequest)
    def ask(self, request: AskRequest) -> Extract:
        command = (
            parse_llm_command(request.llm_cmd, seconds=request.llm_seconds)
            if request.llm_cmd
            else None
        )
        model = command.name if command else ""
        return self._answer(AskWriterRequest.from_other(request, writer=command, model=model))

    @capability(AskWriterRequest)
    def ask_writer(self, request: AskWriterRequest) -> Extract:
        return self._answer(request)

    def _answer(self, request: AskWriterRequest) -> Extract:
        started = time.monotonic()
        rounds = request.agentic or 1

        def extract_question(question: str) -> Extract:
            return self._extract(replace(request, query=question))

        extract = extract_question(request.query)
        if request.writer is not None:
            try:
                extract = write_answer(
                    extract,
                    request.writer,
                    model=request.model,
                    rounds=rounds,
                    extract_question=extract_question,
                )
            except NotWrittenError as error:
                note = f"No answer was written: {error}."
                extract = replace(extract, notes=(*extract.notes, note))
        elif rounds > 1 and extract.found:
            extract = refine_answer(
                extract,
                rounds=rounds,
                extract_question=extract_question,
                find_missing=self._missing_words,
            )
        elapsed = round((time.monotonic() - started) * 1000, 1)
        return replace(extract, meta=extract.meta | {"elapsedMs": elapsed})

    def _extract(self, request: AskWriterRequest) -> Extract:
        results = self._evidence(request)
        return self._runner.run(compose_extract, results, limit=request.limit)

    def _missing_words(self, extract: Extract) -> str:
        """Return the words of the question that occur in the repository but not in the evidence.

        The words are separated by blanks and in the order of the question.
        """
        with self._runner.reader().corpus() as (_, corpus):
            question = weigh_question(corpus, extract.query)
        covered = question.terms(
            word for evidence in extract.evidences for word in stemmed_words(evidence.text)
        )
        left = question.weights.keys() - covered
        missing = [word for word in extract.query.split() if left.intersection(stemmed_words(word))]
        return " ".join(word.strip("?!.,;:") for word in missing)

    def _evidence(self, request: AskWriterRequest) -> AskResults:
        """Search all files for the question, and find prose that may answer it.

        Prose is found by its vectors or, if it has none, as in folders of tests, by a search of the
        documents.
        """
        filters = Filters(paths=(request.path.strip("/"),) if request.path else ())
        answer = self._searcher.search(
            SearchRequest(
                request.query,
                limit=max(request.limit, _CANDIDATES),
                filters=filters,
                min_score=request.min_score,
            )
        )
        unread = frozenset(answer.refreshed.unread)
        with self._runner.reader().corpus() as (catalog, corpus):
            question, files = weigh_question(corpus, answer.query), int(corpus.is_indexed.sum())
            chunks, nearness = self._near_prose(catalog, corpus, answer.query, filters)
        near = tuple(chunk for chunk in chunks if chunk.hit.path not in unread)
        near = near or self._documents(answer.query, filters)
        meta = dict(answer.meta) | {"limit": request.limit}
        return AskResults(replace(answer, meta=meta), near, question, files, nearness)

    def _documents(self, query: str, filters: Filters) -> tuple[NearChunk, ...]:
        prose = tuple(language.name for language in LANGUAGES.values() if language.prose)
        document_filters = self._runner.filters(replace(filters, languages=prose))
        hits = self._searcher.answer(SearchInput(query, _CANDIDATES, document_filters)).hits
        return tuple(NearChunk(hit, NEARNESS_IF_FOUND) for hit in hits)

    def _near_prose(
        self, catalog: Catalog, whole: Corpus, query: str, filters: Filters
    ) -> tuple[list[NearChunk], TextNearness | None]:
        """Return (chunks whose vectors are nearest to the question's vector, `TextNearness`).

        `TextNearness` compares other texts with the question. Without vectors, return ([], None).
        """
        encoders = self._runner.session.query_encoders(whole.generation)
        corpus = usable_corpus(whole, encoders)
        vectors = query_vectorizer(corpus, encoders)(query)
        compared = compare_chunks(corpus, vectors)
        if compared is None:
            return [], None
        repo = self._runner.reader().repository.name
        chunks = near_chunks(catalog, corpus, compared, filters, repo=repo, most=_NEAR_CHUNKS)
        return chunks, text_nearness(corpus, compared, encoders)
