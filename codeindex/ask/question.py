"""Weigh the words of a question by their rarity in the index."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from codeindex.search.retrieve.corpus import Corpus
from codeindex.text.words import query_words, stem_word, stemmed_parts, stemmed_words

_MOST_CHARACTERS = 2_000
"""Most characters of a question that are read: each word is compared with every indexed word."""
_DEFINITION = re.compile(r"(?i)^(?:what(?: is|'s| are)|define)\b")
_INSTRUCTIONS = re.compile(r"(?i)^how (?:(?:do|can|should) (?:i|we|you)|to)\b")
_PLACE = re.compile(
    r"(?i)^(?:where|(?:in )?(?:which|what) (?:file|folder|package|function|method|class|module))\b"
)
_TESTS = re.compile(r"(?i)\btest")
_POSSESSIVE = re.compile(r"(?<=\w)['\u2019]s\b")
_GRAMMAR_WORDS = (
    "even though although still already yet just only also again exactly really actually own every"
    " each several many much such somewhere happen between during within across"
    " may might can could must shall should will would need decide determine"
)
_GRAMMAR = frozenset(map(stem_word, query_words(_GRAMMAR_WORDS)))
"""Words of a question that refer to nothing in the code."""


@dataclass(frozen=True, slots=True)
class WeightedQuestion:
    """The words of a question in stemmed form, each with a weight that grows with its rarity.

    Weights sum to 1.
    """

    text: str
    weights: Mapping[str, float]
    known: float = 1.0
    """The summed weight of the words that occur in the index."""

    @property
    def wants_definition(self) -> bool:
        """Whether the question asks what something is."""
        return bool(_DEFINITION.match(self.text.strip()))

    @property
    def wants_instructions(self) -> bool:
        """Whether the question asks how to do something."""
        return bool(_INSTRUCTIONS.match(self.text.strip()))

    @property
    def wants_place(self) -> bool:
        """Whether the question asks where something is or happens."""
        return bool(_PLACE.match(self.text.strip()))

    @property
    def names_tests(self) -> bool:
        """Whether the question is about tests, as a word of it says."""
        return bool(_TESTS.search(self.text))

    def share_in(self, text: str) -> float:
        """Return how much of the question the words of a text cover, 0 to 1.

        Words of the question count by their weights; those that occur in no file do not count.
        """
        return self.weight_of(self.terms(stemmed_words(text))) / self.known

    def is_name(self, name: str) -> bool:
        """Tell whether the last part of a name has the words of the question, and no others."""
        last = re.split(r" > |\.|::", name)[-1]
        parts, words = stemmed_parts(last), stemmed_words(last)
        return self.weights.keys() <= set(words) and set(parts) <= self.weights.keys()

    def weight_of(self, terms: Iterable[str]) -> float:
        """Return the sum of the weights of `terms`; their order does not change the result."""
        return math.fsum(self.weights[term] for term in terms)

    def terms(self, words: Iterable[str]) -> set[str]:
        """Return the words of the question that `words` contains."""
        return self.weights.keys() & words


def weigh_question(corpus: Corpus, text: str) -> WeightedQuestion:
    """Return a question with its words weighted by their rarity in the index."""
    text = _POSSESSIVE.sub("", text[:_MOST_CHARACTERS])
    chunks = len(corpus.chunk_ids)
    words = [word for word in query_words(text) if word not in _GRAMMAR]
    # Without the root, a rare verb as in "is turned into" would outweigh the question's subject.
    rarity = {
        word: math.sqrt(math.log1p(chunks / (1 + corpus.words.frequency(word)))) for word in words
    }
    total = sum(rarity.values()) or 1.0
    weights = {word: weight / total for word, weight in rarity.items()}
    share = math.fsum(weights[word] for word in weights if corpus.words.frequency(word))
    return WeightedQuestion(text, weights, share or 1.0)
