"""Ask evaluation questions with all vectors of an index and with fewer ("evidence levels")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from codeindex.embed.packing import pack_counts
from codeindex.embed.token_vectors import TokenStatistics
from codeindex.embed.token_vectors import token_vectors as token_rows
from codeindex.embed.tokens import tokenizer_for
from codeindex.embed.word_ids import token_id_encoder as line_encoder
from codeindex.evaluation.masking import MaskedVectors, mask_docstring
from codeindex.ingest.chunk.header import chunk_header, embedding_text
from codeindex.ingest.sync.chunk_words import words_from_catalog
from codeindex.search.filters import file_mask
from codeindex.search.pipeline import (
    PipelineRequest,
    classify_and_retrieve,
    run_pipeline,
)
from codeindex.search.rank.odds_shifts import NO_SHIFTS, OddsShifts
from codeindex.search.rank.ranker import evidence_level, question_kind, rank_candidates
from codeindex.search.reader import query_vectorizer, usable_corpus
from codeindex.secrets import mark_as_safe
from codeindex.store.catalog.chunks import stored_chunk
from codeindex.text.words import stemmed_text
from codeindex.types import Chunk, Filters
from codeindex.types.array_types import Flags, Floats

if TYPE_CHECKING:
    from codeindex.embed.encoder import QueryEncoders
    from codeindex.embed.static_model import StaticModel
    from codeindex.evaluation.metrics import CodeSpan
    from codeindex.evaluation.questions import EvaluationQuestion
    from codeindex.search.retrieve.corpus import Corpus
    from codeindex.search.weight_rows import EvidenceLevel, QuestionKind
    from codeindex.store.catalog.connection import Catalog


EVIDENCE_LEVELS: tuple[EvidenceLevel, ...] = ("words", "token", "dense")


@dataclass(frozen=True, slots=True, eq=False)
class RankedAnswer:
    """The search results for a question at one evidence level (the kinds of vectors in use).

    `hits` are places, best first; `order` lists the positions of their files, each once. Files that
    the question ignores are in neither.
    """

    question: EvaluationQuestion
    evidence: EvidenceLevel
    hits: tuple[CodeSpan, ...]
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RankerCandidates:
    """The files among which the ranker chooses for a question, with their features.

    They are for one evidence level (the kinds of vectors in use). `rows` has one row of features
    for each file; the last column is the score of the file's best place. `relevant` tells which
    files are relevant.
    """

    question: EvaluationQuestion
    evidence: EvidenceLevel
    query_kind: QuestionKind
    rows: Floats
    relevant: Flags


@dataclass(frozen=True, slots=True, eq=False)
class EvaluatedIndex:
    """An opened index with the models that made its vectors."""

    repo: str
    root: Path
    catalog: Catalog
    corpus: Corpus
    encoders: QueryEncoders
    max_tokens: int
    """Most tokens of a chunk that the model reads."""
    shifts: OddsShifts = NO_SHIFTS
    """What settings add to log-odds in searches. Weights are tuned without it."""


@dataclass(frozen=True, slots=True, eq=False)
class Benchmark:
    """The corpus of an index at each evidence level: with all vectors, token vectors, or none.

    `allowed` tells for each file whether it may be a candidate.
    """

    evaluated: EvaluatedIndex
    levels: Mapping[EvidenceLevel, Corpus]
    allowed: Flags

    @classmethod
    def of(cls, evaluated: EvaluatedIndex) -> Benchmark:
        whole = usable_corpus(evaluated.corpus, evaluated.encoders)
        levels = {evidence: _reduce_evidence(whole, evidence) for evidence in EVIDENCE_LEVELS}
        allowed = file_mask(whole, Filters()) & ~whole.is_navigation
        levels_with_evidence = {
            name: level for name, level in levels.items() if evidence_level(level) == name
        }
        return cls(evaluated, levels_with_evidence, allowed)

    @property
    def best(self) -> EvidenceLevel:
        """The best evidence level that the index has, which is the one that searches use."""
        return list(self.levels)[-1]

    def ask(self, question: EvaluationQuestion) -> Iterator[RankedAnswer]:
        """Yield the search results for a question at each evidence level.

        Yield nothing if the question's docstring cannot be masked.
        """
        for evidence, level, request in self._requests(question):
            pipeline_result = run_pipeline(self.evaluated.catalog, level, request)
            at = np.searchsorted(
                level.chunk_ids, [ranked_chunk.chunk_id for ranked_chunk in pipeline_result.ranked]
            )
            files, lines = level.chunk_file[at].tolist(), level.chunk_lines[at].tolist()
            kept_hits = [
                (file, (level.paths[file], first, last))
                for file, (first, last) in zip(files, lines, strict=True)
                if file not in question.ignored
            ]
            order = dict.fromkeys(file for file, _ in kept_hits)
            yield RankedAnswer(question, evidence, tuple(hit for _, hit in kept_hits), tuple(order))

    def candidates(self, question: EvaluationQuestion) -> Iterator[RankerCandidates]:
        """Yield the ranker's candidates for a question at each evidence level.

        Yield nothing if the question's docstring cannot be masked.
        """
        for evidence, level, request in self._requests(question):
            classified, scores = classify_and_retrieve(self.evaluated.catalog, level, request)
            candidate_ranking = rank_candidates(
                level, scores, question=classified, allowed=self.allowed
            )
            files = candidate_ranking.files.positions
            kept_files = ~np.isin(files, list(question.ignored))
            yield RankerCandidates(
                question=question,
                evidence=evidence,
                query_kind=question_kind(classified),
                rows=np.column_stack([candidate_ranking.file_rows, candidate_ranking.best_places])[
                    kept_files
                ],
                relevant=np.isin(files, list(question.targets))[kept_files],
            )

    def _requests(
        self, question: EvaluationQuestion
    ) -> Iterator[tuple[EvidenceLevel, Corpus, PipelineRequest]]:
        """Yield (evidence level, corpus, search request) for each level.

        The docstring of the question is masked in the corpus. Yield nothing if it cannot be masked.
        """
        corpus = self.levels[self.best]
        masked = _mask_chunks(self.evaluated.catalog, corpus, question) if question.doc else {}
        if masked is None:
            return
        vectors = query_vectorizer(corpus, self.evaluated.encoders)(question.text)
        request = PipelineRequest(
            question.text,
            vectors=lambda _: vectors,
            shifts=self.evaluated.shifts,
            is_masked=bool(masked),
        )
        without = self._mask_corpus(corpus, masked) if masked else corpus
        for evidence, level in self.levels.items():
            yield evidence, _reduce_evidence(without, evidence) if masked else level, request

    def _mask_corpus(self, corpus: Corpus, masked: Mapping[int, Chunk]) -> Corpus:
        """Return a corpus in which some chunks have other text.

        `masked` maps positions in the corpus to chunks with masked text.
        """
        connection = self.evaluated.catalog.connection
        words = [
            words_from_catalog(connection, int(corpus.chunk_ids[at]))._replace(
                body=stemmed_text(chunk.text), doc=""
            )
            for at, chunk in masked.items()
        ]
        corpus = replace(corpus, words=corpus.words.replacing(words))
        encoders, statistics = self.evaluated.encoders, corpus.statistics
        located = {
            at: (corpus.paths[corpus.chunk_file[at]], located_chunk)
            for at, located_chunk in masked.items()
        }
        if encoders.static is not None and statistics is not None:
            token = {
                at: _token_row(encoders.static, statistics, *located_chunk)
                for at, located_chunk in located.items()
            }
            corpus = replace(corpus, token=MaskedVectors(corpus.token, token))
        if encoders.dense is None or "dense" not in self.levels:
            return corpus
        texts = [embedding_text(*located_chunk) for located_chunk in located.values()]
        rows = encoders.dense.embedder().documents(texts, max_tokens=self.evaluated.max_tokens)
        return replace(
            corpus, dense=MaskedVectors(corpus.dense, dict(zip(located, rows, strict=True)))
        )


def _token_row(static: StaticModel, statistics: TokenStatistics, path: str, chunk: Chunk) -> Floats:
    ids_of = line_encoder(tokenizer_for(None))
    ids = chain(ids_of(chunk_header(path, chunk)), *map(ids_of, chunk.text.split("\n")))
    row: Floats = token_rows([pack_counts(Counter(ids))], statistics, static)[0]
    return row


def _reduce_evidence(corpus: Corpus, evidence: EvidenceLevel) -> Corpus:
    """Return the corpus without the vectors that an index of this evidence level does not have."""
    if evidence == "dense":
        return corpus
    corpus = replace(corpus, dense=corpus.dense.empty())
    if evidence == "token":
        return corpus
    return replace(corpus, token=corpus.token.empty(), statistics=None)


def _mask_chunks(
    catalog: Catalog, corpus: Corpus, question: EvaluationQuestion
) -> dict[int, Chunk] | None:
    """Return {position in the corpus: chunk with masked text} of a function's chunks.

    The docstring of the question is removed from them. Return None if no chunk contains it.
    """
    (file,) = question.targets
    ((_, start, end),) = question.functions
    span = corpus.chunks_of(file)
    grouped: dict[int, Chunk] = {}
    for at in range(span.start, span.stop):
        first, last = corpus.chunk_lines[at].tolist()
        if first <= end and start <= last:
            _, chunk = stored_chunk(catalog.connection, int(corpus.chunk_ids[at]))
            left = mask_docstring(chunk.text.split("\n"), question.doc)
            if left is not None:
                grouped[at] = replace(chunk, text=mark_as_safe("\n".join(left)))
    return grouped or None
