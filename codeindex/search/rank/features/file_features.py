"""Features of files.

What was tried and dropped (comments as a field, twins, co-change, subtypes, feedback, learned
vocabulary, graph neighbours, means over chunks) is in docs/quality.md, with figures.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from codeindex.languages import LANGUAGES
from codeindex.query.classify import Classification, QueryType
from codeindex.search.rank.features.feature import RankingFeature, feature_matrix, register_feature
from codeindex.search.retrieve.corpus import Corpus, folder_words, stem_words
from codeindex.search.retrieve.scores import RetrievalScores

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Flags = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int64]

FILE_FEATURES: list[RankingFeature] = []
_TOP = 100
"""Best chunks that count for coherence."""
_COVERED = 0.9
"""Share of a name's words from which a file is taken to say the name."""
_EXAMPLE = re.compile(
    r"(?:^|/)(?:_?examples?|samples?|demos?|bench(?:marks?|es)?|vendor|vendored|third_?party|external"
    r"|compat|legacy|deprecated|fixtures?|mocks?|playground|e2e|stories)(?:/|$)",
    re.IGNORECASE,
)
_REEXPORT = re.compile(r"(?:^|/)(?:__init__\.pyi?|index\.[cm]?[jt]sx?|[^/]*\.d\.[cm]?ts)$")


@dataclass(frozen=True, eq=False)  # no slots: properties are cached
class CandidateFiles:
    """Candidate files of a question, by their positions in the corpus."""

    corpus: Corpus
    scores: RetrievalScores
    question: Classification
    files: Ints

    @functools.cached_property
    def paths(self) -> list[str]:
        return [self.corpus.paths[one] for one in self.files.tolist()]

    @functools.cached_property
    def definition(self) -> Floats:
        """Return how surely the question names a symbol of each file, 0 to 1."""
        strength: dict[int, float] = {}
        for one in self.scores.definitions:
            strength[one.file_id] = max(one.strength, strength.get(one.file_id, 0.0))
        ids = self.corpus.file_ids[self.files].tolist()
        return np.array([strength.get(one, 0.0) for one in ids], dtype=np.float32)

    @functools.cached_property
    def coverage(self) -> Floats:
        return self.corpus.best_of_file(self.scores.words.coverage)[self.files]

    @functools.cached_property
    def token_similarity(self) -> Floats:
        """Return the best token-vector cosine of each file, stretched to 0..1 over candidates."""
        best = self.corpus.best_of_file(self.scores.token)[self.files]
        return _stretched(best, np.ones(len(self.files), dtype=bool))

    def coherence(self, scores: Floats) -> Floats:
        """Return how much of the best hundred chunks is each file's, the most being 1."""
        count = min(_TOP, len(scores))
        if not count or not scores.any():
            return np.zeros(len(self.files), dtype=np.float32)
        top = np.argpartition(-scores, count - 1)[:count]
        above = np.zeros_like(scores)
        above[top] = scores[top] - float(scores[top].min())
        return _share(np.sqrt(self.corpus.sum_of_file(above)))[self.files]


def file_matrix(files: CandidateFiles) -> Floats:
    """Return a row for each candidate file, a column for each of `FILE_FEATURES`."""
    return feature_matrix(FILE_FEATURES, files, len(files.files))


def _feature(prior: float = 0.0) -> Callable[..., Callable[[CandidateFiles], Floats]]:
    return register_feature(FILE_FEATURES, "file", prior)


@_feature(2.0)
def words_best(one: CandidateFiles) -> Floats:
    """BM25 of the file's best chunk, as a share of the best anywhere."""
    return _share(one.corpus.best_of_file(one.scores.words.bm25))[one.files]


@_feature(1.0)
def file_bm25(one: CandidateFiles) -> Floats:
    """BM25 of the file as one text, as a share of the best."""
    return _share(one.scores.file_words.bm25)[one.files]


@_feature(1.0)
def file_tf(one: CandidateFiles) -> Floats:
    """Sum of idf x log(1 + count) over the file, whatever its length, as a share of the best."""
    return _share(one.scores.file_words.tf_idf)[one.files]


@_feature(1.2)
def coverage(one: CandidateFiles) -> Floats:
    """Most of the question's idf that one chunk of the file has."""
    return one.coverage


@_feature(3.2)
def dense(one: CandidateFiles) -> Floats:
    """Best cosine of the model's vectors, stretched to 0..1; token vectors stand in for missing."""
    has_dense = np.zeros(len(one.corpus.paths), dtype=bool)
    has_dense[one.corpus.chunk_file[one.corpus.dense.present]] = True
    present = has_dense[one.files]
    if not present.any():
        return np.zeros(len(one.files), dtype=np.float32)
    near = one.corpus.best_of_file(one.scores.dense)[one.files]
    filled: Floats = np.where(present, _stretched(near, present), one.token_similarity)
    return filled


@_feature()
def dense_top(one: CandidateFiles) -> Floats:
    """The file's part of the hundred chunks nearest by the model's vectors."""
    return one.coherence(one.scores.dense)


@_feature(1.2)
def token(one: CandidateFiles) -> Floats:
    """Best cosine of token vectors, stretched to 0..1 over the candidates."""
    return one.token_similarity


@_feature()
def token_top(one: CandidateFiles) -> Floats:
    """The file's part of the hundred chunks nearest by token vectors."""
    return one.coherence(one.scores.token)


@_feature(4.0)
def stem(one: CandidateFiles) -> Floats:
    """Share of the words of the file's name that the question has."""
    wanted = frozenset(one.scores.terms)
    return np.array([_overlap(stem_words(path), wanted) for path in one.paths], dtype=np.float32)


@_feature(1.8)
def folder(one: CandidateFiles) -> Floats:
    """Share of the words of the last two folders that the question has."""
    wanted = frozenset(one.scores.terms)
    return np.array([_overlap(folder_words(path), wanted) for path in one.paths], dtype=np.float32)


@_feature(1.6)
def definition(one: CandidateFiles) -> Floats:
    """How surely the question names a symbol that the file defines."""
    return one.definition


@_feature(1.8)
def centrality(one: CandidateFiles) -> Floats:
    """Logarithm of the number of files that use it, 1 for the most used."""
    return one.corpus.centrality[one.files]


@_feature(-2.8)
def test(one: CandidateFiles) -> Floats:
    """The file is a test."""
    return one.corpus.is_test[one.files].astype(np.float32)


@_feature(-1.7)
def example(one: CandidateFiles) -> Floats:
    """The file is an example, vendored, a fixture or the like, by its folders."""
    return np.array([_is_example(path) for path in one.paths], dtype=np.float32)


@_feature(-1.0)
def generated(one: CandidateFiles) -> Floats:
    """The file says that a program wrote it."""
    return one.corpus.is_generated[one.files].astype(np.float32)


@_feature(-0.7)
def reexport(one: CandidateFiles) -> Floats:
    """The file stands for its folder, or declares types alone."""
    return np.array([_is_reexport(path) for path in one.paths], dtype=np.float32)


@_feature(-1.0)
def data(one: CandidateFiles) -> Floats:
    """The file is of a language without symbols that is no prose."""
    return _by_language(one, _is_data)


@_feature(-1.0)
def prose(one: CandidateFiles) -> Floats:
    """The file is a document."""
    return _by_language(one, _is_prose)


@_feature(4.0)
def says_name(one: CandidateFiles) -> Floats:
    """The query is a name, and the file defines it or has all its words."""
    if one.question.type is not QueryType.SYMBOL:
        return np.zeros(len(one.files), dtype=np.float32)
    says: Flags = (one.coverage >= _COVERED) | (one.definition >= _COVERED)
    return says.astype(np.float32)


def _by_language(one: CandidateFiles, test_of: Callable[[str], bool]) -> Floats:
    languages = [one.corpus.languages[file] for file in one.files.tolist()]
    flags = {language: float(test_of(language)) for language in set(languages)}
    return np.array([flags[language] for language in languages], dtype=np.float32)


def _is_data(language: str) -> bool:
    return not LANGUAGES[language].symbols and not LANGUAGES[language].prose


def _is_prose(language: str) -> bool:
    return LANGUAGES[language].prose


@functools.lru_cache(maxsize=65_536)
def _is_example(path: str) -> float:
    return float(bool(_EXAMPLE.search(path)))


@functools.lru_cache(maxsize=65_536)
def _is_reexport(path: str) -> float:
    return float(bool(_REEXPORT.search(path)))


def _share(values: Floats) -> Floats:
    shares: Floats = values / max(float(values.max(initial=0.0)), 1e-6)
    return shares


def _stretched(values: Floats, present: Flags) -> Floats:
    """Stretch values to 0..1 over the candidates that have one."""
    if not present.any():
        return np.zeros_like(values)
    low, high = values[present].min(), values[present].max()
    shares: Floats = np.clip((values - low) / max(float(high - low), 1e-6), 0.0, 1.0)
    return shares


def _overlap(mine: frozenset[str], wanted: frozenset[str]) -> float:
    """Return the share of a name's own words that the question has."""
    return 0.0 if mine.isdisjoint(wanted) else len(mine & wanted) / len(mine)
