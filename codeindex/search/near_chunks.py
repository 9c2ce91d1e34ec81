"""Find the chunks whose vectors are nearest to a question, without any use of words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
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


@dataclass(frozen=True, slots=True, eq=False)
class ComparedChunks:
    """A question's vector, the cosine of each chunk with it, and their mean and deviation.

    `is_dense` is true if the vectors are the model's, false for token vectors.
    """

    query: Floats
    cosines: Floats
    mean: np.float32
    spread: float
    _: KW_ONLY
    is_dense: bool

    def nearness(self, cosines: Floats) -> Floats:
        """Return by how many standard deviations cosines exceed the mean of all chunks."""
        scaled: Floats = (cosines - self.mean) / self.spread
        return scaled


@dataclass(frozen=True, slots=True)
class NearChunk:
    """A chunk whose vector is near the question's vector.

    `nearness` tells how many standard deviations its cosine is above the mean cosine of all chunks.
    """

    hit: Hit
    nearness: float


def compare_chunks(corpus: Corpus, vectors: QueryVectors) -> ComparedChunks | None:
    """Compare all chunks with a question; return None if there are no vectors.

    The model's vectors are compared if the corpus has them, otherwise token vectors.
    """
    for stored, query in ((corpus.dense, vectors.dense), (corpus.token, vectors.token)):
        if query is not None and len(stored.present) and stored.present.any():
            cosines = stored.scores(query)
            spread = max(float(cosines.std()), 1e-6)
            is_dense = query is vectors.dense
            return ComparedChunks(query, cosines, cosines.mean(), spread, is_dense=is_dense)
    return None


def near_chunks(
    catalog: Catalog,
    corpus: Corpus,
    compared: ComparedChunks,
    filters: Filters,
    *,
    repo: str,
    most: int,
) -> list[NearChunk]:
    """Return the `most` chunks whose vectors are nearest to a question, nearest first.

    Chunks of tests and of generated files are left out.
    """
    cosines, nearness = compared.cosines, compared.nearness(compared.cosines)
    allowed = file_mask(corpus, filters) & ~corpus.is_test & ~corpus.is_generated
    positions = np.flatnonzero(allowed[corpus.chunk_file])
    order = corpus.sorted_by(nearness, positions)[:most]
    ranked = [
        RankedChunk(int(corpus.chunk_ids[at]), float(np.clip(cosines[at], 0.0, 1.0)))
        for at in order.tolist()
    ]
    hits = read_hits(catalog, ranked, repo=repo)
    return [
        NearChunk(hit, float(nearness[at])) for hit, at in zip(hits, order.tolist(), strict=True)
    ]


def text_nearness(
    corpus: Corpus, compared: ComparedChunks, encoders: QueryEncoders
) -> Callable[[Sequence[str]], list[float]]:
    """Return a function that tells how near texts are to a question, like `NearChunk.nearness`.

    It computes vectors of the kind that was compared, of at most 128 tokens of a text; with the
    model, a text of 60 tokens takes about 7 ms.
    """

    def nearness(texts: Sequence[str]) -> list[float]:
        safe = [SafeText(text) for text in texts]
        if encoders.dense is not None and compared.is_dense:
            rows = encoders.dense.embedder().documents(safe, max_tokens=_MOST_TOKENS)
        elif encoders.static is not None and corpus.statistics is not None:
            rows = text_vectors(safe, corpus.statistics, encoders.static)
        else:
            return [0.0] * len(safe)
        values: list[float] = compared.nearness(rows @ compared.query).tolist()
        return values

    return nearness
