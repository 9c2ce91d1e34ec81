"""One question as the ranker sees it: the order that it gives, and the signals of the candidates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from codeindex.embed.lines import encoder as line_encoder
from codeindex.embed.packing import packed
from codeindex.embed.token_vectors import vectors as token_rows
from codeindex.embed.tokens import tokenizer_for
from codeindex.evaluation.masking import MaskedWords, without_doc
from codeindex.ingest.embedding import text_of
from codeindex.ingest.header import embedding_text, header
from codeindex.ingest.wording import said_again
from codeindex.search.filters import Filters, file_mask
from codeindex.search.rank import asked_of, candidates, evidence_of, rank
from codeindex.search.run import QueryVectors, Request, scores_of
from codeindex.search.signals import file_signals
from codeindex.secrets import stored
from codeindex.words import joined

if TYPE_CHECKING:
    import numpy.typing as npt

    from codeindex.embed.encoder import Encoder
    from codeindex.evaluation.questions import Question
    from codeindex.search.corpus import Corpus
    from codeindex.search.retrieve import Scores
    from codeindex.search.weights import Asked, Evidence
    from codeindex.store.catalog import Catalog
    from codeindex.types import Chunk

    Floats = npt.NDArray[np.float32]
    Flags = npt.NDArray[np.bool_]

LEVELS: tuple[Evidence, ...] = ("words", "token", "dense")


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What one level of evidence made of a question.

    `order` are the files as a search ranks them, less the ignored ones, `place` the rank of the hit
    that shows the function of a docstring, 0 for none. `rows` are the candidates' signals.
    """

    question: Question
    evidence: Evidence
    asked: Asked
    order: tuple[int, ...]
    place: int
    rows: Floats
    relevant: Flags


@dataclass(frozen=True, slots=True, eq=False)
class Bench:
    """What questions are asked of: a corpus, and less of it for each lower level of evidence."""

    catalog: Catalog
    encoder: Encoder | None
    max_tokens: int
    levels: Mapping[Evidence, Corpus]
    allowed: Flags

    @classmethod
    def of(cls, catalog: Catalog, corpus: Corpus, encoder: Encoder | None, max_tokens: int) -> Bench:
        whole = corpus if encoder else corpus.without_vectors()
        levels = {one: _reduced(whole, one) for one in LEVELS}
        allowed = file_mask(whole, Filters()) & ~whole.is_navigation
        known = {name: level for name, level in levels.items() if evidence_of(level) == name}
        return cls(catalog, encoder, max_tokens, known, allowed)

    @property
    def best(self) -> Evidence:
        """Return the level that searches use."""
        return list(self.levels)[-1]

    def ask(self, question: Question) -> Iterator[Seen]:
        """See a question at each level; nothing where its docstring cannot be taken out."""
        corpus = self.levels[self.best]
        masked = _masked(self.catalog, corpus, question) if question.doc else {}
        if masked is None:
            return
        classified, scores = self._scores(corpus, question, masked)
        for evidence, level in self.levels.items():
            less = _less(scores, evidence)
            ranked = rank(level, less, question=classified, allowed=self.allowed)
            at = level.chunk_file[np.searchsorted(level.chunk_ids, [r.chunk_id for r in ranked])]
            files = candidates(level, less, self.allowed)
            files = files[~np.isin(files, list(question.ignored))]
            yield Seen(
                question=question,
                evidence=evidence,
                asked=asked_of(classified),
                order=tuple(one for one in dict.fromkeys(at.tolist()) if one not in question.ignored),
                place=_place(level, question, [r.chunk_id for r in ranked]),
                rows=file_signals(level, files, less),
                relevant=np.isin(files, list(question.targets)),
            )

    def _scores(
        self, corpus: Corpus, question: Question, masked: Mapping[int, Chunk]
    ) -> tuple[object, Scores]:
        """Score all chunks, those of which a text was taken out as they would be without it."""
        vectors = self._vectors(corpus, question.text)
        anew = {
            at: said_again(self.catalog.connection, int(corpus.chunk_ids[at]))._replace(
                body=joined(chunk.text)
            )
            for at, chunk in masked.items()
        }
        said = replace(corpus, words=MaskedWords(corpus.words, anew)) if anew else corpus
        classified, scores = scores_of(
            self.catalog, said, Request(question.text, vectors=lambda _: vectors)
        )
        for at, chunk in masked.items():
            path = corpus.paths[corpus.chunk_file[at]]
            if vectors.token is not None and corpus.token.present[at]:
                scores.token[at] = self._token_row(corpus, path, chunk) @ vectors.token
            if vectors.dense is not None and corpus.dense.present[at] and self.encoder:
                text = embedding_text(path, chunk)
                row = self.encoder.embedder().documents([text], max_tokens=self.max_tokens)[0]
                scores.dense[at] = row @ vectors.dense
        return classified, scores

    def _vectors(self, corpus: Corpus, text: str) -> QueryVectors:
        if self.encoder is None or corpus.statistics is None:
            return QueryVectors()
        token = self.encoder.token_query(text, corpus.statistics)
        dense = self.encoder.dense_query(text) if "dense" in self.levels else None
        return QueryVectors(dense=dense, token=token)

    def _token_row(self, corpus: Corpus, path: str, chunk: Chunk) -> Floats:
        assert self.encoder is not None
        assert corpus.statistics is not None
        ids_of = line_encoder(tokenizer_for(self.encoder.tokenizer_file))
        ids = chain(ids_of(header(path, chunk)), *map(ids_of, chunk.text.split("\n")))
        row: Floats = token_rows([packed(Counter(ids))], corpus.statistics, self.encoder.table())[0]
        return row


def _reduced(corpus: Corpus, evidence: Evidence) -> Corpus:
    """Take away what an index without the model, or without its vectors, would not have."""
    if evidence == "dense":
        return corpus
    corpus = replace(corpus, dense=corpus.dense.empty())
    if evidence == "token":
        return corpus
    return replace(corpus, token=corpus.token.empty(), statistics=None)


def _less(scores: Scores, evidence: Evidence) -> Scores:
    none = np.zeros_like(scores.dense)
    match evidence:
        case "dense":
            return scores
        case "token":
            return replace(scores, dense=none)
        case "words":
            return replace(scores, dense=none, token=none)


def _masked(catalog: Catalog, corpus: Corpus, question: Question) -> dict[int, Chunk] | None:
    """Return the chunks of a function without its documentation; None if that is in none."""
    (file,) = question.targets
    span = corpus.chunks_of(file)
    found: dict[int, Chunk] = {}
    for at in range(span.start, span.stop):
        first, last = corpus.chunk_lines[at].tolist()
        if first <= question.last and question.first <= last:
            _, chunk = text_of(catalog, int(corpus.chunk_ids[at]))
            left = without_doc(chunk.text.split("\n"), question.doc)
            if left is not None:
                found[at] = replace(chunk, text=stored("\n".join(left)))
    return found or None


def _place(corpus: Corpus, question: Question, chunks: Sequence[int]) -> int:
    """Return the rank of the first hit that shows the function."""
    if not question.last:
        return 0
    (file,) = question.targets
    for rank_, at in enumerate(np.searchsorted(corpus.chunk_ids, chunks).tolist(), 1):
        first, last = corpus.chunk_lines[at].tolist()
        overlaps = first <= question.last and question.first <= last
        if corpus.chunk_file[at] == file and overlaps:
            return rank_
    return 0
