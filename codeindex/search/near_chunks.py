"""Find the chunks whose vectors are nearest to a question, without any use of words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from codeindex.search.filters import file_mask
from codeindex.search.pipeline import QueryVectors, read_hits
from codeindex.search.rank.ranker import RankedChunk
from codeindex.types import Filters, Hit
from codeindex.types.array_types import Floats

if TYPE_CHECKING:
    from codeindex.search.retrieve.corpus import Corpus
    from codeindex.store.catalog.connection import Catalog


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
    cosines = _cosines(corpus, vectors)
    if cosines is None:
        return []
    nearness = (cosines - cosines.mean()) / max(float(cosines.std()), 1e-6)
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


def _cosines(corpus: Corpus, vectors: QueryVectors) -> Floats | None:
    """Return the cosine of each chunk with the question; None if there are no vectors."""
    for stored, query in ((corpus.dense, vectors.dense), (corpus.token, vectors.token)):
        if query is not None and len(stored.present) and stored.present.any():
            return stored.scores(query)
    return None
