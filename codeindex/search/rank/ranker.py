"""Rank chunks by a linear model over features of files and of places (chunks).

The log-odds of a place are the weighted sum of its file's features and its own features, minus a
penalty that grows with its rank among the places of its file. The weights come from
`search/rank/weights.py`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from codeindex.query.classify import Classification, QueryType
from codeindex.search.rank.features.file_features import FILE_FEATURES, CandidateFiles, file_matrix
from codeindex.search.rank.features.place_features import (
    PLACE_FEATURES,
    CandidatePlaces,
    place_matrix,
)
from codeindex.search.rank.odds_shifts import NO_SHIFTS, OddsShifts
from codeindex.search.rank.weights import RankerWeights, ranker_weights
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.retrieve.scores import RetrievalScores
from codeindex.search.weight_rows import EvidenceLevel, QuestionKind
from codeindex.types.array_types import Doubles, Flags, Floats, Ints

MAX_NOMINATED_CHUNKS = 100
"""Most chunks whose files one retriever makes candidates; 300 were worse in an early trial."""
_MAX_DEFINITIONS = 200
"""Most named definitions whose files become candidates."""
_MAX_FILES = 40
"""Most files whose places are ranked, as in training. Of the 3,779 files that answer mined
questions, 7 in 1,000 rank lower by file features alone; of those for dev questions, none."""
_MIN_DENSE_COVERAGE = 0.5
"""The weights of the level `dense` are used if at least this share of chunks has a model vector."""
_PART_NAMES = ("bias", "further", *(feature.name for feature in (*FILE_FEATURES, *PLACE_FEATURES)))
"""Names of the parts of a place's log-odds (`ScorePart.name`), in order."""
MAX_PLACES_PER_FILE = 5
"""Most hits of one file; hits that the query names do not count."""


class ScorePart(NamedTuple):
    """One summand of a hit's log-odds: the value of a feature times its weight.

    Two summands are not features: `bias` has the value 1, and `further` the logarithm of the
    place's rank in its file, so that further places of a file count less.
    """

    name: str
    value: float
    weight: float

    @property
    def contribution(self) -> float:
        return self.value * self.weight


@dataclass(frozen=True, slots=True, eq=False)
class RankedChunk:
    """A ranked chunk; `score` is the estimated probability that it answers the query, 0 to 1."""

    chunk_id: int
    score: float
    line: int = 0
    """The line of the chunk that the query names or cites; 0 if there is none."""
    extra_parts: tuple[ScorePart, ...] = ()
    """Score parts from outside the linear model: for similar code, documents and prototypes."""
    ranking: CandidateRanking | None = None
    """The ranking that produced the chunk, if any; `place` is the chunk's index in its `places`."""
    place: int = 0

    @property
    def rank_in_file(self) -> int:
        """The rank among the hits of the same file, from 0.

        It is also 0 for chunks that the linear model did not rank.
        """
        return int(self.ranking.rank_in_file[self.place]) if self.ranking else 0

    @property
    def parts(self) -> Iterator[ScorePart]:
        """The parts of the log-odds of the score, without those that are 0."""
        yield from self.extra_parts
        if self.ranking is not None:
            yield from self.ranking.parts(self.place)

    @property
    def why(self) -> dict[str, float]:
        """{name: contribution to the log-odds} of each part, to three decimals, without zeros."""
        extra = {
            part.name: rounded
            for part in self.extra_parts
            if (rounded := round(part.contribution, 3))
        }
        return extra | (self.ranking.why(self.place) if self.ranking is not None else {})


def evidence_level(corpus: Corpus) -> EvidenceLevel:
    """Return the best evidence for ranking that the index has: `dense`, `token` or `words`.

    `dense` means vectors of the embedding model; half of the chunks must have one. `token` means
    token vectors.
    """
    if len(corpus.chunk_ids) and corpus.dense.coverage >= _MIN_DENSE_COVERAGE:
        return "dense"
    return "token" if corpus.statistics else "words"


def question_kind(question: Classification) -> QuestionKind:
    if question.type is QueryType.SYMBOL:
        return "symbol"
    return "how" if question.is_how or question.type is QueryType.PATTERN else "other"


def candidate_files(corpus: Corpus, scores: RetrievalScores, allowed: Flags) -> Ints:
    """Return the positions of the files to rank, sorted.

    They are the files that contain the best chunks by words or vectors, or a symbol that the query
    names. `allowed` has a flag for each file that passes the filters.
    """
    chunk_allowed = allowed[corpus.chunk_file]
    nominated: set[int] = set()
    for column in (scores.words.bm25, scores.dense, scores.token):
        best = corpus.best_chunks(np.where(chunk_allowed, column, 0.0), MAX_NOMINATED_CHUNKS)
        nominated.update(corpus.chunk_file[best].tolist())
    strongest = sorted(scores.definitions, key=lambda definition: -definition.strength)[
        :_MAX_DEFINITIONS
    ]
    ids = {definition.file_id for definition in strongest}
    ids |= {match.file_id for match in scores.name_matches}
    named = (corpus.file_positions[file_id] for file_id in ids)
    nominated.update(file for file in named if allowed[file])
    if scores.project_files is not None:
        fit = scores.project_files * allowed
        nominated.update(file for file in np.argsort(-fit)[:_MAX_FILES].tolist() if fit[file])
    return np.array(sorted(nominated), dtype=np.int64)


@dataclass(frozen=True, eq=False)  # no slots: properties are cached
class CandidateRanking:
    """The files and places of one query that are ranked, with their features and order.

    A place is a chunk that may be shown as a hit.
    """

    files: CandidateFiles
    file_rows: Floats
    places: CandidatePlaces
    weights: RankerWeights

    @functools.cached_property
    def place_rows(self) -> Floats:
        return place_matrix(self.places)

    @functools.cached_property
    def own(self) -> Doubles:
        """How much the features of each place add to its log-odds, without those of its file."""
        added: Doubles = self.place_rows @ self.weights.places
        return added

    @functools.cached_property
    def rank_in_file(self) -> Ints:
        """The rank of each place within its file by the features of the places; 0 is the best."""
        return self.places.rank_in_file(self.own)

    @property
    def best_places(self) -> Doubles:
        """How much the features of each file's best place add to the log-odds of the file."""
        best = np.zeros(len(self.files.positions))
        first = self.rank_in_file == 0
        best[self.places.owner[first]] = self.own[first]
        return best

    @functools.cached_property
    def odds(self) -> Doubles:
        """The log-odds of each place."""
        of_files = self.weights.bias + self.file_rows @ self.weights.files
        further = self.weights.further * np.log1p(self.rank_in_file)
        total: Doubles = of_files[self.places.owner] + self.own - further
        return total

    @functools.cached_property
    def _row(self) -> Doubles:
        """The weights of all parts of the log-odds, in the order of `_PART_NAMES`."""
        row = self.weights
        return np.concatenate([[row.bias, -row.further], row.files, row.places])

    def _values(self, place: int) -> Doubles:
        """Return the values of all parts of a place, in the order of `_PART_NAMES`."""
        further = np.log1p(self.rank_in_file[place])
        of_file = self.file_rows[self.places.owner[place]]
        return np.concatenate([[1.0, further], of_file, self.place_rows[place]])

    def parts(self, place: int) -> Iterator[ScorePart]:
        """Yield the parts of a place's log-odds whose contribution is not 0."""
        columns = (self._values(place).tolist(), self._row.tolist())
        parts = (ScorePart(*part) for part in zip(_PART_NAMES, *columns, strict=True))
        return (part for part in parts if part.contribution)

    def why(self, place: int) -> dict[str, float]:
        """Return {feature name: contribution} of the parts of a place's log-odds.

        Contributions are rounded to three decimals; zeros are left out.
        """
        added = (self._values(place) * self._row).round(3).tolist()
        return {name: value for name, value in zip(_PART_NAMES, added, strict=True) if value}

    def ranked(self) -> list[RankedChunk]:
        """Return the best five places of each file and all named places, highest log-odds first."""
        kept = (self.rank_in_file < MAX_PLACES_PER_FILE) | (self.places.named > 0)
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
    corpus: Corpus,
    scores: RetrievalScores,
    *,
    question: Classification,
    allowed: Flags,
    shifts: OddsShifts = NO_SHIFTS,
) -> CandidateRanking:
    """Choose the best files that pass the filters, and rank the places in them.

    The result has the features and the order of the places. `allowed` has a flag for each file.
    """
    row = ranker_weights(evidence_level(corpus), question_kind(question), corpus.tuned_rows)
    row = row.preferring(question.wanted).with_shifted("test", shifts.test)
    files = CandidateFiles(corpus, scores, question, candidate_files(corpus, scores, allowed))
    rows = file_matrix(files)
    near = _best_files(files, rows @ row.files)
    files = CandidateFiles(corpus, scores, question, files.positions[near])
    return CandidateRanking(
        files, rows[near], CandidatePlaces.of(corpus, scores, files.positions), row
    )


def _best_files(files: CandidateFiles, odds: Doubles) -> Ints:
    """Return the indices of the files with the highest `odds`, plus those that the query names.

    `odds` are log-odds, one for each file.
    """
    order = np.argsort(-odds, kind="stable")
    named = [files.corpus.file_positions[match.file_id] for match in files.scores.name_matches]
    return np.union1d(order[:_MAX_FILES], np.flatnonzero(np.isin(files.positions, named)))


def rank_chunks(
    corpus: Corpus,
    scores: RetrievalScores,
    *,
    question: Classification,
    allowed: Flags,
    shifts: OddsShifts = NO_SHIFTS,
) -> list[RankedChunk]:
    """Return the best places of the best files, best first; [] if there are no candidates.

    `allowed` has a flag for each file that passes the filters.
    """
    ranking = rank_candidates(corpus, scores, question=question, allowed=allowed, shifts=shifts)
    return ranking.ranked() if len(ranking.places.chunks) else []
