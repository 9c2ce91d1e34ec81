"""Rank chunks by their similarity to a piece of code: by vectors and by rare words in common."""

from __future__ import annotations

import numpy as np

from codeindex.errors import QueryError
from codeindex.query.validation import MOST_RESULTS
from codeindex.search.filters import file_mask
from codeindex.search.pipeline import filter_by_kind
from codeindex.search.rank.ranker import RankedChunk, ScorePart
from codeindex.search.retrieve.corpus import Corpus
from codeindex.search.retrieve.scores import score_words
from codeindex.store.catalog.chunks import chunk_texts
from codeindex.store.catalog.connection import Catalog
from codeindex.store.catalog.files import check_line
from codeindex.text.words import query_words
from codeindex.types import Filters
from codeindex.types.array_types import Floats

_VECTOR_SHARE = 0.7
"""Weight of the vectors in a score; the words have the rest. Set by reading answers."""
_MAX_CANDIDATES = 1000
"""Most chunks that are kept before the filter by kind."""


def rank_similar(
    catalog: Catalog, corpus: Corpus, place: tuple[str, int], filters: Filters
) -> list[RankedChunk]:
    """Rank chunks by their similarity to the chunk at `place`, a (path, line).

    Chunks that overlap that chunk are left out.
    """
    chunk = _chunk_at(corpus, *place)
    cosines, words = _cosines(corpus, chunk), _shared_words(catalog, corpus, chunk)
    vector_share = _VECTOR_SHARE if cosines.any() else 0.0
    scores = vector_share * cosines + (1 - vector_share) * words
    first, last = corpus.chunk_lines[:, 0], corpus.chunk_lines[:, 1]
    overlaps = (corpus.chunk_file == corpus.chunk_file[chunk]) & (
        (first <= last[chunk]) & (last >= first[chunk])
    )
    allowed = file_mask(corpus, filters)[corpus.chunk_file] & ~overlaps & (scores > 0)
    positions = np.flatnonzero(allowed)
    order = corpus.sorted_by(scores, positions)
    ranked = [
        RankedChunk(
            int(corpus.chunk_ids[position]),
            float(scores[position]),
            extra_parts=(
                ScorePart("dense", float(cosines[position]), vector_share),
                ScorePart("words_best", float(words[position]), 1 - vector_share),
            ),
        )
        for position in order[:_MAX_CANDIDATES].tolist()
    ]
    return filter_by_kind(catalog, ranked, filters.kinds)[:MOST_RESULTS]


def _chunk_at(corpus: Corpus, path: str, line: int) -> int:
    """Return the position in the corpus of the smallest chunk that contains a line of a file.

    Raise QueryError if none does.
    """
    if path not in corpus.paths:
        raise QueryError(f"'{path}' is not indexed: see `codeindex files` for what is.")
    file = corpus.paths.index(path)
    first, last = corpus.chunk_lines[:, 0], corpus.chunk_lines[:, 1]
    chunks = np.flatnonzero((corpus.chunk_file == file) & (first <= line) & (line <= last))
    if not len(chunks):
        check_line(path, line, int(corpus.lines[file]))
        raise QueryError(f"'{path}' has no text at line {line}.")
    return int(chunks[np.argmin(last[chunks] - first[chunks])])


def _cosines(corpus: Corpus, chunk: int) -> Floats:
    """Return the cosine of each chunk with `chunk`, a position in the corpus; shape (chunks,).

    The model's vectors are compared, or token vectors if the chunk has no vector of the model.
    Without either, all cosines are zero.
    """
    for vectors in (corpus.dense, corpus.token):
        if len(vectors.present) and vectors.present[chunk]:
            cosines: Floats = np.clip(vectors.scores(vectors.row(chunk)), 0.0, 1.0)
            return cosines
    return np.zeros(len(corpus.chunk_ids), dtype=np.float32)


def _shared_words(catalog: Catalog, corpus: Corpus, chunk: int) -> Floats:
    """Return how well each chunk matches the words of `chunk`, by BM25; 1 for the chunk itself.

    `chunk` is a position in the corpus.
    """
    ((_, text),) = chunk_texts(catalog.connection, [int(corpus.chunk_ids[chunk])])
    bm25 = score_words(corpus.words, tuple(query_words(text))).bm25
    shares: Floats = np.clip(bm25 / max(float(bm25[chunk]), 1e-6), 0.0, 1.0)
    return shares
