"""Retrievers: each gives every chunk, or a few files, a raw score for one query."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from codeindex.search.corpus import Corpus
from codeindex.store.catalog import Catalog
from codeindex.words import fold

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Ints = npt.NDArray[np.int64]

_COLUMN_WEIGHTS = (1.0, 2.0, 2.0)
"""Of body, path and name in BM25; between 1 and 4 dev scores differ by less than .003."""
_MOST_TERMS = 24
"""Words of a long query that are looked up, rarest first."""
_FREQUENT = 1000
_FREQUENT_SHARE = 0.05
"""A word in more chunks than both is scored by its idf alone: `bm25()` costs 1.5 µs a chunk, a bare
list a quarter, and how often such a word stands in a chunk hardly moves a rank."""


@dataclass(frozen=True, slots=True, eq=False)
class WordScores:
    """BM25 of every chunk, and the share of the query's idf whose words it has, by where."""

    bm25: Floats
    anywhere: Floats
    path: Floats


def word_scores(catalog: Catalog, corpus: Corpus, terms: Sequence[str]) -> WordScores:
    """Sum BM25 term by term, which tells coverage too."""
    count = len(corpus.chunk_ids)
    bm25, anywhere, path = (np.zeros(count, dtype=np.float32) for _ in range(3))
    total = 0.0
    for term, frequency in _rarest(catalog, terms):
        idf = math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))
        total += idf
        if not frequency:
            continue
        if frequency > max(_FREQUENT, _FREQUENT_SHARE * count):
            positions = _chunks_with(catalog, corpus, f'"{term}"')
            bm25[positions] += idf  # what one occurrence in a chunk of average length is worth
        else:
            positions, scores = _scored(catalog, corpus, term)
            bm25[positions] += scores
        anywhere[positions] += idf
        path[_chunks_with(catalog, corpus, f'path : "{term}"')] += idf
    total = max(total, 1e-6)
    return WordScores(bm25, anywhere / total, path / total)


def _rarest(catalog: Catalog, terms: Sequence[str]) -> list[tuple[str, int]]:
    """Return the rarest terms with the number of chunks that have them, rarest first."""
    counted = [(term, catalog.frequency(term)) for term in terms]
    return sorted(counted, key=lambda one: one[1])[:_MOST_TERMS]


def _scored(catalog: Catalog, corpus: Corpus, term: str) -> tuple[Ints, Floats]:
    rows = catalog.connection.execute(
        "SELECT rowid, -bm25(words, ?, ?, ?) FROM words WHERE words MATCH ?",
        (*_COLUMN_WEIGHTS, f'"{term}"'),
    ).fetchall()
    if not rows:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
    ids, scores = zip(*rows, strict=True)
    return corpus.positions(np.array(ids, dtype=np.int64)), np.array(scores, dtype=np.float32)


def _chunks_with(catalog: Catalog, corpus: Corpus, match: str) -> Ints:
    """Return where the chunks stand that an FTS5 expression matches."""
    rows = catalog.connection.execute("SELECT rowid FROM words WHERE words MATCH ?", (match,))
    return corpus.positions(np.fromiter((one for (one,) in rows), dtype=np.int64))


@dataclass(frozen=True, slots=True)
class Definition:
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
_KIND_STRENGTH = {
    "impl": 0.5,
    "namespace": 0.6,
    "module": 0.6,
    "variable": 0.6,
    "field": 0.4,
    "property": 0.5,
    "enum_member": 0.5,
    "constructor": 0.5,
    "section": 0.2,
    "test": 0.2,
}
"""How much a definition of a kind is what people mean by a name; 1 for the rest."""


def definitions(catalog: Catalog, text: str, names: Sequence[str]) -> list[Definition]:
    """Find the symbols that a query names: as a whole, as identifiers, or as words run together."""
    found = []
    for folded, strength in _named(text, names).items():
        rows = catalog.connection.execute(
            "SELECT file_id, qualified, kind, line FROM symbols WHERE folded = ? LIMIT ?",
            (folded, _MOST_DEFINITIONS),
        )
        found += [
            Definition(file, symbol, kind, line, strength * _KIND_STRENGTH.get(kind, 1.0))
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
class Scores:
    """What all retrievers gave for one query."""

    terms: tuple[str, ...]
    words: WordScores
    dense: Floats
    token: Floats
    defined: tuple[Definition, ...]


def cosine(score: Callable[[Floats], Floats], query: Floats | None, count: int) -> Floats:
    """Score every chunk against a query vector; zeros without one."""
    return np.zeros(count, dtype=np.float32) if query is None else score(query)
