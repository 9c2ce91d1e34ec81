"""What a question looks for, word by word: the words, what else counts as them, and how much.

A term is a word of the question with its alternatives: `threadpool` for two words `thread pool`,
both together for one word, the nearest word of the index for one that is misspelt. A literal with
signs in it (`X-Forwarded-For`, `--max-file-size`) is a term besides its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Protocol

from codeindex.query.long_question import is_long, weigh_pieces
from codeindex.text.words import STOP_WORDS, query_words, stem, stemmed_words

LONGEST_QUERY = 65_536
"""Characters of a query that are read: GitHub lets no issue be longer."""
FOCUS = 2_000
"""Characters that are taken for names and vectors: the model reads about as many."""
MOST_TERMS = 256
"""Words of a query that count, the most telling: each costs a pass over its postings, and 99 of 100
mined issues have fewer."""
_MOST_LITERALS = 4
"""Literals that are looked for: for each some chunks are read."""
_SHORTEST_JOINED, _SHORTEST_PART = 5, 2
"""Letters of a compound and of its parts: shorter ones are met by chance."""
_SHORTEST_SPLIT, _LONGEST_SPLIT = 3, 40
"""Letters of each of two words that one is made of, and of both."""
_SHORTEST_CORRECTED, _MOST_CORRECTED = 5, 4
"""Letters of a word that is corrected, and such words of a question: each is compared with all."""
_PAIR, _MOST_PAIRS = 2, 50
"""Words with one letter that are looked for; a common letter is in thousands."""
_LETTERS = re.compile(r"[^\W\d_]+")
_GAP = re.compile(r"[ \t]?[ \t_-]?")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_LITERAL = re.compile(r"(?<![\w/.-])(?:--?)?\w+(?:[-./:]\w+)+(?![\w/-])|(?<![\w-])--\w[\w-]+")

_SENTENCE = re.compile(r"[A-Z]?[a-z]+(?:[-/][a-z]+)+")
_CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
"""Colours of a terminal."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word, stemmed, that the question has; `weight` multiplies its idf.

    `joined` are words of the index that it makes with its neighbours in the question; the first of
    each of `split` is followed by the second where text says the word in two.
    """

    word: str
    weight: float = 1.0
    joined: tuple[str, ...] = ()
    split: tuple[tuple[str, str], ...] = ()
    others: tuple[str, ...] = ()
    """Words of the index that are meant by one that it does not have."""

    @property
    def wholes(self) -> tuple[str, ...]:
        """Return the words each of which counts as the term."""
        return (self.word, *self.joined, *self.others)


@dataclass(frozen=True, slots=True)
class Literal:
    """Words with signs between them, in lower case; `is_unit` if they mean little one by one.

    `error-handling` and `and/or` are words of a sentence, `X-Forwarded-For` and `--max-size` are
    not. In a long question none is a unit: of 456 issues, .754 found a function within ten with
    units, .761 where the words kept a weight of 0.3.
    """

    text: str
    is_unit: bool


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """The terms of a question, the most telling first if it is long, and its literals.

    `focus` is what tells most of it, for whatever reads text: all of a short question.
    """

    terms: tuple[Term, ...]
    literals: tuple[Literal, ...]
    focus: str

    @property
    def words(self) -> tuple[str, ...]:
        """Return every word that counts, alternatives too, each once."""
        every: dict[str, None] = {}
        for term in self.terms:
            split = (part for pair in term.split for part in pair)
            every.update(dict.fromkeys((*term.wholes, *split)))
        return tuple(every)


Frequency = Callable[[str], int]


class Vocabulary(Protocol):
    """The words of an index (`store.words.Words`)."""

    def frequency(self, word: str, /) -> int:
        """Return how many chunks have a word."""

    def near(self, word: str, /, *, slips: int) -> Mapping[str, int]:
        """Return the words that are so many slips away."""

    def holding(self, part: str, /) -> Collection[str]:
        """Return the words that have these letters in them."""


def plan_query(text: str, vocabulary: Vocabulary) -> QueryPlan:
    """Plan any text, however long or odd, against an index's words."""
    text = _CONTROL.sub(" ", text[:LONGEST_QUERY])
    pieces = weigh_pieces(text) or [(text, 1.0)]
    weights = _weighed(pieces)
    focus = _focus(pieces)
    joined = _joined(focus, vocabulary.frequency)
    if is_long(text):
        best = sorted(weights, key=lambda one: -weights[one])
        chosen = list(islice(filter(vocabulary.frequency, best), MOST_TERMS))
        terms = tuple(Term(one, weights[one], joined.get(one, ())) for one in chosen or best[:1])
    else:
        spelt = [Term(one, 1.0, joined.get(one, ())) for one in list(weights)[:MOST_TERMS]]
        terms = tuple(_found_otherwise(spelt, vocabulary))
    return QueryPlan(terms, tuple(_literals(focus)), focus)


def _found_otherwise(terms: Sequence[Term], vocabulary: Vocabulary) -> Iterator[Term]:
    """Add the ways in which the index may say a word in two, or spell it."""
    left = _MOST_CORRECTED
    for term in terms:
        split = tuple(_splits(term.word, vocabulary.frequency))
        is_known = split or any(map(vocabulary.frequency, term.wholes))
        others = () if is_known or not left else tuple(_others(term.word, vocabulary))
        left -= bool(others)
        yield replace(term, split=split, others=others)


def _others(word: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield what a word may mean that the index does not have.

    That is what is one slip away and begins alike, since few slips are at the first letter; of a
    letter that stands for a word, as Chinese ones do, the pairs that have it.
    """
    if len(word) == 1 and not word.isascii():
        yield from islice(sorted(vocabulary.holding(word)), _MOST_PAIRS)
    elif len(word) >= _SHORTEST_CORRECTED and _LETTERS.fullmatch(word):
        near = vocabulary.near(word, slips=1)
        yield from (one for one in near if one[0] == word[0] and _LETTERS.fullmatch(one))


def _weighed(pieces: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Return each word that tells, with the weight of the best piece that has it, in order."""
    found: dict[str, float] = {}
    for piece, weight in pieces:
        for word in stemmed_words(piece):
            found[word] = max(weight, found.get(word, 0.0))
    telling = query_words(" ".join(piece for piece, _ in pieces))
    return {one: found[one] for one in telling if not _is_in_pairs(one)}


def _is_in_pairs(word: str) -> bool:
    """Tell whether a word is a run of Chinese or the like, whose pairs of letters stand for it."""
    return not word.isascii() and len(word) > _PAIR and stemmed_words(word)[0] == word[:_PAIR]


def _focus(pieces: Sequence[tuple[str, float]]) -> str:
    """Return the most telling pieces, in their order, as far as there is room."""
    kept, room = [], FOCUS
    for at in sorted(range(len(pieces)), key=lambda at: -pieces[at][1]):
        if room > 0:
            kept.append((at, pieces[at][0][:room]))
            room -= len(pieces[at][0]) + 1
    return "\n".join(piece for _, piece in sorted(kept))


def _joined(text: str, frequency: Frequency) -> dict[str, tuple[str, ...]]:
    """Return for words of a text what they are in one with a neighbour, if the index has that."""
    found: dict[str, tuple[str, ...]] = {}
    for one, other in pairwise(_PART.finditer(text)):
        left, right = one[0].lower(), other[0].lower()
        if not _GAP.fullmatch(text[one.end() : other.start()]):
            continue
        if min(len(left), len(right)) < _SHORTEST_PART or {left, right} <= STOP_WORDS:
            continue
        whole = left + right
        known = [it for it in dict.fromkeys((whole, stem(whole))) if frequency(it)]
        if len(whole) < _SHORTEST_JOINED or not known:
            continue
        for part in (stem(left), stem(right)):
            found[part] = tuple(dict.fromkeys((*found.get(part, ()), *known)))
    return found


def _splits(word: str, frequency: Frequency) -> Iterator[tuple[str, str]]:
    """Yield the two words of the index that a word may be made of, in every way."""
    if not _LETTERS.fullmatch(word):
        return
    for at in range(_SHORTEST_SPLIT, min(len(word), _LONGEST_SPLIT) - _SHORTEST_SPLIT + 1):
        left, right = word[:at], word[at:]
        if {left, right}.isdisjoint(STOP_WORDS):
            pair = (stem(left), stem(right))
            if all(map(frequency, pair)):
                yield pair


def _literals(text: str) -> Iterator[Literal]:
    """Yield the first literals of a text: several words with signs between them, or an option."""
    found = (one[0] for one in _LITERAL.finditer(text) if re.search(r"[^\W\d_]", one[0]))
    for one in islice(dict.fromkeys(found), _MOST_LITERALS):
        yield Literal(one.lower(), not is_long(text) and not _SENTENCE.fullmatch(one))
