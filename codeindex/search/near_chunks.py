"""Find the chunks nearest in meaning to a question, by vectors alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from codeindex.search.filters import file_mask
from codeindex.search.pipeline import QueryVectors, read_hits
from codeindex.search.rank.ranker import RankedChunk
from codeindex.types import Filters, Hit

if TYPE_CHECKING:
    import numpy.typing as npt

    from codeindex.search.retrieve.corpus import Corpus
    from codeindex.store.catalog.connection import Catalog

    Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class NearChunk:
    """A chunk whose vector is near a question's vector.

    `nearness` tells how far its cosine is above the mean of all chunks, in standard deviations.
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
    """Return the `most` chunks that are nearest to a question, nearest first.

    Chunks of tests and of generated files are left out. The model's vectors are compared if the
    corpus has them, otherwise the token vectors; without either the list is empty.
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
    """Return each chunk's cosine with the question, or None without vectors."""
    for stored, query in ((corpus.dense, vectors.dense), (corpus.token, vectors.token)):
        if query is not None and len(stored.present) and stored.present.any():
            return stored.scores(query)
    return None
