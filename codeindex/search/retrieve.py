"""Retrievers: each gives every chunk, or a few files, a raw score for one query."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
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
"""Of body, path and name in BM25: what ranking.md's prototype used as repeated terms."""
_MOST_TERMS = 24
"""Words of a long query that are looked up, rarest first: each costs 1 ms per 1,000 chunks hit."""


@dataclass(frozen=True, slots=True, eq=False)
class WordScores:
    """BM25 of every chunk, and the share of the query's idf whose words it has, by where."""

    bm25: Floats
    anywhere: Floats
    names: Floats
    path: Floats


def word_scores(catalog: Catalog, corpus: Corpus, terms: Sequence[str]) -> WordScores:
    """Sum BM25 term by term, which tells coverage too."""
    count = len(corpus.chunk_ids)
    bm25, anywhere, names, path = (np.zeros(count, dtype=np.float32) for _ in range(4))
    hits = [(term, *_hits(catalog, corpus, term)) for term in terms]
    hits.sort(key=lambda hit: len(hit[1]))
    total = 0.0
    for term, positions, scores in hits[:_MOST_TERMS]:
        idf = math.log(1 + (count - len(positions) + 0.5) / (len(positions) + 0.5))
        total += idf
        bm25[positions] += scores
        anywhere[positions] += idf
        if len(positions):
            names[_where(catalog, corpus, "name", term)] += idf
            path[_where(catalog, corpus, "path", term)] += idf
    total = max(total, 1e-6)
    return WordScores(bm25, anywhere / total, names / total, path / total)


def _hits(catalog: Catalog, corpus: Corpus, term: str) -> tuple[Ints, Floats]:
    rows = catalog.connection.execute(
        "SELECT rowid, -bm25(words, ?, ?, ?) FROM words WHERE words MATCH ?",
        (*_COLUMN_WEIGHTS, f'"{term}"'),
    ).fetchall()
    if not rows:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
    ids, scores = zip(*rows, strict=True)
    return corpus.positions(np.array(ids, dtype=np.int64)), np.array(scores, dtype=np.float32)


def _where(catalog: Catalog, corpus: Corpus, column: str, term: str) -> Ints:
    """Return the chunks that have a word in one column of the words table."""
    rows = catalog.connection.execute(
        "SELECT rowid FROM words WHERE words MATCH ?", (f'{column} : "{term}"',)
    )
    return corpus.positions(np.fromiter((one for (one,) in rows), dtype=np.int64))


@dataclass(frozen=True, slots=True)
class Definition:
    """A symbol whose name a query says; `strength` is 1 when it is the query."""

    file_id: int
    symbol: str
    kind: str
    line: int
    strength: float


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
}
"""How much a definition of a kind is what people mean by a name; 1 for the rest."""


def definitions(catalog: Catalog, text: str, names: Sequence[str]) -> list[Definition]:
    """Find the symbols that a query names: as a whole, as identifiers, or as words run together."""
    wanted: dict[str, float] = {}
    runs = [word for word in "".join(c if c.isalnum() or c in "_." else " " for c in text).split()]
    for name, strength in _candidates(text, names, runs):
        folded = fold(name)
        if len(folded) > 1:
            wanted[folded] = max(strength, wanted.get(folded, 0.0))
    found = []
    for folded, strength in wanted.items():
        rows = catalog.connection.execute(
            "SELECT file_id, qualified, kind, line FROM symbols WHERE folded = ? LIMIT 200",
            (folded,),
        )
        found += [
            Definition(file, symbol, kind, line, strength * _KIND_STRENGTH.get(kind, 1.0))
            for file, symbol, kind, line in rows
        ]
    return found


def _candidates(
    text: str, names: Sequence[str], runs: Sequence[str]
) -> list[tuple[str, float]]:
    whole = text.strip().strip("\"'`")
    last = [name.replace("::", ".").replace("#", ".").replace("->", ".") for name in names]
    out = [(whole, 1.0)] if " " not in whole else []
    out += [(name.rpartition(".")[2].removesuffix("()"), 1.0) for name in [whole.replace("::", "."), *last] if " " not in name]
    out += [(a + b, 0.7) for a, b in pairwise(runs)]
    out += [(a + b + c, 0.8) for a, b, c in zip(runs, runs[1:], runs[2:])]
    out += [(run, 0.5 if run[:1].isupper() else 0.3) for run in runs if len(run) > 2]
    return out


def cosine(
    vectors: Callable[[Floats], Floats], query: Floats | None, count: int
) -> Floats:
    """Score every chunk against a query vector; zeros without one."""
    if query is None:
        return np.zeros(count, dtype=np.float32)
    return vectors(query)
