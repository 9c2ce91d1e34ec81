"""Weigh the words of a question by how rare they are in the index."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from codeindex.search.retrieve.corpus import Corpus
from codeindex.text.words import query_words, stem_word, stemmed_words

_WORD = re.compile(r"[^\W\d_][\w$]*")
_MOST_CHARACTERS = 2_000
"""Most characters of a question that are read: each word is compared with every indexed word."""
_DEFINITION = re.compile(
    r"(?i)^(?:what(?: is|'s| are)|define)\b|^where (?:is|are)\b.*\b(?:defined|declared)\W*$"
)
_INSTRUCTIONS = re.compile(r"(?i)^how (?:(?:do|can|should) (?:i|we|you)|to)\b")
_REASON = re.compile(
    r"(?i)^(?:why|what is the reason|is|are|does|do|can|could|should|may|must|will)\b"
)
_PLACE = re.compile(r"(?i)^(?:where|in which|which (?:file|function|method|class|module))\b")
_POSSESSIVE = re.compile(r"(?<=\w)['\u2019]s\b")
_GRAMMAR_WORDS = (
    "even though although still already yet just only also again exactly really actually own every"
    " each several many much such somewhere happen between during within across"
    " may might can could must shall should will would need"
)
_GRAMMAR = frozenset(map(stem_word, query_words(_GRAMMAR_WORDS)))
"""Words of a question that name nothing."""
_ARTICLES = frozenset(map(stem_word, ("a", "an", "the", "is", "are", "i", "it", "to", "of")))
_MOST_PHRASES = 2
_WEIGHT_OF_COMPOUND = 0.6
"""Share of the weight of two words, like "times out", that their compound `timeout` gets."""


@dataclass(frozen=True, slots=True)
class WeightedQuestion:
    """A question's stemmed words, each with a weight by its rarity; the weights sum up to 1."""

    text: str
    weights: Mapping[str, float]
    compounds: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Compounds that the code has, each with its two words in the question: `shutdown`."""
    known: float = 1.0
    """The summed weight of the words that the index has."""

    @property
    def wants_definition(self) -> bool:
        """True if the question asks what something is, or where it is defined."""
        return bool(_DEFINITION.match(self.text.strip()))

    @property
    def wants_instructions(self) -> bool:
        """True if the question asks how somebody does something."""
        return bool(_INSTRUCTIONS.match(self.text.strip()))

    @property
    def wants_place(self) -> bool:
        """True if the question asks where something is or happens."""
        return bool(_PLACE.match(self.text.strip()))

    @property
    def wants_reason(self) -> bool:
        """True if the question asks why or whether something is so."""
        return bool(_REASON.match(self.text.strip()))

    def share_in(self, text: str) -> float:
        """Return the share of the question's weight that the words of a text have, from 0 to 1.

        Words that no file has do not count.
        """
        return self.weight_of(self.terms(stemmed_words(text))) / self.known

    def phrases_in(self, text: str) -> int:
        """Return how many pairs of adjacent words of the question a text has, at most two.

        The first word of a pair has weight, and the second is no article: "start over".
        """
        pairs = set(pairwise(_stems(text)))
        own = {
            pair
            for pair in pairwise(_stems(self.text))
            if pair[0] in self.weights and pair[1] not in _ARTICLES
        }
        return min(len(own & pairs), _MOST_PHRASES)

    def weight_of(self, terms: Iterable[str]) -> float:
        """Return the sum of the weights of some words; their order does not change the result."""
        return math.fsum(self.weights[term] for term in terms)

    def terms(self, words: Iterable[str]) -> set[str]:
        """Return the question's words that are in `words`, or part of a compound in `words`."""
        own = set(words)
        for compound, pair in self.compounds.items():
            if compound in own or own.issuperset(pair):
                own |= {compound, *pair}
        return own & self.weights.keys()


def weigh_question(corpus: Corpus, text: str) -> WeightedQuestion:
    """Weigh the words of a question by how rare they are in the index."""
    text = _POSSESSIVE.sub("", text[:_MOST_CHARACTERS])
    chunks = len(corpus.chunk_ids)
    words = [word for word in query_words(text) if word not in _GRAMMAR]
    # The square root: else a rare verb, as in "is turned into", outweighs all that is asked about.
    rarity = {
        word: math.sqrt(math.log1p(chunks / (1 + corpus.words.frequency(word)))) for word in words
    }
    total = sum(rarity.values()) or 1.0
    weights = {word: weight / total for word, weight in rarity.items()}
    compounds = _compounds(corpus, text)
    for compound, pair in compounds.items():
        known = [part for part in pair if part in weights]
        moved = sum(weights[part] * _WEIGHT_OF_COMPOUND for part in known)
        weights[compound] = weights.get(compound, 0.0) + moved
        weights.update({part: weights[part] * (1 - _WEIGHT_OF_COMPOUND) for part in known})
    share = math.fsum(weights[word] for word in weights if corpus.words.frequency(word))
    return WeightedQuestion(text, weights, compounds, share or 1.0)


def _stems(text: str) -> list[str]:
    return [stem_word(word.lower()) for word in _WORD.findall(text)]


def _compounds(corpus: Corpus, text: str) -> dict[str, tuple[str, str]]:
    """Return indexed compounds by name, each with its two words: `timeout` for "time out"."""
    stems = _stems(text)
    return {
        f"{left}{right}": (left, right)
        for left, right in pairwise(stems)
        if corpus.words.frequency(f"{left}{right}")
    }
