"""Find the chunks whose vectors are nearest to a question, without any use of words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from codeindex.embed.token_vectors import text_vectors
from codeindex.search.filters import file_mask
from codeindex.search.pipeline import QueryVectors, read_hits
from codeindex.search.rank.ranker import RankedChunk
from codeindex.types import Filters, Hit, SafeText
from codeindex.types.array_types import Floats

if TYPE_CHECKING:
    from codeindex.embed.encoder import QueryEncoders
    from codeindex.search.retrieve.corpus import Corpus
    from codeindex.store.catalog.connection import Catalog

_MOST_TOKENS = 128
"""Tokens of a text that is compared: a quote has at most 480 characters."""


@dataclass(frozen=True, slots=True)
class NearChunk:
    """A chunk whose vector is near the question's vector.

    `nearness` tells how many standard deviations its cosine is above the mean cosine of all chunks.
    """

    hit: Hit
    nearness: float


def near_chunks(
    catalog: Catalog,
    corpus: Corpus,
    vectors: QueryVectors,
    filters: Filters,
    *,
    repo: str,
    most: int,
) -> list[NearChunk]:
    """Return the `most` chunks whose vectors are nearest to a question, nearest first.

    Chunks of tests and of generated files are left out. The model's vectors are compared if the
    corpus has them, otherwise token vectors; the list is empty if it has neither.
    """
    compared = _cosines(corpus, vectors)
    if compared is None:
        return []
    cosines, _ = compared
    nearness = _standardize(cosines, cosines)
    allowed = file_mask(corpus, filters) & ~corpus.is_test & ~corpus.is_generated
    positions = np.flatnonzero(allowed[corpus.chunk_file])
    order = positions[np.lexsort((positions, -nearness[positions]))][:most]
    ranked = [
        RankedChunk(int(corpus.chunk_ids[at]), float(np.clip(cosines[at], 0.0, 1.0)))
        for at in order.tolist()
    ]
    hits = read_hits(catalog, ranked, repo=repo)
    return [
        NearChunk(hit, float(nearness[at])) for hit, at in zip(hits, order.tolist(), strict=True)
    ]


def text_nearness(
    corpus: Corpus, vectors: QueryVectors, encoders: QueryEncoders
) -> Callable[[Sequence[str]], list[float]] | None:
    """Return a function that tells how near texts are to a question, like `NearChunk.nearness`.

    It computes vectors of the kind that `near_chunks` compares, of at most 128 tokens of a text;
    with the model, a text of 60 tokens takes about 7 ms. Return None if there are no such vectors.
    """
    compared = _cosines(corpus, vectors)
    if compared is None:
        return None
    cosines, query = compared

    def nearness(texts: Sequence[str]) -> list[float]:
        safe = [SafeText(text) for text in texts]
        if encoders.dense is not None and query is vectors.dense:
            rows = encoders.dense.embedder().documents(safe, max_tokens=_MOST_TOKENS)
        elif encoders.static is not None and corpus.statistics is not None:
            rows = text_vectors(safe, corpus.statistics, encoders.static)
        else:
            return [0.0] * len(safe)
        values: list[float] = _standardize(rows @ query, cosines).tolist()
        return values

    return nearness


def _standardize(values: Floats, cosines: Floats) -> Floats:
    """Return by how many standard deviations values exceed the mean of all chunks' cosines."""
    scaled: Floats = (values - cosines.mean()) / max(float(cosines.std()), 1e-6)
    return scaled


def _cosines(corpus: Corpus, vectors: QueryVectors) -> tuple[Floats, Floats] | None:
    """Return the cosine of each chunk with the question, and the question's vector.

    Return None if there are no vectors.
    """
    for stored, query in ((corpus.dense, vectors.dense), (corpus.token, vectors.token)):
        if query is not None and len(stored.present) and stored.present.any():
            return stored.scores(query), query
    return None
