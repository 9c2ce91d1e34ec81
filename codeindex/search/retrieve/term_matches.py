"""Find the chunks in which the terms of a query plan occur.

The word index does not tell whether two words are adjacent, or which characters separate them. For
pairs and literals, the texts of chunks that contain all of the words are read, up to a limit.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from codeindex.query.plan import QueryPlan, Term
from codeindex.store.catalog.chunks import chunk_texts
from codeindex.store.segments.word_index import Occurrences, WordIndex
from codeindex.text.words import stemmed_words as split_words
from codeindex.types.array_types import Ints

MAX_VERIFIED_CHUNKS = 100
"""Most chunks that are read for one pair or literal, highest word counts first; they take 2 ms."""
_STEM_ENDING = r"[^\W_]{0,3}"
"""Letters that stemming may have removed from a word."""
_IN_PATH = np.uint16(1)
"""Field mark of a word in the path (`store.segments.words.FIELDS`)."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchedTerm:
    """A term of the query, and the chunks that contain it or one of its alternatives.

    `weight` multiplies the idf of the term.
    """

    occurrences: Occurrences
    weight: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class MatchedTerms:
    """All matched terms of a query.

    `rest` is the query without those literals, such as `X-Forwarded-For`, that matched as a whole.
    """

    terms: tuple[MatchedTerm, ...]
    rest: str


ChunkTextReader = Callable[[Sequence[int]], Iterable[tuple[int, str]]]
"""Returns (position, text) of the chunks at the given positions."""


def match_terms(words: WordIndex, plan: QueryPlan, read_texts: ChunkTextReader) -> MatchedTerms:
    """Find the chunks that contain each term and literal of a query plan.

    A literal that is a unit, such as `X-Forwarded-For`, replaces the words in it if a chunk
    contains it.
    """
    literals: list[MatchedTerm] = []
    replaced: set[str] = set()
    rest = plan.focus
    for literal in plan.literals:
        literal_words = split_words(literal.text)
        occurrences = _verify(words, literal_words, _literal_pattern(literal.text), read_texts)
        if len(occurrences.positions):
            literals.append(MatchedTerm(occurrences))
            if literal.is_unit:
                replaced.update(literal_words)
                rest = re.sub(re.escape(literal.text), " ", rest, flags=re.IGNORECASE)
    terms = (
        MatchedTerm(_term_occurrences(words, term, read_texts), term.weight)
        for term in plan.terms
        if term.word not in replaced
    )
    return MatchedTerms((*terms, *literals), rest)


def chunk_text_reader(connection: sqlite3.Connection, chunk_ids: Ints) -> ChunkTextReader:
    """Return a function that reads the texts of chunks. It takes positions in `chunk_ids`."""

    def read_texts(positions: Sequence[int]) -> list[tuple[int, str]]:
        position_of = {int(chunk_ids[position]): position for position in positions}
        texts = chunk_texts(connection, position_of)
        return [(position_of[chunk], text) for chunk, text in texts]

    return read_texts


def read_no_texts(_: Sequence[int]) -> tuple[tuple[int, str], ...]:
    """Return no texts.

    Evaluations use this reader, because their corpus hides texts of the catalog.
    """
    return ()


def _term_occurrences(words: WordIndex, term: Term, read_texts: ChunkTextReader) -> Occurrences:
    wholes = [words.occurrences(word) for word in term.wholes]
    pairs = [_verify(words, pair, _pair_pattern(pair), read_texts) for pair in term.split]
    return union_occurrences(
        [each for each in (*wholes, *pairs) if len(each.positions)] or wholes[:1]
    )


def union_occurrences(operands: Sequence[Occurrences]) -> Occurrences:
    """Return the chunks in any of the operands, each with its highest count and all field marks."""
    if len(operands) == 1:
        return operands[0]
    positions, inverse = np.unique(
        np.concatenate([each.positions for each in operands]), return_inverse=True
    )
    counts, marks = np.zeros((2, len(positions)), dtype=np.uint16)
    np.maximum.at(counts, inverse, np.concatenate([each.counts for each in operands]))
    np.bitwise_or.at(marks, inverse, np.concatenate([each.marks for each in operands]))
    return Occurrences(positions, counts, marks)


def intersect_occurrences(operands: Sequence[Occurrences]) -> Occurrences:
    """Return the chunks in all operands, each with its lowest count and the common field marks."""
    positions = reduce(np.intersect1d, (each.positions for each in operands))
    rows = [(each, _indices_of(each.positions, positions)) for each in operands]
    counts = np.minimum.reduce([each.counts[indices] for each, indices in rows])
    marks = np.bitwise_and.reduce([each.marks[indices] for each, indices in rows])
    return Occurrences(positions, counts, marks)


def _indices_of(values: Ints, wanted: Ints) -> Ints:
    order = np.argsort(values, kind="stable")
    indices: Ints = order[np.searchsorted(values, wanted, sorter=order)]
    return indices


def _verify(
    words: WordIndex, parts: Sequence[str], pattern: re.Pattern[str], read_texts: ChunkTextReader
) -> Occurrences:
    """Return the chunks that contain all `parts` and whose text matches `pattern`.

    Chunks whose path has all parts count too. At most `MAX_VERIFIED_CHUNKS` texts are read; further
    chunks can match only by their path.
    """
    candidates = intersect_occurrences(
        [words.occurrences(part) for part in parts] or [words.occurrences("")]
    )
    order = np.argsort(-candidates.counts.astype(np.int64), kind="stable")[:MAX_VERIFIED_CHUNKS]
    texts = read_texts(candidates.positions[order].tolist())
    matches = {position: len(pattern.findall(text.lower())) for position, text in texts}
    positions = candidates.positions.tolist()
    counts = np.array([matches.get(position, 0) for position in positions], dtype=np.uint16)
    counts = np.maximum(counts, candidates.marks & _IN_PATH)
    is_match = counts > 0
    return Occurrences(candidates.positions[is_match], counts[is_match], candidates.marks[is_match])


def _pair_pattern(pair: tuple[str, str]) -> re.Pattern[str]:
    """Return a pattern that matches two adjacent words in lower-case text."""
    left, right = map(re.escape, pair)
    return re.compile(rf"{_word_start(left)}{_STEM_ENDING}[\s_-]{{1,3}}{right}")


def _literal_pattern(literal: str) -> re.Pattern[str]:
    """Return a pattern for a literal in lower-case text, with any separators between its words."""
    first, *others = map(re.escape, filter(None, re.split(r"[\W_]+", literal.lower())))
    return re.compile(r"[\W_]?".join([_word_start(first), *others]) + r"(?![^\W_])")


def _word_start(word: str) -> str:
    """Return a pattern that matches a word with no letter before it.

    The look-behind comes after the word, because `re` is fast for patterns that begin with a
    literal.
    """
    return rf"{word}(?<![^\W_]{word})"
