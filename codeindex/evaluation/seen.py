"""One question as the ranker sees it: the order it gives, and the signals of the candidates."""

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
from codeindex.search.rank import asked_of, evidence_of, ranking
from codeindex.search.run import QueryVectors, Request, scores_of
from codeindex.secrets import stored
from codeindex.words import joined

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from codeindex.embed.encoder import Encoder
    from codeindex.embed.token_vectors import Statistics
    from codeindex.evaluation.questions import Question
    from codeindex.search.classify import Classified
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
    that shows the function of a docstring, 0 for none. `rows` are the features of the candidate
    files, and in the last column the score of the best place of each.
    """

    question: Question
    evidence: Evidence
    asked: Asked
    order: tuple[int, ...]
    place: int
    rows: Floats
    relevant: Flags


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The published state of an index, opened; `encoder` is None where its model is not here."""

    repo: str
    root: Path
    catalog: Catalog
    corpus: Corpus
    encoder: Encoder | None
    max_tokens: int
    """Of a chunk, that the model reads."""


@dataclass(frozen=True, slots=True, eq=False)
class Bench:
    """What questions are asked of: a corpus, and less of it for each lower level of evidence."""

    ground: Ground
    levels: Mapping[Evidence, Corpus]
    allowed: Flags

    @classmethod
    def of(cls, ground: Ground) -> Bench:
        whole = ground.corpus if ground.encoder else ground.corpus.without_vectors()
        levels = {one: _reduced(whole, one) for one in LEVELS}
        allowed = file_mask(whole, Filters()) & ~whole.is_navigation
        known = {name: level for name, level in levels.items() if evidence_of(level) == name}
        return cls(ground, known, allowed)

    @property
    def best(self) -> Evidence:
        """Return the level that searches use."""
        return list(self.levels)[-1]

    def ask(self, question: Question) -> Iterator[Seen]:
        """See a question at each level; nothing where its docstring cannot be taken out."""
        corpus = self.levels[self.best]
        masked = _masked(self.ground.catalog, corpus, question) if question.doc else {}
        if masked is None:
            return
        classified, scores = self._scores(corpus, question, masked)
        for evidence, level in self.levels.items():
            less = _less(scores, evidence)
            found = ranking(level, less, question=classified, allowed=self.allowed)
            at = np.searchsorted(level.chunk_ids, [one.chunk_id for one in found.ranked()])
            order = dict.fromkeys(level.chunk_file[at].tolist())
            files = found.files.files
            kept = ~np.isin(files, list(question.ignored))
            yield Seen(
                question=question,
                evidence=evidence,
                asked=asked_of(classified),
                order=tuple(one for one in order if one not in question.ignored),
                place=_place(level, question, at.tolist()),
                rows=np.column_stack([found.file_rows, found.best_places])[kept],
                relevant=np.isin(files, list(question.targets))[kept],
            )

    def _scores(
        self, corpus: Corpus, question: Question, masked: Mapping[int, Chunk]
    ) -> tuple[Classified, Scores]:
        """Score all chunks, those of which a text was taken out as they would be without it."""
        vectors = self._vectors(corpus, question.text)
        catalog = self.ground.catalog
        anew = {
            at: said_again(catalog.connection, int(corpus.chunk_ids[at]))._replace(
                body=joined(chunk.text)
            )
            for at, chunk in masked.items()
        }
        said = replace(corpus, words=MaskedWords(corpus.words, anew)) if anew else corpus
        classified, scores = scores_of(
            catalog,
            said,
            Request(question.text, vectors=lambda _: vectors, is_masked=bool(anew)),
        )
        encoder, statistics = self.ground.encoder, corpus.statistics
        if encoder is None or statistics is None:
            return classified, scores
        for at, chunk in masked.items():
            path = corpus.paths[corpus.chunk_file[at]]
            if vectors.token is not None and corpus.token.present[at]:
                scores.token[at] = _token_row(encoder, statistics, path, chunk) @ vectors.token
            if vectors.dense is not None and corpus.dense.present[at]:
                text, most = embedding_text(path, chunk), self.ground.max_tokens
                row = encoder.embedder().documents([text], max_tokens=most)[0]
                scores.dense[at] = row @ vectors.dense
        return classified, scores

    def _vectors(self, corpus: Corpus, text: str) -> QueryVectors:
        encoder = self.ground.encoder
        if encoder is None or corpus.statistics is None:
            return QueryVectors()
        token = encoder.token_query(text, corpus.statistics)
        dense = encoder.dense_query(text) if "dense" in self.levels else None
        return QueryVectors(dense=dense, token=token)


def _token_row(encoder: Encoder, statistics: Statistics, path: str, chunk: Chunk) -> Floats:
    ids_of = line_encoder(tokenizer_for(encoder.tokenizer_file))
    ids = chain(ids_of(header(path, chunk)), *map(ids_of, chunk.text.split("\n")))
    row: Floats = token_rows([packed(Counter(ids))], statistics, encoder.table())[0]
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


def _place(corpus: Corpus, question: Question, hits: Sequence[int]) -> int:
    """Return the rank of the first hit that shows the function."""
    if not question.last:
        return 0
    (file,) = question.targets
    for number, at in enumerate(hits, 1):
        first, last = corpus.chunk_lines[at].tolist()
        overlaps = first <= question.last and question.first <= last
        if corpus.chunk_file[at] == file and overlaps:
            return number
    return 0
