"""What a search answers to one question, and what the ranker sees of it, with less evidence too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from codeindex.embed.packing import pack_counts
from codeindex.embed.token_vectors import token_vectors as token_rows
from codeindex.embed.tokens import tokenizer_for
from codeindex.embed.word_ids import token_id_encoder as line_encoder
from codeindex.evaluation.masking import MaskedVectors, mask_docstring
from codeindex.ingest.chunk.header import chunk_header, embedding_text
from codeindex.ingest.sync.chunk_words import words_from_catalog
from codeindex.search.filters import file_mask
from codeindex.search.pipeline import (
    PipelineRequest,
    QueryVectors,
    classify_and_retrieve,
    run_pipeline,
)
from codeindex.search.rank.ranker import evidence_level, question_kind, rank_candidates
from codeindex.secrets import stored
from codeindex.store.catalog.chunk_texts import stored_chunk
from codeindex.text.words import joined
from codeindex.types import Filters

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from codeindex.embed.encoder import Encoder
    from codeindex.embed.token_vectors import TokenStatistics
    from codeindex.evaluation.metrics import LineSpan
    from codeindex.evaluation.questions import EvaluationQuestion
    from codeindex.search.retrieve.corpus import Corpus
    from codeindex.search.weight_rows import EvidenceLevel, QuestionKind
    from codeindex.store.catalog.connection import Catalog
    from codeindex.types import Chunk

    Floats = npt.NDArray[np.float32]
    Flags = npt.NDArray[np.bool_]

EVIDENCE_LEVELS: tuple[EvidenceLevel, ...] = ("words", "token", "dense")


@dataclass(frozen=True, slots=True, eq=False)
class RankedAnswer:
    """What a search answers to a question with one level of evidence.

    `hits` are all of them, best first, and `order` their different files; ignored files are in
    neither.
    """

    question: EvaluationQuestion
    evidence: EvidenceLevel
    hits: tuple[LineSpan, ...]
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RankerCandidates:
    """What the ranker sees of a question with one level of evidence.

    `rows` are the features of the candidate files, and in the last column the score of the best
    place of each.
    """

    question: EvaluationQuestion
    evidence: EvidenceLevel
    asked: QuestionKind
    rows: Floats
    relevant: Flags


@dataclass(frozen=True, slots=True, eq=False)
class EvaluatedIndex:
    """The published state of an index, opened; `encoder` is None where its model is not here."""

    repo: str
    root: Path
    catalog: Catalog
    corpus: Corpus
    encoder: Encoder | None
    max_tokens: int
    """Of a chunk, that the model reads."""


@dataclass(frozen=True, slots=True, eq=False)
class Benchmark:
    """What questions are asked of: a corpus, and less of it for each lower level of evidence."""

    ground: EvaluatedIndex
    levels: Mapping[EvidenceLevel, Corpus]
    allowed: Flags

    @classmethod
    def of(cls, ground: EvaluatedIndex) -> Benchmark:
        whole = ground.corpus if ground.encoder else ground.corpus.without_vectors()
        levels = {one: _reduced(whole, one) for one in EVIDENCE_LEVELS}
        allowed = file_mask(whole, Filters()) & ~whole.is_navigation
        known = {name: level for name, level in levels.items() if evidence_level(level) == name}
        return cls(ground, known, allowed)

    @property
    def best(self) -> EvidenceLevel:
        """Return the level that searches use."""
        return list(self.levels)[-1]

    def ask(self, question: EvaluationQuestion) -> Iterator[RankedAnswer]:
        """Search for a question at each level; nothing where its docstring cannot be taken out."""
        for evidence, level, request in self._asked(question):
            found = run_pipeline(self.ground.catalog, level, request)
            at = np.searchsorted(level.chunk_ids, [one.chunk_id for one in found.ranked])
            files, lines = level.chunk_file[at].tolist(), level.chunk_lines[at].tolist()
            kept = [
                (file, (level.paths[file], first, last))
                for file, (first, last) in zip(files, lines, strict=True)
                if file not in question.ignored
            ]
            order = dict.fromkeys(file for file, _ in kept)
            yield RankedAnswer(question, evidence, tuple(hit for _, hit in kept), tuple(order))

    def candidates(self, question: EvaluationQuestion) -> Iterator[RankerCandidates]:
        """See at each level what the ranker sees; nothing where a docstring cannot be taken out."""
        for evidence, level, request in self._asked(question):
            classified, scores = classify_and_retrieve(self.ground.catalog, level, request)
            found = rank_candidates(level, scores, question=classified, allowed=self.allowed)
            files = found.files.files
            kept = ~np.isin(files, list(question.ignored))
            yield RankerCandidates(
                question=question,
                evidence=evidence,
                asked=question_kind(classified),
                rows=np.column_stack([found.file_rows, found.best_places])[kept],
                relevant=np.isin(files, list(question.targets))[kept],
            )

    def _asked(
        self, question: EvaluationQuestion
    ) -> Iterator[tuple[EvidenceLevel, Corpus, PipelineRequest]]:
        """Yield what is searched at each level: an index without the docstring."""
        corpus = self.levels[self.best]
        masked = _masked(self.ground.catalog, corpus, question) if question.doc else {}
        if masked is None:
            return
        vectors = self._vectors(corpus, question.text)
        request = PipelineRequest(question.text, vectors=lambda _: vectors, is_masked=bool(masked))
        without = self._without(corpus, masked) if masked else corpus
        for evidence, level in self.levels.items():
            yield evidence, _reduced(without, evidence) if masked else level, request

    def _without(self, corpus: Corpus, masked: Mapping[int, Chunk]) -> Corpus:
        """Return a corpus in which these chunks are as if they had been indexed with this text."""
        connection = self.ground.catalog.connection
        words = [
            words_from_catalog(connection, int(corpus.chunk_ids[at]))._replace(
                body=joined(chunk.text), doc=""
            )
            for at, chunk in masked.items()
        ]
        corpus = replace(corpus, words=corpus.words.replacing(words))
        encoder, statistics = self.ground.encoder, corpus.statistics
        if encoder is None or statistics is None:
            return corpus
        told = {at: (corpus.paths[corpus.chunk_file[at]], one) for at, one in masked.items()}
        token = {at: _token_row(encoder, statistics, *one) for at, one in told.items()}
        corpus = replace(corpus, token=MaskedVectors(corpus.token, token))
        if "dense" not in self.levels:
            return corpus
        texts = [embedding_text(*one) for one in told.values()]
        rows = encoder.embedder().documents(texts, max_tokens=self.ground.max_tokens)
        return replace(
            corpus, dense=MaskedVectors(corpus.dense, dict(zip(told, rows, strict=True)))
        )

    def _vectors(self, corpus: Corpus, text: str) -> QueryVectors:
        encoder = self.ground.encoder
        if encoder is None or corpus.statistics is None:
            return QueryVectors()
        token = encoder.token_query(text, corpus.statistics)
        dense = encoder.dense_query(text) if "dense" in self.levels else None
        return QueryVectors(dense=dense, token=token)


def _token_row(encoder: Encoder, statistics: TokenStatistics, path: str, chunk: Chunk) -> Floats:
    ids_of = line_encoder(tokenizer_for(encoder.tokenizer_file))
    ids = chain(ids_of(chunk_header(path, chunk)), *map(ids_of, chunk.text.split("\n")))
    row: Floats = token_rows([pack_counts(Counter(ids))], statistics, encoder.table())[0]
    return row


def _reduced(corpus: Corpus, evidence: EvidenceLevel) -> Corpus:
    """Take away what an index without the model, or without its vectors, would not have."""
    if evidence == "dense":
        return corpus
    corpus = replace(corpus, dense=corpus.dense.empty())
    if evidence == "token":
        return corpus
    return replace(corpus, token=corpus.token.empty(), statistics=None)


def _masked(
    catalog: Catalog, corpus: Corpus, question: EvaluationQuestion
) -> dict[int, Chunk] | None:
    """Return the chunks of a function without its documentation; None if that is in none."""
    (file,) = question.targets
    ((_, start, end),) = question.functions
    span = corpus.chunks_of(file)
    found: dict[int, Chunk] = {}
    for at in range(span.start, span.stop):
        first, last = corpus.chunk_lines[at].tolist()
        if first <= end and start <= last:
            _, chunk = stored_chunk(catalog.connection, int(corpus.chunk_ids[at]))
            left = mask_docstring(chunk.text.split("\n"), question.doc)
            if left is not None:
                found[at] = replace(chunk, text=stored("\n".join(left)))
    return found or None
