"""Retrievers: each gives every chunk, or a few files, a raw score for one query."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from codeindex.search.names.boosts import KIND_WEIGHT, NameMatch
from codeindex.search.retrieve.term_matches import MatchedTerm
from codeindex.store.catalog.connection import Catalog
from codeindex.store.segments.word_index import Occurrences, WordIndex
from codeindex.text.words import fold

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Ints = npt.NDArray[np.int64]

_K1, _B = 1.2, 0.75
"""BM25's usual parameters: how soon further occurrences count less, and how much length matters."""
_MOST_TERMS = 24
"""Words of a long query that count, those of the highest idf first."""


@dataclass(frozen=True, slots=True, eq=False)
class WordScores:
    """BM25 of every chunk, and the share of the query's idf whose words it has anywhere.

    `occurrences` and `idf` have one entry for each term that counts.
    """

    bm25: Floats
    anywhere: Floats
    occurrences: tuple[Occurrences, ...] = ()
    idf: Floats = field(default_factory=lambda: np.zeros(0, dtype=np.float32))


def score_words(words: WordIndex, terms: Sequence[str]) -> WordScores:
    """Score every chunk by these words alone, all of which tell alike."""
    return score_terms(words, [MatchedTerm(words.occurrences(one)) for one in terms])


def score_terms(words: WordIndex, terms: Sequence[MatchedTerm]) -> WordScores:
    """Sum BM25 term by term, which tells coverage too; of many, those that tell most."""
    count = len(words.lengths)
    bm25, anywhere = (np.zeros(count, dtype=np.float32) for _ in range(2))
    usual = max(float(words.lengths.mean()), 1.0) if count else 1.0
    damping = (_K1 * (1 - _B + _B / usual * words.lengths)).astype(np.float32)
    every = sorted(((_idf(count, it), it.occurrences) for it in terms), key=lambda one: -one[0])
    every = every[:_MOST_TERMS]
    for idf, found in every:
        at, times = found.positions, found.counts.astype(np.float32)
        bm25[at] += idf * (_K1 + 1) * times / (times + damping[at])
        anywhere[at] += idf
    idfs = np.array([idf for idf, _ in every], dtype=np.float32)
    total = max(math.fsum(idfs), 1e-6)
    return WordScores(bm25, anywhere / total, tuple(it for _, it in every), idfs)


def _idf(count: int, term: MatchedTerm) -> float:
    frequency = len(term.occurrences.positions)
    return term.weight * math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))


@dataclass(frozen=True, slots=True, eq=False)
class FileScores:
    """Words of whole files: BM25, and how much is said whatever the length."""

    bm25: Floats
    said: Floats


def score_files(terms: Sequence[MatchedTerm], owners: Ints, lengths: Floats) -> FileScores:
    """Score files as they are, however they are cut.

    `owners` says which file each chunk is of, `lengths` how many words each file has. All words of
    a long question count: of whole files the common ones tell too.
    """
    count = len(lengths)
    bm25, said = np.zeros(count), np.zeros(count)
    usual = max(float(lengths.mean()), 1.0) if count else 1.0
    damping = _K1 * (1 - _B + _B / usual * lengths)
    for term in terms:
        found = term.occurrences
        times = np.bincount(owners[found.positions], weights=found.counts, minlength=count)
        frequency = np.count_nonzero(times)
        idf = term.weight * math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))
        bm25 += idf * (_K1 + 1) * times / (times + damping)
        said += idf * np.log1p(times)
    return FileScores(bm25.astype(np.float32), said.astype(np.float32))


@dataclass(frozen=True, slots=True)
class NamedDefinition:
    """A symbol whose name a query says; `strength` is 1 when it is the query."""

    file_id: int
    symbol: str
    kind: str
    line: int
    strength: float


_RUN_STRENGTH = {2: 0.7, 3: 0.8}
"""How surely so many words in a row mean the name they make together (`cookie jar`)."""
_CAPITAL_STRENGTH = 0.5
_WORD_STRENGTH = 0.3
"""A word of a sentence may happen to be a name; one with a capital more likely so."""
_SHORTEST_NAME = 2
_MOST_DEFINITIONS = 200


def find_named_definitions(
    catalog: Catalog, text: str, names: Sequence[str]
) -> list[NamedDefinition]:
    """Find the symbols that a query names: as a whole, as identifiers, or as words run together."""
    found = []
    for folded, strength in _named(text, names).items():
        rows = catalog.connection.execute(
            "SELECT file_id, qualified, kind, line FROM symbols WHERE folded = ? LIMIT ?",
            (folded, _MOST_DEFINITIONS),
        )
        found += [
            NamedDefinition(file, symbol, kind, line, strength * KIND_WEIGHT.get(kind, 1.0))
            for file, symbol, kind, line in rows
        ]
    return found


def _named(text: str, names: Sequence[str]) -> dict[str, float]:
    """Return what a query may name, folded, and how surely it means a symbol of that name."""
    whole = text.strip().strip("\"'`")
    runs = re.findall(r"[\w.]+", text)
    strengths = {_last(name): 1.0 for name in names}
    if " " not in whole:
        strengths[_last(whole)] = 1.0
    for length, strength in _RUN_STRENGTH.items():
        for start in range(len(runs) - length + 1):
            name = "".join(runs[start : start + length])
            strengths[name] = max(strength, strengths.get(name, 0.0))
    for run in runs:
        strength = _CAPITAL_STRENGTH if run[:1].isupper() else _WORD_STRENGTH
        strengths[run] = max(strength, strengths.get(run, 0.0))
    folded: dict[str, float] = {}
    for name, strength in strengths.items():
        key = fold(name)
        if len(key) >= _SHORTEST_NAME:
            folded[key] = max(strength, folded.get(key, 0.0))
    return folded


def _last(name: str) -> str:
    """Return the innermost part of a name: `Rack::Builder`, `a.b.c()`, `Foo#bar`."""
    return re.split(r"::|->|[.#/\\]", name.removesuffix("()").rstrip("."))[-1]


@dataclass(frozen=True, slots=True, eq=False)
class RetrievalScores:
    """What all retrievers gave for one query."""

    terms: tuple[str, ...]
    """Words that count, alternatives among them."""
    words: WordScores
    whole: FileScores
    dense: Floats
    token: Floats
    defined: tuple[NamedDefinition, ...]
    named: tuple[NameMatch, ...] = ()


def cosine_scores(score: Callable[[Floats], Floats], query: Floats | None, count: int) -> Floats:
    """Score every chunk against a query vector; zeros without one."""
    return np.zeros(count, dtype=np.float32) if query is None else score(query)
