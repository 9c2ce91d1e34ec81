"""What is like a piece of code: by vectors, and by the words that few others have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from codeindex.errors import QueryError
from codeindex.query.validation import MOST_RESULTS
from codeindex.search.filters import file_mask
from codeindex.search.pipeline import filter_by_kind
from codeindex.search.rank.ranker import RankedChunk, ScorePart
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.retrieve.scores import score_words
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.files import check_line
from codeindex.text.words import query_words
from codeindex.types import Filters

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

_NEAR = 0.7
"""Share of the vectors in a score; the words have the rest. Set by looking at answers."""
_LOOKED_AT = 1000
"""Chunks that a filter by kind has to choose from."""


def rank_similar(
    catalog: Catalog, corpus: Corpus, place: tuple[str, int], filters: Filters
) -> list[RankedChunk]:
    """Order the chunks that are like the one at a line, without those that overlap it."""
    at = _chunk_at(corpus, *place)
    near, words = _nearness(corpus, at), _shared_words(catalog, corpus, at)
    vectors = _NEAR if near.any() else 0.0
    scores = vectors * near + (1 - vectors) * words
    first, last = corpus.chunk_lines[:, 0], corpus.chunk_lines[:, 1]
    itself = (corpus.chunk_file == corpus.chunk_file[at]) & (
        (first <= last[at]) & (last >= first[at])
    )
    allowed = file_mask(corpus, filters)[corpus.chunk_file] & ~itself & (scores > 0)
    positions = np.flatnonzero(allowed)
    order = positions[np.lexsort((positions, -scores[positions]))]
    ranked = [
        RankedChunk(
            int(corpus.chunk_ids[one]),
            float(scores[one]),
            extra_parts=(
                ScorePart("dense", float(near[one]), vectors),
                ScorePart("words_best", float(words[one]), 1 - vectors),
            ),
        )
        for one in order[:_LOOKED_AT].tolist()
    ]
    kept = filter_by_kind(catalog, ranked, filters.kinds) if filters.kinds else ranked
    return kept[:MOST_RESULTS]


def _chunk_at(corpus: Corpus, path: str, line: int) -> int:
    """Return where the smallest chunk with this line stands."""
    if path not in corpus.paths:
        raise QueryError(f"'{path}' is not indexed: see `codeindex files` for what is.")
    first, last = corpus.chunk_lines[:, 0], corpus.chunk_lines[:, 1]
    mine = corpus.chunk_file == corpus.paths.index(path)
    found = np.flatnonzero(mine & (first <= line) & (line <= last))
    if not len(found):
        check_line(path, line, int(corpus.lines[corpus.paths.index(path)]))
        raise QueryError(f"'{path}' has no text at line {line}.")
    return int(found[np.argmin(last[found] - first[found])])


def _nearness(corpus: Corpus, at: int) -> Floats:
    """Return every chunk's cosine with one: of the model's vectors, else of the token vectors."""
    for vectors in (corpus.dense, corpus.token):
        if len(vectors.present) and vectors.present[at]:
            cosines: Floats = np.clip(vectors.scores(vectors.row(at)), 0.0, 1.0)
            return cosines
    return np.zeros(len(corpus.chunk_ids), dtype=np.float32)


def _shared_words(catalog: Catalog, corpus: Corpus, at: int) -> Floats:
    """Return every chunk's BM25 for the words of one, as a share of what itself has."""
    (text,) = catalog.connection.execute(
        "SELECT text FROM chunks WHERE id = ?", (int(corpus.chunk_ids[at]),)
    ).fetchone()
    bm25 = score_words(corpus.words, tuple(query_words(text))).bm25
    shares: Floats = np.clip(bm25 / max(float(bm25[at]), 1e-6), 0.0, 1.0)
    return shares
