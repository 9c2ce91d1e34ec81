"""Score chunks and files for one query by BM25, coverage, named definitions and cosines."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from codeindex.search.names.boosts import KIND_WEIGHT, NameMatch
from codeindex.search.retrieve.term_matches import MatchedTerm
from codeindex.store.segments.word_index import Occurrences, WordIndex
from codeindex.store.symbols.by_name import definitions_by_folded_name
from codeindex.text.words import fold_name
from codeindex.types.array_types import Floats, Ints

BM25_K1, BM25_B = 1.2, 0.75
"""The usual parameters of BM25: saturation of the term count, and length normalization."""
_MAX_TERMS = 24
"""Most terms of a query for which chunks are scored; those of the highest idf are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class WordScores:
    """Scores of every chunk for the words of a query, in the order of the corpus."""

    bm25: Floats
    coverage: Floats
    """Share of the query's idf that belongs to terms in the chunk."""
    occurrences: tuple[Occurrences, ...] = ()
    """One entry for each scored term, in the order of `idf`."""
    idf: Floats = field(default_factory=lambda: np.zeros(0, dtype=np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class FileScores:
    """Scores of every file for the words of a query, as if the file were a single text."""

    bm25: Floats
    tf_idf: Floats
    """Sum of idf * log(1 + count), without length normalization."""


@dataclass(frozen=True, slots=True)
class NamedDefinition:
    """A symbol that the query names; `strength`, 0 to 1, tells how certain that is.

    It is 1 for an identifier and for a name that is the whole query. It is lower for plain words
    and for kinds of symbols that a name rarely means.
    """

    file_id: int
    symbol: str
    kind: str
    line: int
    strength: float


@dataclass(frozen=True, slots=True, eq=False)
class RetrievalScores:
    """The scores of all retrievers for one query.

    `dense` and `token` have the cosine of each chunk with the query; they are 0 without vectors.
    """

    terms: tuple[str, ...]
    """The words of the query that count, with their alternatives."""
    words: WordScores
    file_words: FileScores
    dense: Floats
    token: Floats
    definitions: tuple[NamedDefinition, ...]
    name_matches: tuple[NameMatch, ...] = ()
    project_files: Floats | None = None
    """For a question that asks for files of the project, how well each file fits it, 0 to 1; None
    for other questions, or if no file fits."""


def score_words(words: WordIndex, terms: Sequence[str]) -> WordScores:
    """Score every chunk for plain words of equal weight; `terms` are stemmed."""
    return score_terms(words, [MatchedTerm(words.occurrences(term)) for term in terms])


def score_terms(words: WordIndex, terms: Sequence[MatchedTerm]) -> WordScores:
    """Score every chunk for the terms of a query; only the 24 terms of the highest idf count."""
    count = len(words.lengths)
    bm25, coverage = (np.zeros(count, dtype=np.float32) for _ in range(2))
    mean_length = max(float(words.lengths.mean()), 1.0) if count else 1.0
    norm = (BM25_K1 * (1 - BM25_B + BM25_B / mean_length * words.lengths)).astype(np.float32)
    weighted = [
        (term.weight * idf_of(count, len(term.occurrences.positions)), term.occurrences)
        for term in terms
    ]
    weighted = sorted(weighted, key=lambda pair: -pair[0])[:_MAX_TERMS]
    for idf, occurrences in weighted:
        at, tf = occurrences.positions, occurrences.counts.astype(np.float32)
        bm25[at] += idf * (BM25_K1 + 1) * tf / (tf + norm[at])
        coverage[at] += idf
    idfs = np.array([idf for idf, _ in weighted], dtype=np.float32)
    total = max(math.fsum(idfs), 1e-6)
    return WordScores(
        bm25, coverage / total, tuple(occurrences for _, occurrences in weighted), idfs
    )


def score_files(terms: Sequence[MatchedTerm], chunk_file: Ints, lengths: Floats) -> FileScores:
    """Score every file as a single text, for all terms.

    `chunk_file` has the position of each chunk's file, `lengths` the number of words in each file.
    """
    count = len(lengths)
    bm25, tf_idf = np.zeros(count), np.zeros(count)
    mean_length = max(float(lengths.mean()), 1.0) if count else 1.0
    norm = BM25_K1 * (1 - BM25_B + BM25_B / mean_length * lengths)
    for term in terms:
        at = chunk_file[term.occurrences.positions]
        tf = np.bincount(at, weights=term.occurrences.counts, minlength=count)
        idf = term.weight * idf_of(count, int(np.count_nonzero(tf)))
        bm25 += idf * (BM25_K1 + 1) * tf / (tf + norm)
        tf_idf += idf * np.log1p(tf)
    return FileScores(bm25.astype(np.float32), tf_idf.astype(np.float32))


_LEAST_IN_NAME = 0.7
"""Weight in a name of a word that most texts have. Of 384 newcomers' questions, 22 have the right
function higher than with weight 1 for all words, and 4 lower; with .5 it is 30 and 11."""


def name_weights(idf: Floats, frequencies: Ints) -> Floats:
    """Return how much each word of a question counts in a name, from `_LEAST_IN_NAME` to 1.

    It is 1 for a word of mean idf or more. The mean is over the words that occur, because words
    that do not have the highest idf. `frequencies` are the numbers of chunks with the words.
    """
    known = idf[frequencies > 0]
    mean = max(float(known.mean()), 1e-6) if len(known) else 1.0
    shares = np.minimum(idf / mean, 1.0)
    weights: Floats = (_LEAST_IN_NAME + (1 - _LEAST_IN_NAME) * shares).astype(np.float32)
    return weights


def idf_of(count: int, frequency: int) -> float:
    """Return the idf of a word that `frequency` of `count` texts contain."""
    return math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))


def cosine_scores(score: Callable[[Floats], Floats], query: Floats | None, count: int) -> Floats:
    """Return the cosine of each chunk with a vector, as `score` computes it.

    Return `count` zeros if there is no vector.
    """
    return np.zeros(count, dtype=np.float32) if query is None else score(query)


_RUN_STRENGTH = {2: 0.7, 3: 0.8}
"""Strength of a name that is spelt as consecutive words (`cookie jar` for `CookieJar`), by their
number."""
_CAPITALIZED_STRENGTH = 0.5
_WORD_STRENGTH = 0.3
"""Strength of a single word that may be a name by chance; a capitalized word is less likely to
be."""
_MIN_NAME_LENGTH = 2
_MAX_DEFINITIONS = 200
"""Most symbols with one name that are read."""


def find_named_definitions(
    connection: sqlite3.Connection, text: str, names: Sequence[str]
) -> list[NamedDefinition]:
    """Find the symbols that a query names: by its whole text, by identifiers, by adjacent words.

    `names` are the identifiers in the query.
    """
    return [
        NamedDefinition(
            row.file_id,
            row.qualified,
            row.kind,
            row.line,
            strength * KIND_WEIGHT.get(row.kind, 1.0),
        )
        for folded, strength in _name_strengths(text, names).items()
        for row in definitions_by_folded_name(connection, folded, _MAX_DEFINITIONS)
    ]


def _name_strengths(text: str, names: Sequence[str]) -> dict[str, float]:
    """Return {folded name: strength} of the names in a query.

    The strength, 0 to 1, tells how certain it is that the name means a symbol.
    """
    whole = text.strip().strip("\"'`")
    runs = re.findall(r"[\w.]+", text)
    strengths = {_last_name(name): 1.0 for name in names}
    if " " not in whole:
        strengths[_last_name(whole)] = 1.0
    for length, strength in _RUN_STRENGTH.items():
        for start in range(len(runs) - length + 1):
            name = "".join(runs[start : start + length])
            strengths[name] = max(strength, strengths.get(name, 0.0))
    for run in runs:
        strength = _CAPITALIZED_STRENGTH if run[:1].isupper() else _WORD_STRENGTH
        strengths[run] = max(strength, strengths.get(run, 0.0))
    folded: dict[str, float] = {}
    for name, strength in strengths.items():
        key = fold_name(name)
        if len(key) >= _MIN_NAME_LENGTH:
            folded[key] = max(strength, folded.get(key, 0.0))
    return folded


def _last_name(name: str) -> str:
    """Return the last part of a qualified name: `Builder` for `Rack::Builder`."""
    return re.split(r"::|->|[.#/\\]", name.removesuffix("()").rstrip("."))[-1]
