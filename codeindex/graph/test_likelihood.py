"""Judge how likely a test runs a symbol, by its evidence, its distance and its words.

The weights are fitted by `tests/benchmarks/coverage_contexts.py --fit` to what tests really ran.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import fsum, log
from posixpath import basename, dirname, splitext
from typing import NamedTuple

from codeindex.graph.logistic import logistic_likelihood
from codeindex.text.words import part_set
from codeindex.types import Node

LIKELY = 0.2
"""Tests with at least this likelihood are shown; docs/benchmarks.md compares other values."""
MAX_BEYOND = 8.0
"""Maximum of `TestFeatures.beyond_nearest`."""


class TestFeatures(NamedTuple):
    """Features of a test and the symbol that it may run; the first ones are 1 or 0.

    Words are weighted by their rarity among the compared tests.
    """

    always: float = 1
    calls: float = 0
    calls_member: float = 0
    dispatch: float = 0
    calls_through: float = 0
    uses: float = 0
    uses_type: float = 0
    named: float = 0
    possible: float = 0
    """`calls` to `possible`: 1 if this is the strongest evidence that the test runs the symbol, a
    member of `covering_tests.TestEvidence`, else 0."""
    uses_no_type: float = 0
    """1 if other tests use the symbol's type or a subtype, and this one does not."""
    file_words: float = 0
    """Sum of the rarities of the words that the names of both files have, divided by that of the
    test with the highest sum."""
    folders_alike: float = 0
    """Dice coefficient of the words in the names of the folders of test and symbol: 1 if both have
    the same words, 0 if they have none in common."""
    steps: float = 0
    """Length of the shortest path to the symbol; 0 without a path."""
    as_near: float = 0
    """Logarithm of 1 + the number of tests (this one included) whose paths are not longer."""
    beyond_nearest: float = 0
    """Length of the path minus that of the shortest path to any test, at most `MAX_BEYOND`."""
    words_of_code: float = 0
    """Likeness of the code of test and symbol, relative to the most similar test."""
    words_of_owner: float = 0
    """Share of the words in the name of the symbol's type or file that the test has."""
    words_of_name: float = 0
    """Share of the words in the symbol's name that the test has."""
    name_in_name: float = 0
    """Share of the words in the symbol's name that the test's name has, relative to the best."""
    name_in_code: float = 0
    """Share of the words in the test's name that the code of the symbol has."""


WEIGHTS = TestFeatures(
    always=-2.76,
    calls=3.00,
    calls_member=2.33,
    dispatch=4.33,
    calls_through=1.28,
    uses=1.39,
    uses_type=0.91,
    named=2.03,
    possible=-0.01,
    uses_no_type=-0.53,
    file_words=0.81,
    folders_alike=0.41,
    steps=0.24,
    as_near=-0.67,
    beyond_nearest=-0.27,
    words_of_code=1.16,
    words_of_owner=1.13,
    words_of_name=0.66,
    name_in_name=0.69,
    name_in_code=1.43,
)
"""The weight of each feature in the sum whose logistic function is the likelihood. They are fitted
on eleven Python repositories. docs/benchmarks.md has the accuracy on each repository with weights
that are fitted on the other ten."""


def run_likelihood(features: TestFeatures) -> float:
    """Return the likelihood, 0 to 1, that a test runs a symbol."""
    return logistic_likelihood(features, WEIGHTS)


class TestWords:
    """Compares the words of tests with the words of the symbols that they may run.

    Sums are by `fsum`: words come from sets, whose order changes from process to process, and tests
    that are equal to the last digit would change places with it.
    """

    def __init__(
        self,
        tests: Sequence[Node],
        targets: Sequence[Node],
        words_of: Callable[[Node], Counter[str]],
    ) -> None:
        """`words_of` counts the stemmed words in the code of a symbol."""
        self._tests = tests
        self._words = [words_of(each) for each in tests]
        self._code = {word for each in targets for word in words_of(each)}
        self._name = _parts(node.name for node in targets)
        self._owner = _parts(node.qualified.rpartition(".")[0] for node in targets)
        self._stem = {part for node in targets for part in _stem_words(node.path)}
        self._folders = {part for node in targets for part in _folder_words(node.path)}
        self._rarity = _rarity(self._words)
        self._mean = sum(words.total() for words in self._words) / max(1, len(tests))

    def features(self) -> list[TestFeatures]:
        """Return the features that words and names give, a row for each test."""
        names = [part_set(test.qualified) for test in self._tests]
        code = _relative([self._likeness(words) for words in self._words])
        in_names = _relative([self._share(self._name, name) for name in names])
        return [
            TestFeatures(
                file_words=stem,
                folders_alike=folders,
                words_of_code=alike,
                words_of_owner=self._share(self._owner, words),
                words_of_name=self._share(self._name, words),
                name_in_name=in_name,
                name_in_code=self._share(name, self._code),
            )
            for test, words, name, alike, in_name, stem, folders in zip(
                *(self._tests, self._words, names, code, in_names),
                *(self._file_words(), self._folders_alike()),
                strict=True,
            )
        ]

    def _file_words(self) -> list[float]:
        words = [_stem_words(test.path) for test in self._tests]
        rarity = _rarity(words)
        return _relative([_sum(rarity, self._stem & each) for each in words])

    def _folders_alike(self) -> list[float]:
        words = [_folder_words(test.path) for test in self._tests]
        rarity = _rarity(words)
        own = _sum(rarity, self._folders)
        totals = [own + _sum(rarity, each) for each in words]
        common = [2 * _sum(rarity, self._folders & each) for each in words]
        return [both / total if total else 0.0 for both, total in zip(common, totals, strict=True)]

    def _share(self, wanted: Collection[str], words: Collection[str]) -> float:
        total = _sum(self._rarity, wanted)
        common = _sum(self._rarity, (word for word in wanted if word in words))
        return common / total if total else 0.0

    def _likeness(self, words: Counter[str]) -> float:
        """Return the BM25 score of a test for the words of the symbols' code."""
        length = 0.6 * (1 + words.total() / max(1.0, self._mean))
        return fsum(
            self._rarity[word] * 2.2 * words[word] / (words[word] + length)
            for word in words.keys() & self._code
        )


def _parts(names: Iterable[str]) -> set[str]:
    return {part for name in names for part in part_set(name)}


def _stem_words(path: str) -> frozenset[str]:
    return part_set(splitext(basename(path))[0])


def _folder_words(path: str) -> frozenset[str]:
    return part_set(dirname(path))


def _rarity(texts: Sequence[Collection[str]]) -> dict[str, float]:
    """Return {word: logarithm of the share of texts that have it, negated}."""
    found = Counter(word for text in texts for word in set(text))
    return {word: log((len(texts) + 1) / count) for word, count in found.items()}


def _sum(rarity: Mapping[str, float], words: Iterable[str]) -> float:
    return fsum(rarity.get(word, 0.0) for word in words)


def _relative(values: Sequence[float]) -> list[float]:
    most = max(values, default=0.0)
    return [value / most if most > 0 else 0.0 for value in values]
