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
from codeindex.ask.question import weigh_question
from codeindex.ask.write import refine_answer, write_answer
from codeindex.languages import LANGUAGES
from codeindex.llm_command import NotWrittenError, parse_llm_command
from codeindex.search.answer import SearchInput
from codeindex.text.words import stemmed_words
from codeindex.types import Filters

if TYPE_CHECKING:
    from codeindex.api.search import Searcher
    from codeindex.ask.extract import Extract
    from codeindex.types import Hit

_CANDIDATES = 12
"""Fewest hits to search for: an answer is composed of more hits than it shows."""
_SECTIONS = 8
"""Sections of documents to search for: an answer quotes two at most, and no changelogs."""


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
        """Search all files for the question, and the documents for sections that may answer it."""
        filters = Filters(paths=(request.path.strip("/"),) if request.path else ())
        answer = self._searcher.search(
            SearchRequest(
                request.query,
                limit=max(request.limit, _CANDIDATES),
                filters=filters,
                min_score=request.min_score,
            )
        )
        sections = self._sections(answer.query, filters, request.min_score)
        with self._runner.reader().corpus() as (_, corpus):
            question, files = weigh_question(corpus, answer.query), int(corpus.is_indexed.sum())
        meta = dict(answer.meta) | {"limit": request.limit}
        answer = replace(answer, meta=meta)
        return AskResults(answer, sections, self._runner.filters(filters), question, files)

    def _sections(self, query: str, filters: Filters, min_score: float) -> tuple[Hit, ...]:
        prose = tuple(language.name for language in LANGUAGES.values() if language.prose)
        document_filters = self._runner.filters(replace(filters, languages=prose))
        search_input = SearchInput(query, _SECTIONS, document_filters, min_score=min_score)
        return self._searcher.answer(search_input).hits
