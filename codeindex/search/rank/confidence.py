"""Rate the confidence of a ranked answer by a logistic model over signals of its first hits.

`codeindex/data/confidence.json` has a row for each evidence level: a weight for each signal, the
least probabilities of `likely` and `strong` answers, and the relative nearness from which a vector
counts as near. `tests/benchmarks/reliability.py --write` writes the file; do not edit it by hand.
No signal depends on the scale of the ranker's log-odds.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from codeindex.search.rank.ranker import RankedChunk, evidence_level
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.retrieve.scores import RetrievalScores
from codeindex.search.weight_rows import EvidenceLevel
from codeindex.store.segments.word_index import MARKED_FIELDS
from codeindex.types import Confidence
from codeindex.types.array_types import Counts, Flags, Floats, Ints

_TABLE = Path(__file__).parents[2] / "data" / "confidence.json"
_MAX_HITS = 100
"""Most hits with which the first hit is compared."""
_NAME = 1 << MARKED_FIELDS.index("name")


@dataclass(frozen=True, slots=True)
class ConfidenceSignals:
    """What the confidence in a ranked answer is computed from; most values are about the first hit.

    Some values are shares, 0 to 1: the summed idf of some of the query's terms, divided by the
    summed idf of all.
    """

    missing: float
    """Share of the query's content words that occur in no file."""
    telling: float
    """Logarithm of 1 + the number of terms."""
    covered: float
    """Share of the terms that occur in the first hit."""
    in_file: float
    """Share of the terms that occur in the file of the first hit."""
    in_name: float
    """Share of the terms that occur in the name of the first hit."""
    named: float
    """1 if the query names or cites the first hit."""
    words_first: float
    """1 divided by the rank, by words alone, of the first hit's file."""
    vectors_first: float
    """1 divided by the rank, by nearest vector, of the first hit's file; 0 without vectors."""
    nearness: float
    """Standard deviations by which the first hit's cosine exceeds the mean; 0 without vectors."""
    margin: float
    """Log-odds gap between the best and the second file, as a share of the spread of the first
    hits."""
    apart: float
    """Gap between the best file's log-odds and the mean of the first hits' files, in standard
    deviations."""
    files: float
    """Logarithm of the number of files."""


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """The weights and thresholds of the confidence, fitted for one evidence level.

    The level is `dense`, `token` or `words`: the best that the index has for ranking.
    """

    bias: float
    weights: Mapping[str, float]
    likely: float
    strong: float
    near: float
    """Relative nearness (`nearness.py`) from which a chunk counts as near a query."""

    def chance(self, signals: ConfidenceSignals) -> float:
        """Return the probability that a right file is among the first five hits."""
        names = ConfidenceSignals.__dataclass_fields__
        pairs = zip(names, astuple(signals), strict=True)
        odds = self.bias + math.fsum(self.weights[name] * value for name, value in pairs)
        return 1 / (1 + math.exp(-max(min(odds, 50.0), -50.0)))

    def level(self, signals: ConfidenceSignals) -> Confidence:
        chance = self.chance(signals)
        return "strong" if chance >= self.strong else "likely" if chance >= self.likely else "weak"


def rate_confidence(
    corpus: Corpus,
    scores: RetrievalScores,
    hits: Sequence[RankedChunk],
    chunks: Flags,
    missing: float,
) -> Confidence:
    """Rate how likely it is that the first hits are right: `strong`, `likely` or `weak`.

    `chunks` marks the chunks that pass the filters; `missing` is the share of the query's words
    that no file contains.
    """
    return load_confidence_model(evidence_level(corpus)).level(
        confidence_signals(corpus, scores, hits, chunks, missing)
    )


def best_vectors(scores: RetrievalScores) -> Floats:
    """Return each chunk's cosine by the model's vectors or, if there are none, by token vectors."""
    return scores.dense if scores.dense.any() else scores.token


def confidence_signals(
    corpus: Corpus,
    scores: RetrievalScores,
    hits: Sequence[RankedChunk],
    chunks: Flags,
    missing: float,
) -> ConfidenceSignals:
    """Compute from a ranked answer what its confidence depends on.

    The parameters are those of `rate_confidence`.
    """
    words, vectors = scores.words, best_vectors(scores)
    at = corpus.position_of(hits[0].chunk_id)
    file = int(corpus.chunk_file[at])
    near = vectors[chunks]
    has_vectors = bool(near.any())
    margin, apart = _gaps_to_best(corpus, hits)
    return ConfidenceSignals(
        missing=missing,
        telling=math.log1p(len(scores.terms)),
        covered=float(words.coverage[at]),
        in_file=_share(
            scores, [(corpus.chunk_file[p] == file).any() for p, _ in _places_and_marks(scores)]
        ),
        in_name=_share(
            scores,
            [(marks[places == at] & _NAME).any() for places, marks in _places_and_marks(scores)],
        ),
        named=float(hits[0].line > 0),
        words_first=_reciprocal_rank(scores.file_words.bm25, file),
        vectors_first=_reciprocal_rank(corpus.best_of_file(vectors), file) if has_vectors else 0.0,
        nearness=float((vectors[at] - near.mean()) / max(near.std(), 1e-6)) if has_vectors else 0.0,
        margin=margin,
        apart=apart,
        files=math.log(len(corpus.paths)),
    )


def _places_and_marks(scores: RetrievalScores) -> list[tuple[Ints, Counts]]:
    return [(term.positions, term.marks) for term in scores.words.occurrences]


def _share(scores: RetrievalScores, flags: Sequence[Any]) -> float:
    """Return the summed idf of the terms that `flags` marks, divided by that of all terms."""
    idf = scores.words.idf
    return float(idf[np.array(flags, dtype=bool)].sum() / max(float(idf.sum()), 1e-6))


def _reciprocal_rank(values: Floats, file: int) -> float:
    return 1.0 / (1 + int((values > values[file]).sum()))


def _gaps_to_best(corpus: Corpus, hits: Sequence[RankedChunk]) -> tuple[float, float]:
    """Return `margin` and `apart` of `ConfidenceSignals`: how far the best file is from others.

    Both compare the log-odds of files.
    """
    first = hits[:_MAX_HITS]
    files = corpus.chunk_file[np.searchsorted(corpus.chunk_ids, [hit.chunk_id for hit in first])]
    chances = np.array([hit.score for hit in first]).clip(1e-12, 1 - 1e-12)
    odds = np.log(chances / (1 - chances))
    best = odds[np.unique(files, return_index=True)[1]]  # each file's first hit is its best
    spread = float(best.max() - best.min())
    if spread <= 0:
        return 1.0, 0.0
    margin = (float(best.max()) - float(np.partition(best, -2)[-2])) / spread
    return margin, float((best.max() - best.mean()) / best.std())


@functools.cache
def _table() -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = json.loads(_TABLE.read_text("utf-8"))
    return table


@functools.cache
def load_confidence_model(evidence: EvidenceLevel) -> ConfidenceModel:
    """Return the confidence model of an evidence level, from the files of codeindex."""
    return ConfidenceModel(**_table()[evidence])
