"""What a question asks for: its words, what each tells, and which of them occur nowhere here."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from codeindex.search.retrieve.corpus import Corpus
from codeindex.text.words import STOP_WORDS, query_words, stem, stemmed_words

_WORD = re.compile(r"[^\W\d_][\w$]*")
_ASKING = frozenset(
    ["explain", "describe", "happen", "happens", "decide", "decides", "work", "works", "way"]
)
"""Words of questions that code has for other reasons."""
_VERBAL = re.compile(r"(?:ed|ly)$")
_IRREGULAR = frozenset(
    [
        *("kept", "made", "held", "sent", "built", "chosen", "written", "thrown", "caught"),
        *("begun", "found", "lost", "left", "put", "shown", "known", "taken", "done", "told"),
    ]
)
"""Verbs of sentences: that the code does not say them means nothing."""
_LONGEST = 2_000
"""Characters of a question that are read: each of its words is looked for inside all others."""
_FAINT = 0.25
"""What such a word tells beside others."""
_DEFINING = re.compile(r"(?i)^(?:what(?: is|'s| are)|define)\b")
NOTHING_LEFT = 0.5
"""Share of what a question says above which its missing words are what it is about."""


@dataclass(frozen=True, slots=True)
class WeightedQuestion:
    """A question's words with what each tells, summing up to 1; `missing` are as they were said."""

    text: str
    weights: Mapping[str, float]
    missing: tuple[str, ...] = ()
    missing_share: float = 0.0
    joined: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Words that code writes as one, with what they are in the question: `shutdown`."""

    @property
    def is_what(self) -> bool:
        """Tell whether it asks what something is."""
        return bool(_DEFINING.match(self.text.strip()))

    @property
    def absent(self) -> set[str]:
        return {part for one in self.missing for part in stemmed_words(one)}

    def said_in(self, text: str) -> float:
        """Return which share of the question a text says, 0 to 1."""
        return sum(self.weights[one] for one in self.terms(stemmed_words(text)))

    def terms(self, said: Iterable[str]) -> set[str]:
        """Return the words of the question that these are."""
        own = set(said)
        for word, parts in self.joined.items():
            if word in own or own.issuperset(parts):
                own |= {word, *parts}
        return own & self.weights.keys()


def weigh_question(corpus: Corpus, text: str) -> WeightedQuestion:
    """Weigh the words of a question by how rare they are here."""
    text = text[:_LONGEST]
    usual = {stem(one) for one in _ASKING}
    verbs = {stem(one.lower()) for one in _WORD.findall(text) if _is_verb(one.lower())}
    chunks = len(corpus.chunk_ids)
    telling = {}
    for one in query_words(text):
        count = corpus.words.frequency(one)
        faint = one in usual or (not count and one in verbs)
        telling[one] = math.log1p(chunks / (1 + count)) * (_FAINT if faint else 1.0)
    missing = absent_words(corpus, text)
    gone = {part for one in missing for part in stemmed_words(one)}
    whole = sum(telling.values()) or 1.0
    lost = sum(weight for one, weight in telling.items() if one in gone)
    weights = {one: weight / whole for one, weight in telling.items()}
    joined = _joined(corpus, text)
    for word, parts in joined.items():
        known = [part for part in parts if part in weights]
        weights[word] = weights.get(word, 0.0) + sum(weights[part] * _AS_ONE for part in known)
        weights.update({part: weights[part] * (1 - _AS_ONE) for part in known})
    return WeightedQuestion(text, weights, missing, lost / whole, joined)


_AS_ONE = 0.6
"""Share of the weight of two words that belongs to both together."""


def _joined(corpus: Corpus, text: str) -> dict[str, tuple[str, str]]:
    """Return what neighbouring words are in one, if that is a word here: times out, timeout."""
    said = [stem(one.lower()) for one in _WORD.findall(text)]
    return {
        f"{one}{other}": (one, other)
        for one, other in pairwise(said)
        if corpus.words.frequency(f"{one}{other}")
    }


def _is_verb(word: str) -> bool:
    return word in _IRREGULAR or bool(_VERBAL.search(word))


def absent_words(corpus: Corpus, text: str) -> tuple[str, ...]:
    """Return the telling words of a question that stand nowhere, not even within other words.

    This is the one place that decides so: the words of every indexed chunk are looked through.
    """
    found = []
    for said in dict.fromkeys(_WORD.findall(text)):
        one = said.lower()
        if one in STOP_WORDS or one in _ASKING or len(one) < _SHORTEST or _is_verb(one):
            continue
        known = any(corpus.words.frequency(part) for part in stemmed_words(said))
        if not known and not corpus.words.holding(stem(one)):
            found.append(said)
    return tuple(found)


_SHORTEST = 3
"""Letters of a word whose absence says anything."""
