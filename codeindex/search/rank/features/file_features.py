"""Features of candidate files.

docs/quality.md lists the features that were tried and dropped, with figures: comments as a field,
twins, co-change, subtypes, feedback, learned vocabulary, graph neighbours, means over chunks.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np

from codeindex.languages import LANGUAGES
from codeindex.query.classify import Classification, QueryType
from codeindex.query.wanted_files import WantedFiles
from codeindex.search.rank.features.feature import RankingFeature, feature_matrix, register_feature
from codeindex.search.retrieve.corpus import Corpus, folder_words, is_example, stem_words
from codeindex.search.retrieve.scores import RetrievalScores, idf_of, name_weights
from codeindex.types.array_types import Flags, Floats, Ints

FILE_FEATURES: list[RankingFeature] = []
_COHERENCE_CHUNKS = 100
"""Number of best chunks that coherence considers: a file's coherence is its share of them."""
_NAME_COVERAGE = 0.9
"""A file that contains at least this share of a name's words counts as containing the name."""
_WANTED_LANGUAGES: Mapping[WantedFiles, Collection[str]] = {
    WantedFiles.STYLES: {"css", "scss", "less", "stylus"},
    WantedFiles.TEMPLATES: {
        *("ejs", "erb", "haml", "handlebars", "heex", "html"),
        *("jinja", "liquid", "pug", "slim", "twig"),
    },
}
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
        """How certain it is that the query names a symbol of the file, 0 to 1, for each file."""
        strength: dict[int, float] = {}
        for definition in self.scores.definitions:
            known = strength.get(definition.file_id, 0.0)
            strength[definition.file_id] = max(definition.strength, known)
        ids = self.corpus.file_ids[self.positions].tolist()
        return np.array([strength.get(file_id, 0.0) for file_id in ids], dtype=np.float32)

    @functools.cached_property
    def name_weights(self) -> Mapping[str, float]:
        """{word of the question or alternative: how much it counts in a name}."""
        terms, count = self.scores.terms, len(self.corpus.chunk_ids)
        frequencies = list(map(self.corpus.words.frequency, terms))
        idf = np.array([idf_of(count, frequency) for frequency in frequencies])
        weights = name_weights(idf, np.array(frequencies, dtype=np.int64))
        return dict(zip(terms, weights.tolist(), strict=True))

    @functools.cached_property
    def coverage(self) -> Floats:
        return self.corpus.best_of_file(self.scores.words.coverage)[self.positions]

    @functools.cached_property
    def token_similarity(self) -> Floats:
        """The best token-vector cosine of each file, scaled to 0..1 over the candidates."""
        best = self.corpus.best_of_file(self.scores.token)[self.positions]
        return _scaled(best, np.ones(len(self.positions), dtype=bool))

    def coherence(self, scores: Floats) -> Floats:
        """Return each file's share of the hundred best chunks, divided by the largest share.

        `scores` has one value for each chunk of the corpus, by which the best chunks are chosen.
        """
        count = min(_COHERENCE_CHUNKS, len(scores))
        if not count or not scores.any():
            return np.zeros(len(self.positions), dtype=np.float32)
        top = np.argpartition(-scores, count - 1)[:count]
        above = np.zeros_like(scores)
        above[top] = scores[top] - float(scores[top].min())
        return _share(np.sqrt(self.corpus.sum_of_file(above)))[self.positions]


def file_matrix(files: CandidateFiles) -> Floats:
    """Return the feature values, shape (candidate files, `FILE_FEATURES`)."""
    return feature_matrix(FILE_FEATURES, files)


def _feature(prior: float = 0.0) -> Callable[..., Callable[[CandidateFiles], Floats]]:
    return register_feature(FILE_FEATURES, "file", prior)


@_feature(2.0)
def words_best(files: CandidateFiles) -> Floats:
    """BM25 of the file's best chunk, divided by the highest BM25 of any chunk."""
    return _share(files.corpus.best_of_file(files.scores.words.bm25))[files.positions]


@_feature(1.0)
def file_bm25(files: CandidateFiles) -> Floats:
    """BM25 of the file as one text, divided by the highest of any file."""
    return _share(files.scores.file_words.bm25)[files.positions]


@_feature(1.0)
def file_tf(files: CandidateFiles) -> Floats:
    """Sum of idf x log(1 + count) over the file, divided by the highest; length does not count."""
    return _share(files.scores.file_words.tf_idf)[files.positions]


@_feature(1.2)
def coverage(files: CandidateFiles) -> Floats:
    """Largest share of the question's words, weighted by idf, in one chunk of the file."""
    return files.coverage


@_feature(3.2)
def dense(files: CandidateFiles) -> Floats:
    """Best cosine by the model's vectors, scaled to 0..1; files without them use token vectors."""
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
    """The file's share of the hundred chunks that are nearest to the query by the model's vectors.

    It is divided by the largest share of any file.
    """
    return files.coherence(files.scores.dense)


@_feature(1.2)
def token(files: CandidateFiles) -> Floats:
    """Best cosine by token vectors, scaled to 0..1 over the candidates."""
    return files.token_similarity


@_feature()
def token_top(files: CandidateFiles) -> Floats:
    """The file's share of the hundred chunks that are nearest to the query by token vectors.

    It is divided by the largest share of any file.
    """
    return files.coherence(files.scores.token)


@_feature(4.0)
def stem(files: CandidateFiles) -> Floats:
    """Share of the words in the file's name that occur in the question.

    It is multiplied by the weight (`name_weights`) of the rarest of them.
    """
    weights = files.name_weights
    wanted = frozenset(weights)
    own = list(map(stem_words, files.paths))
    shares = [
        len(known) / len(words) * max(map(weights.__getitem__, known)) if known else 0.0
        for words, known in zip(own, map(wanted.intersection, own), strict=True)
    ]
    return np.array(shares, dtype=np.float32)


@_feature(1.8)
def folder(files: CandidateFiles) -> Floats:
    """Share of the words in the names of the last two folders that occur in the question."""
    wanted = frozenset(files.scores.terms)
    return np.array(
        [_overlap(folder_words(path), wanted) for path in files.paths], dtype=np.float32
    )


@_feature(1.6)
def definition(files: CandidateFiles) -> Floats:
    """How certain it is that the question names a symbol that the file defines."""
    return files.definition


@_feature(1.8)
def centrality(files: CandidateFiles) -> Floats:
    """Logarithm of the number of files that use the file, scaled to 1 for the most used."""
    return files.corpus.centrality[files.positions]


@_feature(-2.8)
def test(files: CandidateFiles) -> Floats:
    """1 if the file is a test, else 0."""
    return files.corpus.is_test[files.positions].astype(np.float32)


@_feature(-1.7)
def example(files: CandidateFiles) -> Floats:
    """1 if the file's folders show that it is an example, vendored code or a fixture, else 0."""
    return np.array([is_example(path) for path in files.paths], dtype=np.float32)


@_feature(-2.0)
def generated(files: CandidateFiles) -> Floats:
    """1 if the file states that it was generated by a program, else 0.

    Too few questions show such a file for a fitted weight. With a prior of -1, parsers that Bison
    wrote came first for 3 of 431 labelled questions; a file that states this answers none.
    """
    return files.corpus.is_generated[files.positions].astype(np.float32)


@_feature(-0.7)
def reexport(files: CandidateFiles) -> Floats:
    """1 if the file represents its folder (`__init__.py`) or declares types, and has no body.

    A file in which a function has a body defines what it exports: the feature is 0.
    """
    named = np.array([_is_reexport(path) for path in files.paths], dtype=np.float32)
    return np.where(files.corpus.has_body[files.positions], np.float32(0), named)


@_feature(-1.0)
def data(files: CandidateFiles) -> Floats:
    """1 if the file's language has no symbols and is not prose, else 0."""
    return _by_language(files, _is_data)


@_feature(-1.0)
def prose(files: CandidateFiles) -> Floats:
    """1 if the file is a document, else 0."""
    return _by_language(files, _is_prose)


@_feature()
def wanted(files: CandidateFiles) -> Floats:
    """1 if the file is of the kind that the question asks for, else 0.

    It has a weight only for such questions: see `RankerWeights.preferring`.
    """
    kind = files.question.wanted
    if kind is WantedFiles.TESTS:
        return test(files)
    if kind is WantedFiles.EXAMPLES:
        return example(files)
    if languages := _WANTED_LANGUAGES.get(kind):
        return _by_language(files, languages.__contains__)
    if kind is WantedFiles.PROJECT and files.scores.project_files is not None:
        return files.scores.project_files[files.positions]
    return np.zeros(len(files.positions), dtype=np.float32)


@_feature(4.0)
def says_name(files: CandidateFiles) -> Floats:
    """1 if the query is a name that the file defines, or whose words it contains, else 0."""
    if files.question.type is not QueryType.SYMBOL:
        return np.zeros(len(files.positions), dtype=np.float32)
    says: Flags = (files.coverage >= _NAME_COVERAGE) | (files.definition >= _NAME_COVERAGE)
    return says.astype(np.float32)


def _by_language(files: CandidateFiles, predicate: Callable[[str], bool]) -> Floats:
    languages = [files.corpus.languages[file] for file in files.positions.tolist()]
    flags = {language: float(predicate(language)) for language in set(languages)}
    return np.array([flags[language] for language in languages], dtype=np.float32)


def _is_data(language: str) -> bool:
    return LANGUAGES[language].is_data


def _is_prose(language: str) -> bool:
    return LANGUAGES[language].prose


@functools.lru_cache(maxsize=65_536)
def _is_reexport(path: str) -> float:
    return float(bool(_REEXPORT.search(path)))


def _share(values: Floats) -> Floats:
    shares: Floats = values / max(float(values.max(initial=0.0)), 1e-6)
    return shares


def _scaled(values: Floats, present: Flags) -> Floats:
    """Scale values to 0..1 over the files that `present` marks; all other files get 0."""
    if not present.any():
        return np.zeros_like(values)
    low, high = values[present].min(), values[present].max()
    shares: Floats = np.clip((values - low) / max(float(high - low), 1e-6), 0.0, 1.0)
    return shares


def _overlap(own: frozenset[str], wanted: frozenset[str]) -> float:
    """Return the share of the words in `own` that are in `wanted`; 0 if there are none."""
    return 0.0 if own.isdisjoint(wanted) else len(own & wanted) / len(own)
