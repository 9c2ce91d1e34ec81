"""Features of candidate files.

docs/quality.md has the features that were tried and dropped (comments as a field, twins, co-change,
subtypes, feedback, learned vocabulary, graph neighbours, means over chunks), with figures.
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
_COHERENCE_CHUNKS = 100
"""Best chunks of which a file's share is its coherence."""
_NAME_COVERAGE = 0.9
"""Share of a name's words from which a file counts as containing the name."""
_EXAMPLE = re.compile(
    r"(?:^|/)(?:_?examples?|samples?|demos?|bench(?:marks?|es)?|vendor|vendored|third_?party|external"
    r"|compat|legacy|deprecated|fixtures?|mocks?|playground|e2e|stories)(?:/|$)",
    re.IGNORECASE,
)
_REEXPORT = re.compile(r"(?:^|/)(?:__init__\.pyi?|index\.[cm]?[jt]sx?|[^/]*\.d\.[cm]?ts)$")


@dataclass(frozen=True, eq=False)  # no slots: properties are cached
class CandidateFiles:
    """The candidate files of a query, by their positions in the corpus."""

    corpus: Corpus
    scores: RetrievalScores
    question: Classification
    positions: Ints

    @functools.cached_property
    def paths(self) -> list[str]:
        return [self.corpus.paths[position] for position in self.positions.tolist()]

    @functools.cached_property
    def definition(self) -> Floats:
        """How surely the query names a symbol of each file, 0 to 1."""
        strength: dict[int, float] = {}
        for definition in self.scores.definitions:
            known = strength.get(definition.file_id, 0.0)
            strength[definition.file_id] = max(definition.strength, known)
        ids = self.corpus.file_ids[self.positions].tolist()
        return np.array([strength.get(file_id, 0.0) for file_id in ids], dtype=np.float32)

    @functools.cached_property
    def coverage(self) -> Floats:
        return self.corpus.best_of_file(self.scores.words.coverage)[self.positions]

    @functools.cached_property
    def token_similarity(self) -> Floats:
        """Best token-vector cosine of each file, scaled to 0..1 over the candidates."""
        best = self.corpus.best_of_file(self.scores.token)[self.positions]
        return _scaled(best, np.ones(len(self.positions), dtype=bool))

    def coherence(self, scores: Floats) -> Floats:
        """Return each candidate file's share of the hundred best chunks, 1 for the highest share.

        `scores` has one value for each chunk of the corpus.
        """
        count = min(_COHERENCE_CHUNKS, len(scores))
        if not count or not scores.any():
            return np.zeros(len(self.positions), dtype=np.float32)
        top = np.argpartition(-scores, count - 1)[:count]
        above = np.zeros_like(scores)
        above[top] = scores[top] - float(scores[top].min())
        return _share(np.sqrt(self.corpus.sum_of_file(above)))[self.positions]


def file_matrix(files: CandidateFiles) -> Floats:
    """Return a row for each candidate file, a column for each of `FILE_FEATURES`."""
    return feature_matrix(FILE_FEATURES, files, len(files.positions))


def _feature(prior: float = 0.0) -> Callable[..., Callable[[CandidateFiles], Floats]]:
    return register_feature(FILE_FEATURES, "file", prior)


@_feature(2.0)
def words_best(files: CandidateFiles) -> Floats:
    """BM25 of the file's best chunk, as a share of the best anywhere."""
    return _share(files.corpus.best_of_file(files.scores.words.bm25))[files.positions]


@_feature(1.0)
def file_bm25(files: CandidateFiles) -> Floats:
    """BM25 of the file as one text, as a share of the best."""
    return _share(files.scores.file_words.bm25)[files.positions]


@_feature(1.0)
def file_tf(files: CandidateFiles) -> Floats:
    """Sum of idf x log(1 + count) over the file, whatever its length, as a share of the best."""
    return _share(files.scores.file_words.tf_idf)[files.positions]


@_feature(1.2)
def coverage(files: CandidateFiles) -> Floats:
    """Most of the question's idf that one chunk of the file has."""
    return files.coverage


@_feature(3.2)
def dense(files: CandidateFiles) -> Floats:
    """Best cosine of the model's vectors, stretched to 0..1; token vectors stand in for missing."""
    has_dense = np.zeros(len(files.corpus.paths), dtype=bool)
    has_dense[files.corpus.chunk_file[files.corpus.dense.present]] = True
    present = has_dense[files.positions]
    if not present.any():
        return np.zeros(len(files.positions), dtype=np.float32)
    near = files.corpus.best_of_file(files.scores.dense)[files.positions]
    filled: Floats = np.where(present, _scaled(near, present), files.token_similarity)
    return filled


@_feature()
def dense_top(files: CandidateFiles) -> Floats:
    """The file's part of the hundred chunks nearest by the model's vectors."""
    return files.coherence(files.scores.dense)


@_feature(1.2)
def token(files: CandidateFiles) -> Floats:
    """Best cosine of token vectors, stretched to 0..1 over the candidates."""
    return files.token_similarity


@_feature()
def token_top(files: CandidateFiles) -> Floats:
    """The file's part of the hundred chunks nearest by token vectors."""
    return files.coherence(files.scores.token)


@_feature(4.0)
def stem(files: CandidateFiles) -> Floats:
    """Share of the words of the file's name that the question has."""
    wanted = frozenset(files.scores.terms)
    return np.array([_overlap(stem_words(path), wanted) for path in files.paths], dtype=np.float32)


@_feature(1.8)
def folder(files: CandidateFiles) -> Floats:
    """Share of the words of the last two folders that the question has."""
    wanted = frozenset(files.scores.terms)
    return np.array(
        [_overlap(folder_words(path), wanted) for path in files.paths], dtype=np.float32
    )


@_feature(1.6)
def definition(files: CandidateFiles) -> Floats:
    """How surely the question names a symbol that the file defines."""
    return files.definition


@_feature(1.8)
def centrality(files: CandidateFiles) -> Floats:
    """Logarithm of the number of files that use it, 1 for the most used."""
    return files.corpus.centrality[files.positions]


@_feature(-2.8)
def test(files: CandidateFiles) -> Floats:
    """The file is a test."""
    return files.corpus.is_test[files.positions].astype(np.float32)


@_feature(-1.7)
def example(files: CandidateFiles) -> Floats:
    """The file is an example, vendored, a fixture or the like, by its folders."""
    return np.array([_is_example(path) for path in files.paths], dtype=np.float32)


@_feature(-1.0)
def generated(files: CandidateFiles) -> Floats:
    """The file says that a program wrote it."""
    return files.corpus.is_generated[files.positions].astype(np.float32)


@_feature(-0.7)
def reexport(files: CandidateFiles) -> Floats:
    """The file stands for its folder, or declares types alone."""
    return np.array([_is_reexport(path) for path in files.paths], dtype=np.float32)


@_feature(-1.0)
def data(files: CandidateFiles) -> Floats:
    """The file is of a language without symbols that is no prose."""
    return _by_language(files, _is_data)


@_feature(-1.0)
def prose(files: CandidateFiles) -> Floats:
    """The file is a document."""
    return _by_language(files, _is_prose)


@_feature(4.0)
def says_name(files: CandidateFiles) -> Floats:
    """The query is a name, and the file defines it or has all its words."""
    if files.question.type is not QueryType.SYMBOL:
        return np.zeros(len(files.positions), dtype=np.float32)
    says: Flags = (files.coverage >= _NAME_COVERAGE) | (files.definition >= _NAME_COVERAGE)
    return says.astype(np.float32)


def _by_language(files: CandidateFiles, predicate: Callable[[str], bool]) -> Floats:
    languages = [files.corpus.languages[file] for file in files.positions.tolist()]
    flags = {language: float(predicate(language)) for language in set(languages)}
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


def _scaled(values: Floats, present: Flags) -> Floats:
    """Stretch values to 0..1 over the candidates that have files."""
    if not present.any():
        return np.zeros_like(values)
    low, high = values[present].min(), values[present].max()
    shares: Floats = np.clip((values - low) / max(float(high - low), 1e-6), 0.0, 1.0)
    return shares


def _overlap(own: frozenset[str], wanted: frozenset[str]) -> float:
    """Return the share of a name's words that the query contains."""
    return 0.0 if own.isdisjoint(wanted) else len(own & wanted) / len(own)
