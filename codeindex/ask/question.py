"""Weigh the words of a question and find those that occur nowhere in the index."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from codeindex.search.retrieve.corpus import Corpus
from codeindex.text.words import STOP_WORDS, query_words, stem_word, stemmed_words

_WORD = re.compile(r"[^\W\d_][\w$]*")
_QUESTION_WORDS = frozenset(
    ["explain", "describe", "happen", "happens", "decide", "decides", "work", "works", "way"]
)
"""Words that are typical of questions and mean something else in code."""
_VERB_ENDING = re.compile(r"(?:ed|ly)$")
_IRREGULAR_VERBS = frozenset(
    [
        *("kept", "made", "held", "sent", "built", "chosen", "written", "thrown", "caught"),
        *("begun", "found", "lost", "left", "put", "shown", "known", "taken", "done", "told"),
    ]
)
"""Verb forms that code rarely contains, so their absence says nothing about the index."""
_MOST_CHARACTERS = 2_000
"""Most characters of a question that are read: each word is compared with every indexed word."""
_WEIGHT_OF_VERB = 0.25
"""Factor for question words and absent verbs; other words have the factor 1."""
_DEFINITION = re.compile(r"(?i)^(?:what(?: is|'s| are)|define)\b")
MOST_ABSENT_SHARE = 0.5
"""If absent words have this share of a question's weight, the index cannot answer it."""
_WEIGHT_OF_COMPOUND = 0.6
"""Share of the weight of two words, like "times out", that their compound `timeout` gets."""
_SHORTEST_WORD = 3
"""Fewest letters of a word that can count as absent; a shorter word is absent by chance."""


@dataclass(frozen=True, slots=True)
class WeightedQuestion:
    """A question's words with weights that sum up to 1; `missing` are words not in the index."""

    text: str
    weights: Mapping[str, float]
    missing: tuple[str, ...] = ()
    missing_share: float = 0.0
    compounds: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Compounds that the code has, each with its two words in the question: `shutdown`."""

    @property
    def wants_definition(self) -> bool:
        """True if the question asks what something is."""
        return bool(_DEFINITION.match(self.text.strip()))

    @property
    def absent(self) -> set[str]:
        return {part for word in self.missing for part in stemmed_words(word)}

    def share_in(self, text: str) -> float:
        """Return the summed weight of the question's words that a text has, from 0 to 1."""
        return self.weight_of(self.terms(stemmed_words(text)))

    def weight_of(self, terms: Iterable[str]) -> float:
        """Return the sum of the weights of some words; their order does not change the result."""
        return math.fsum(self.weights[term] for term in terms)

    def terms(self, words: Iterable[str]) -> set[str]:
        """Return the words of the question that are in `words`, also as a part of a compound."""
        own = set(words)
        for compound, pair in self.compounds.items():
            if compound in own or own.issuperset(pair):
                own |= {compound, *pair}
        return own & self.weights.keys()


def weigh_question(corpus: Corpus, text: str) -> WeightedQuestion:
    """Weigh the words of a question by how rare they are in the index."""
    text = text[:_MOST_CHARACTERS]
    question_words = {stem_word(word) for word in _QUESTION_WORDS}
    verbs = {stem_word(word.lower()) for word in _WORD.findall(text) if _is_verb(word.lower())}
    chunks = len(corpus.chunk_ids)
    rarity = {}
    for word in query_words(text):
        count = corpus.words.frequency(word)
        is_verb = word in question_words or (not count and word in verbs)
        rarity[word] = math.log1p(chunks / (1 + count)) * (_WEIGHT_OF_VERB if is_verb else 1.0)
    missing = absent_words(corpus, text)
    absent = {part for word in missing for part in stemmed_words(word)}
    total = sum(rarity.values()) or 1.0
    lost = sum(weight for word, weight in rarity.items() if word in absent)
    weights = {word: weight / total for word, weight in rarity.items()}
    compounds = _compounds(corpus, text)
    for compound, pair in compounds.items():
        known = [part for part in pair if part in weights]
        moved = sum(weights[part] * _WEIGHT_OF_COMPOUND for part in known)
        weights[compound] = weights.get(compound, 0.0) + moved
        weights.update({part: weights[part] * (1 - _WEIGHT_OF_COMPOUND) for part in known})
    return WeightedQuestion(text, weights, missing, lost / total, compounds)


def _compounds(corpus: Corpus, text: str) -> dict[str, tuple[str, str]]:
    """Return indexed compounds by name, each with its two words: `timeout` for "time out"."""
    stems = [stem_word(word.lower()) for word in _WORD.findall(text)]
    return {
        f"{left}{right}": (left, right)
        for left, right in pairwise(stems)
        if corpus.words.frequency(f"{left}{right}")
    }


def _is_verb(word: str) -> bool:
    return word in _IRREGULAR_VERBS or bool(_VERB_ENDING.search(word))


def absent_words(corpus: Corpus, text: str) -> tuple[str, ...]:
    """Return the words of a question that no indexed word equals or contains.

    Stop words, question words, verbs and very short words are not looked up.
    """
    absent = []
    for spelling in dict.fromkeys(_WORD.findall(text)):
        word = spelling.lower()
        if word in STOP_WORDS or word in _QUESTION_WORDS or _is_verb(word):
            continue
        known = any(corpus.words.frequency(part) for part in stemmed_words(spelling))
        if len(word) >= _SHORTEST_WORD and not known and not corpus.words.holding(stem_word(word)):
            absent.append(spelling)
    return tuple(absent)
