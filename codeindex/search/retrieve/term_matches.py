"""Where the terms of a plan occur: postings of the index, and of what postings cannot tell.

That two words are neighbours, or that signs stand between them, shows in the text alone: chunks
that have all of the words are read, as far as there are few.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from codeindex.query.plan import QueryPlan, Term
from codeindex.store.catalog.sql_values import placeholders
from codeindex.store.segments.word_index import Occurrences, WordIndex
from codeindex.text.words import words as words_of

if TYPE_CHECKING:
    import sqlite3

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

MAX_VERIFIED_CHUNKS = 100
"""Chunks that are read for one pair or literal, those with most of its words: 2 ms at most."""
_ENDING = r"[^\W_]{0,3}"
"""What a stem has lost."""
_PATH = np.uint16(1)
"""Mark of a word in the path (`store.words.FIELDS`)."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchedTerm:
    """Where a term occurs, in its own words or another way, and what multiplies its idf."""

    occurrences: Occurrences
    weight: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class MatchedTerms:
    """All terms, and the focus of the question without the literals that were found as one."""

    terms: tuple[MatchedTerm, ...]
    rest: str


ChunkTextReader = Callable[[Sequence[int]], Iterable[tuple[int, str]]]
"""Gives the texts of chunks, by their positions."""


def match_terms(words: WordIndex, plan: QueryPlan, texts: ChunkTextReader) -> MatchedTerms:
    """Return where the terms of a plan occur, and its literals; units stand for their words."""
    literals: list[MatchedTerm] = []
    parts: set[str] = set()
    rest = plan.focus
    for one in plan.literals:
        own = words_of(one.text)
        found = _verified(words, own, _spelt(one.text), texts)
        if len(found.positions):
            literals.append(MatchedTerm(found))
            if one.is_unit:
                parts.update(own)
                rest = re.sub(re.escape(one.text), " ", rest, flags=re.IGNORECASE)
    left = (one for one in plan.terms if one.word not in parts)
    terms = (MatchedTerm(_of_term(words, one, texts), one.weight) for one in left)
    return MatchedTerms((*terms, *literals), rest)


def chunk_text_reader(connection: sqlite3.Connection, ids: Ints) -> ChunkTextReader:
    """Return what reads the texts of chunks that have these ids, in the order of positions."""

    def texts(positions: Sequence[int]) -> Iterator[tuple[int, str]]:
        place = {int(ids[at]): at for at in positions}
        rows = connection.execute(
            f"SELECT id, text FROM chunks WHERE id IN ({placeholders(place)})",  # noqa: S608 (marks)
            list(place),
        )
        return ((place[chunk], text) for chunk, text in rows)

    return texts


def read_no_texts(_: Sequence[int]) -> tuple[tuple[int, str], ...]:
    """Return no text: for questions whose answers are hidden in the index, not in the catalog."""
    return ()


def _of_term(words: WordIndex, term: Term, texts: ChunkTextReader) -> Occurrences:
    whole = [words.occurrences(one) for one in term.wholes]
    split = [_verified(words, pair, _pair(pair), texts) for pair in term.split]
    return union_occurrences([one for one in (*whole, *split) if len(one.positions)] or whole[:1])


def union_occurrences(found: Sequence[Occurrences]) -> Occurrences:
    """Return the chunks that any of these has, with the highest of their counts, all marks."""
    if len(found) == 1:
        return found[0]
    positions, at = np.unique(np.concatenate([it.positions for it in found]), return_inverse=True)
    counts, fields = np.zeros((2, len(positions)), dtype=np.uint16)
    np.maximum.at(counts, at, np.concatenate([it.counts for it in found]))
    np.bitwise_or.at(fields, at, np.concatenate([it.marks for it in found]))
    return Occurrences(positions, counts, fields)


def intersect_occurrences(found: Sequence[Occurrences]) -> Occurrences:
    """Return the chunks that all of these have, with the lowest counts, the marks of all."""
    positions = reduce(np.intersect1d, (it.positions for it in found))
    at = [_places(it.positions, positions) for it in found]
    rows = list(zip(found, at, strict=True))
    counts = np.minimum.reduce([it.counts[place] for it, place in rows])
    fields = np.bitwise_and.reduce([it.marks[place] for it, place in rows])
    return Occurrences(positions, counts, fields)


def _places(every: Ints, wanted: Ints) -> Ints:
    order = np.argsort(every, kind="stable")
    places: Ints = order[np.searchsorted(every, wanted, sorter=order)]
    return places


def _verified(
    words: WordIndex, parts: Sequence[str], pattern: re.Pattern[str], texts: ChunkTextReader
) -> Occurrences:
    """Return the chunks with all parts whose text fits, or the path has all, of the first READ."""
    found = intersect_occurrences(
        [words.occurrences(one) for one in parts] or [words.occurrences("")]
    )
    most = np.argsort(-found.counts.astype(np.int64), kind="stable")[:MAX_VERIFIED_CHUNKS]
    asked = texts(found.positions[most].tolist())
    read = {at: len(pattern.findall(text.lower())) for at, text in asked}
    counts = np.array([read.get(at, 0) for at in found.positions.tolist()], dtype=np.uint16)
    counts = np.maximum(counts, found.marks & _PATH)
    has = counts > 0
    return Occurrences(found.positions[has], counts[has], found.marks[has])


def _pair(pair: tuple[str, str]) -> re.Pattern[str]:
    """Return what two words side by side look like in lower case."""
    left, right = map(re.escape, pair)
    return re.compile(rf"{_begun(left)}{_ENDING}[\s_-]{{1,3}}{right}")


def _spelt(literal: str) -> re.Pattern[str]:
    """Return what a literal looks like in lower case: a header, a constant, an option, a name."""
    first, *others = map(re.escape, filter(None, re.split(r"[\W_]+", literal.lower())))
    return re.compile(r"[\W_]?".join([_begun(first), *others]) + r"(?![^\W_])")


def _begun(word: str) -> str:
    """Match a word that no letter is before; a pattern that begins with letters is fast."""
    return rf"{word}(?<![^\W_]{word})"
