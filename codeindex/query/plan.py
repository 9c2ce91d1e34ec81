"""Plan the search terms of a query: weighted words with their alternatives, and literals.

Alternatives of a word are compounds (`threadpool` for "thread pool"), splits (two words for one),
and the nearest indexed word for a misspelt one. A literal has punctuation inside
(`X-Forwarded-For`, `--max-file-size`) and counts in addition to its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Protocol

from codeindex.query.long_question import is_long, weigh_pieces
from codeindex.text.words import STOP_WORDS, query_words, stem_word, stemmed_words

LONGEST_QUERY = 65_536
"""Most characters of a query that are read, which is also the longest issue that GitHub accepts."""
FOCUS = 2_000
"""Most characters of a query's focus, the text for names and vectors; the model reads no more."""
MOST_TERMS = 256
"""Most words of a query that count; the words of highest weight are kept. Each word costs a pass
over its postings, and 99 of 100 mined issues have fewer words."""
_MOST_LITERALS = 4
"""Most literals that are searched, because each requires reading chunks."""
_SHORTEST_JOINED, _SHORTEST_PART = 5, 2
"""Least letters of a compound, and of each of its parts: shorter ones match by chance."""
_SHORTEST_SPLIT, _LONGEST_SPLIT = 3, 40
"""Least letters of each half of a split word, and most letters of a word that is split."""
_SHORTEST_CORRECTED, _MOST_CORRECTED = 5, 4
"""Least letters of a word that is corrected, and most corrected words of a query: correcting
compares a word with all words of the index."""
_PARTICLES = frozenset({"back", "down", "in", "off", "on", "out", "over", "up"})
"""Words that make a phrasal verb of the verb before them: "log in" is no kind of "log"."""
_VERB_ALONE = 0.3
"""Weight of the verb of a phrasal verb whose compound (`login`) is indexed. Of 271 questions such
as "where is the log in handled" about 50 repositories, .71 have the compound in the first result,
.52 if the compound only matches the verb's term. A weight of .6 or 1 gives .72 and .73, but then
logging comes first for "how does a user log in"."""
_PAIR, _MOST_PAIRS = 2, 50
"""In scripts without spaces: the letters of an indexed pair, and the most pairs that replace a
single letter, because some letters occur in thousands of pairs."""
_LETTERS = re.compile(r"[^\W\d_]+")
_GAP = re.compile(r"[ \t]?[ \t_-]?")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_LITERAL = re.compile(r"(?<![\w/.-])(?:--?)?\w+(?:[-./:]\w+)+(?![\w/-])|(?<![\w-])--\w[\w-]+")

_SENTENCE = re.compile(r"[A-Z]?[a-z]+(?:[-/][a-z]+)+")
_CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
"""Terminal colour codes."""


@dataclass(frozen=True, slots=True)
class Term:
    """A stemmed word of the query with its alternatives; `weight` multiplies its idf.

    `joined` are indexed compounds of the word and a neighbour in the query (`timeout` for `time`);
    `split` are pairs of indexed words that spell the word when joined.
    """

    word: str
    weight: float = 1.0
    joined: tuple[str, ...] = ()
    split: tuple[tuple[str, str], ...] = ()
    others: tuple[str, ...] = ()
    """Indexed words that replace the word because the index does not contain it."""

    @property
    def wholes(self) -> tuple[str, ...]:
        """The words that each match the term by themselves.

        They are its word, the compounds with a neighbour (`timeout` for `time`) and the
        corrections. The words in `split` match only in pairs.
        """
        return (self.word, *self.joined, *self.others)


@dataclass(frozen=True, slots=True)
class Literal:
    """A text with punctuation between its words, in lower case.

    `is_unit` tells whether the words count only together: `X-Forwarded-For` and `--max-size` are
    units, `error-handling` and `and/or` are ordinary words. Literals of a long question are never
    units. Measured on 456 issues, the share with the right function among ten hits was .754 with
    units, and .761 when the words of units kept a weight of 0.3.
    """

    text: str
    is_unit: bool


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """The terms and literals that a query searches for.

    A long query, such as an issue, has only the terms with the highest weights.
    `focus` is the text for the model and for name look-ups: the heaviest pieces of a long query, or
    a whole short query.
    """

    terms: tuple[Term, ...]
    literals: tuple[Literal, ...]
    focus: str

    @property
    def words(self) -> tuple[str, ...]:
        """Every word of the terms and of their alternatives, each once."""
        every: dict[str, None] = {}
        for term in self.terms:
            split = (part for pair in term.split for part in pair)
            every.update(dict.fromkeys((*term.wholes, *split)))
        return tuple(every)


Frequency = Callable[[str], int]


class Vocabulary(Protocol):
    """The look-ups of indexed words that planning a query needs; `WordIndex` has them."""

    def frequency(self, word: str, /) -> int:
        """Return the number of chunks that contain a word."""

    def words_near(self, word: str, /, *, slips: int) -> Mapping[str, int]:
        """Return {word: edit distance} of the indexed words within `slips` edits of a word.

        An edit inserts, deletes or replaces a letter, or swaps two adjacent letters.
        """

    def words_containing(self, part: str, /) -> Collection[str]:
        """Return the indexed words that contain the letters `part`."""


def plan_query(text: str, vocabulary: Vocabulary) -> QueryPlan:
    """Return what a query searches for: its terms, their alternatives, and literals.

    The words of the index decide which alternatives exist. The query may have any length;
    characters beyond `LONGEST_QUERY` are ignored.
    """
    text = _CONTROL.sub(" ", text[:LONGEST_QUERY])
    pieces = weigh_pieces(text) or [(text, 1.0)]
    weights = _weighed(pieces)
    focus = _focus(pieces)
    joined = _joined(focus, vocabulary.frequency)
    if is_long(text):
        best = sorted(weights, key=lambda word: -weights[word])
        chosen = list(islice(filter(vocabulary.frequency, best), MOST_TERMS))
        terms = tuple(
            Term(word, weights[word], joined.get(word, ())) for word in chosen or best[:1]
        )
    else:
        phrasal = _phrasal_verbs(focus, vocabulary.frequency)
        spelt = (
            term
            for word in list(weights)[:MOST_TERMS]
            for term in _spelt(word, joined.get(word, ()), phrasal.get(word, ()))
            if term.word == word or term.word not in weights
        )
        terms = tuple(_found_otherwise(spelt, vocabulary))
    return QueryPlan(terms, tuple(_literals(focus, may_be_units=not is_long(text))), focus)


def _spelt(word: str, joined: tuple[str, ...], phrasal: tuple[str, ...]) -> Iterator[Term]:
    """Yield the terms for a word of a short query: one, or two if it begins a phrasal verb.

    `joined` are its compounds with neighbours, `phrasal` those with a particle after it.
    """
    if not phrasal:
        yield Term(word, 1.0, joined)
        return
    whole, *other_forms = phrasal
    yield Term(whole, 1.0, tuple(other_forms))
    yield Term(word, _VERB_ALONE)


def _found_otherwise(terms: Iterable[Term], vocabulary: Vocabulary) -> Iterator[Term]:
    """Yield each term with other ways to find it: its `split` and `others` are set.

    `split` are pairs of indexed words that spell the term when joined. `others` are corrections
    of the spelling; only terms that the index does not contain have corrections.
    """
    left = _MOST_CORRECTED
    for term in terms:
        split = tuple(_splits(term.word, vocabulary.frequency))
        is_known = split or any(map(vocabulary.frequency, term.wholes))
        others = () if is_known or not left else tuple(_others(term.word, vocabulary))
        left -= bool(others)
        yield replace(term, split=split, others=others)


def _others(word: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the indexed words that may replace a word that the index does not contain.

    A replacement has edit distance 1 and the same first letter, because typos in the first letter
    are rare. A single letter of a script such as Chinese is replaced by indexed letter pairs that
    contain the letter.
    """
    if len(word) == 1 and not word.isascii():
        yield from islice(sorted(vocabulary.words_containing(word)), _MOST_PAIRS)
    elif len(word) >= _SHORTEST_CORRECTED and _LETTERS.fullmatch(word):
        near = vocabulary.words_near(word, slips=1)
        yield from (other for other in near if other[0] == word[0] and _LETTERS.fullmatch(other))


def _weighed(pieces: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Return {word: weight} of the words that count, in order of occurrence.

    A word has the highest weight of the pieces that contain it. `pieces` are (text, weight).
    """
    weights: dict[str, float] = {}
    for piece, weight in pieces:
        for word in stemmed_words(piece):
            weights[word] = max(weight, weights.get(word, 0.0))
    telling = query_words(" ".join(piece for piece, _ in pieces))
    return {word: weights[word] for word in telling if not _is_in_pairs(word)}


def _is_in_pairs(word: str) -> bool:
    """Tell whether a word is in a script such as Chinese, which is indexed as pairs of letters."""
    return not word.isascii() and len(word) > _PAIR and stemmed_words(word)[0] == word[:_PAIR]


def _focus(pieces: Sequence[tuple[str, float]]) -> str:
    """Return the heaviest pieces that fit into `FOCUS` characters, in the order of the text."""
    kept, room = [], FOCUS
    for at in sorted(range(len(pieces)), key=lambda at: -pieces[at][1]):
        if room > 0:
            kept.append((at, pieces[at][0][:room]))
            room -= len(pieces[at][0]) + 1
    return "\n".join(piece for _, piece in sorted(kept))


def _joined(text: str, frequency: Frequency) -> dict[str, tuple[str, ...]]:
    """Return {stemmed word: indexed compounds of the word and a neighbour in `text`}.

    For "time out", both words have the compound `timeout`.
    """
    joined: dict[str, tuple[str, ...]] = {}
    for left, right in _neighbours(text):
        if min(len(left), len(right)) < _SHORTEST_PART or {left, right} <= STOP_WORDS:
            continue
        if len(left + right) < _SHORTEST_JOINED:
            continue
        if known := _indexed_forms(left + right, frequency):
            for part in (stem_word(left), stem_word(right)):
                joined[part] = tuple(dict.fromkeys((*joined.get(part, ()), *known)))
    return joined


def _phrasal_verbs(text: str, frequency: Frequency) -> dict[str, tuple[str, ...]]:
    """Return {stemmed verb: indexed compounds of the verb and the particle after it in `text`}.

    For "log in" it is `log` with the compound `login`.
    """
    found: dict[str, tuple[str, ...]] = {}
    for verb, particle in _neighbours(text):
        if particle not in _PARTICLES or verb in STOP_WORDS:
            continue
        if known := _indexed_forms(verb + particle, frequency):
            found[stem_word(verb)] = known[::-1]
    return found


def _neighbours(text: str) -> Iterator[tuple[str, str]]:
    """Yield each pair of adjacent words of a text in lower case; parts of a name are words, too."""
    for first, second in pairwise(_PART.finditer(text)):
        if _GAP.fullmatch(text[first.end() : second.start()]):
            yield first[0].lower(), second[0].lower()


def _indexed_forms(word: str, frequency: Frequency) -> tuple[str, ...]:
    """Return those of a word and its stem that the index contains, the word first."""
    return tuple(form for form in dict.fromkeys((word, stem_word(word))) if frequency(form))


def _splits(word: str, frequency: Frequency) -> Iterator[tuple[str, str]]:
    """Yield each way to split a word into two indexed words: `timeout` into (`time`, `out`)."""
    if not _LETTERS.fullmatch(word):
        return
    for at in range(_SHORTEST_SPLIT, min(len(word), _LONGEST_SPLIT) - _SHORTEST_SPLIT + 1):
        left, right = word[:at], word[at:]
        if {left, right}.isdisjoint(STOP_WORDS):
            pair = (stem_word(left), stem_word(right))
            if all(map(frequency, pair)):
                yield pair


def _literals(text: str, *, may_be_units: bool) -> Iterator[Literal]:
    """Yield the first texts with punctuation in a query, such as `X-Forwarded-For` or `--name`.

    `may_be_units` is false for a long question, whose literals are never units.
    """
    literals = (match[0] for match in _LITERAL.finditer(text) if re.search(r"[^\W\d_]", match[0]))
    for literal in islice(dict.fromkeys(literals), _MOST_LITERALS):
        yield Literal(literal.lower(), may_be_units and not _SENTENCE.fullmatch(literal))
