"""From scores of chunks to an order of hits: one linear model over features of files and places.

The log-odds of a place are the sum of its file's features and its own, each times its weight
(`search.weights`), less what the places before it in its file cost it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from codeindex.query.classify import Classification, QueryType
from codeindex.search.rank.features.file_features import FILE_FEATURES, CandidateFiles, file_matrix
from codeindex.search.rank.features.place_features import (
    PLACE_FEATURES,
    CandidatePlaces,
    place_matrix,
)
from codeindex.search.rank.weights import RankerWeights, ranker_weights
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.retrieve.scores import RetrievalScores
from codeindex.search.weight_rows import EvidenceLevel, QuestionKind

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Values = npt.NDArray[np.float32]
    Flags = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int64]

_CANDIDATES = 100
"""Chunks a retriever may nominate; 300 were worse (docs/quality.md)."""
_DEFINED_FILES = 200
"""Files nominated for a name that they define."""
_CLOSER = 40
"""Files whose places are looked at, as in training: of 3,779 candidates that answer mined questions
7 in 1,000 are further down by the features of files; of those that answer dev questions, none."""
_ENOUGH = 0.5
"""Share of chunks with a vector of the model above which its weights are used."""
_NAMES = ("bias", "further", *(one.name for one in (*FILE_FEATURES, *PLACE_FEATURES)))
"""Names of the parts that a place's log-odds are the sum of: `Part.name`."""
_PLACES_A_FILE = 5
"""Most hits that one file can give, beside those that the query names."""


class ScorePart(NamedTuple):
    """What one feature adds to a hit's log-odds: its value times its weight.

    `bias` and `further` are no features: their values are 1 and the logarithm of the place's rank
    in its file.
    """

    name: str
    value: float
    weight: float

    @property
    def contribution(self) -> float:
        return self.value * self.weight


@dataclass(frozen=True, slots=True, eq=False)
class RankedChunk:
    """A chunk at its place in the order; `score` is the chance that it is an answer, 0 to 1."""

    chunk_id: int
    score: float
    line: int = 0
    """Line in it that the query names or cites; 0 for none."""
    extra_parts: tuple[ScorePart, ...] = ()
    """Parts beside those of the linear model: of similar code, of documents, of a prototype."""
    ranking: CandidateRanking | None = None
    """The linear model's features and weights, and the number of the place among its places."""
    place: int = 0

    @property
    def rank_in_file(self) -> int:
        """Return 0 for the best place of its file, and for what the linear model did not rank."""
        return int(self.ranking.rank_in_file[self.place]) if self.ranking else 0

    @property
    def parts(self) -> Iterator[ScorePart]:
        """Yield all that the log-odds are the sum of, zeros left out."""
        yield from self.extra_parts
        if self.ranking is not None:
            yield from self.ranking.parts(self.place)

    @property
    def why(self) -> dict[str, float]:
        """Return what each feature adds to the log-odds, to three decimals, zeros left out."""
        given = {
            one.name: rounded for one in self.extra_parts if (rounded := round(one.contribution, 3))
        }
        return given | (self.ranking.why(self.place) if self.ranking is not None else {})


def evidence_level(corpus: Corpus) -> EvidenceLevel:
    """Say which scores there are: the model's vectors count once half of the chunks have one."""
    if len(corpus.chunk_ids) and corpus.dense.coverage >= _ENOUGH:
        return "dense"
    return "token" if corpus.statistics else "words"


def question_kind(question: Classification) -> QuestionKind:
    if question.type is QueryType.SYMBOL:
        return "symbol"
    return "how" if question.is_how or question.type is QueryType.PATTERN else "other"


def candidate_files(corpus: Corpus, scores: RetrievalScores, allowed: Flags) -> Ints:
    """Return the files worth a closer look, ascending: those of each retriever's best chunks."""
    chunk_allowed = allowed[corpus.chunk_file]
    nominated: set[int] = set()
    for column in (scores.words.bm25, scores.dense, scores.token):
        masked = np.where(chunk_allowed, column, 0.0)
        count = min(_CANDIDATES, len(masked))
        if masked.any():
            top = np.argpartition(-masked, count - 1)[:count]
            nominated.update(corpus.chunk_file[top[masked[top] > 0]].tolist())
    strongest = sorted(scores.definitions, key=lambda one: -one.strength)[:_DEFINED_FILES]
    ids = {one.file_id for one in strongest} | {one.file_id for one in scores.name_matches}
    defining = (corpus.file_positions[one] for one in ids)
    nominated.update(file for file in defining if allowed[file])
    return np.array(sorted(nominated), dtype=np.int64)


@dataclass(frozen=True, eq=False)  # no slots: properties are cached
class CandidateRanking:
    """The candidate files and places of one question, with their features and their order."""

    files: CandidateFiles
    file_rows: Values
    places: CandidatePlaces
    weights: RankerWeights

    @functools.cached_property
    def place_rows(self) -> Values:
        return place_matrix(self.places)

    @functools.cached_property
    def own(self) -> Floats:
        """Return what the features of each place add to the log-odds."""
        added: Floats = self.place_rows @ self.weights.places
        return added

    @functools.cached_property
    def rank_in_file(self) -> Ints:
        """Return the rank of each place among those of its file, 0 for the best."""
        return self.places.rank_in_file(self.own)

    @property
    def best_places(self) -> Floats:
        """Return for each file what the features of its best place add to the log-odds."""
        best = np.zeros(len(self.files.files))
        first = self.rank_in_file == 0
        best[self.places.owner[first]] = self.own[first]
        return best

    @functools.cached_property
    def odds(self) -> Floats:
        """Return the log-odds of each place."""
        of_files = self.weights.bias + self.file_rows @ self.weights.files
        further = self.weights.further * np.log1p(self.rank_in_file)
        total: Floats = of_files[self.places.owner] + self.own - further
        return total

    @functools.cached_property
    def _row(self) -> Floats:
        """Return the weights of all parts, in the order of `_NAMES`."""
        row = self.weights
        return np.concatenate([[row.bias, -row.further], row.files, row.places])

    def _values(self, place: int) -> Floats:
        """Return the values of all parts of a place, in the order of `_NAMES`."""
        further = np.log1p(self.rank_in_file[place])
        of_file = self.file_rows[self.places.owner[place]]
        return np.concatenate([[1.0, further], of_file, self.place_rows[place]])

    def parts(self, place: int) -> Iterator[ScorePart]:
        """Yield all that a place's log-odds are the sum of, zeros left out."""
        columns = (self._values(place).tolist(), self._row.tolist())
        every = (ScorePart(*one) for one in zip(_NAMES, *columns, strict=True))
        return (one for one in every if one.contribution)

    def why(self, place: int) -> dict[str, float]:
        """Return what each part of a place's log-odds adds, to three decimals, zeros left out."""
        added = (self._values(place) * self._row).round(3).tolist()
        return {name: value for name, value in zip(_NAMES, added, strict=True) if value}

    def ranked(self) -> list[RankedChunk]:
        """Return at most five places of each file, and all named ones, the likeliest first."""
        kept = (self.rank_in_file < _PLACES_A_FILE) | (self.places.named > 0)
        at = np.flatnonzero(kept)
        at = at[np.argsort(-self.odds[at], kind="stable")]
        chances = 1.0 / (1.0 + np.exp(-self.odds[at].clip(-50.0, 50.0)))
        ids = self.places.corpus.chunk_ids[self.places.chunks[at]]
        columns = (ids, chances, self.places.named_line[at], at)
        return [
            RankedChunk(chunk_id, chance, line, ranking=self, place=place)
            for chunk_id, chance, line, place in zip(
                *(column.tolist() for column in columns), strict=True
            )
        ]


def rank_candidates(
    corpus: Corpus, scores: RetrievalScores, *, question: Classification, allowed: Flags
) -> CandidateRanking:
    """Look closer at the places of the best candidates among the allowed files."""
    row = ranker_weights(evidence_level(corpus), question_kind(question), corpus.tuned_rows)
    files = CandidateFiles(corpus, scores, question, candidate_files(corpus, scores, allowed))
    rows = file_matrix(files)
    near = _nearest(files, rows @ row.files)
    files = CandidateFiles(corpus, scores, question, files.files[near])
    return CandidateRanking(files, rows[near], CandidatePlaces.of(corpus, scores, files.files), row)


def _nearest(files: CandidateFiles, odds: Floats) -> Ints:
    """Return which candidates are looked at closely: the likeliest, and those that are named."""
    order = np.argsort(-odds, kind="stable")
    meant = [files.corpus.file_positions[one.file_id] for one in files.scores.name_matches]
    return np.union1d(order[:_CLOSER], np.flatnonzero(np.isin(files.files, meant)))


def rank_chunks(
    corpus: Corpus, scores: RetrievalScores, *, question: Classification, allowed: Flags
) -> list[RankedChunk]:
    """Order the places of the candidate files, best first."""
    found = rank_candidates(corpus, scores, question=question, allowed=allowed)
    return found.ranked() if len(found.places.chunks) else []
