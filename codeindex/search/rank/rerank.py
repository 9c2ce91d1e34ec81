"""A second look at the first results, by a model that reads question and text together.

It is off by default: general cross-encoders made the ranking of code worse elsewhere, and no entry
of models.lock is one. Questions for a name keep their order, which words and definitions settle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from codeindex.errors import ModelError
from codeindex.query.classify import Classification, QueryType
from codeindex.search.rank.ranker import RankedChunk
from codeindex.store.catalog.connection import Catalog
from codeindex.types import Hit

RERANKER_SIGNAL = "reranker"
"""What the score is called among the signals of a hit, and in the answer's `meta`."""


@dataclass(frozen=True, slots=True)
class Reranker:
    """The id of a model, how many results it reads, and what gives the scores of texts.

    `score` raises ModelError for a model that is absent or damaged.
    """

    model: str
    top: int
    score: Callable[[str, Sequence[str]], Sequence[float]]


@dataclass(frozen=True, slots=True)
class RerankResult:
    """A new order, the scores of those that were read, and what there is to say of it."""

    ranked: tuple[RankedChunk, ...]
    scores: Mapping[int, float]
    meta: Mapping[str, Any]


def rerank_chunks(
    catalog: Catalog,
    ranked: tuple[RankedChunk, ...],
    *,
    query: str,
    question: Classification,
    by: Reranker | None,
) -> RerankResult:
    """Order the first results by their scores; as they were, and a sentence, if the model fails."""
    if by is None or question.type is QueryType.SYMBOL or not ranked:
        return RerankResult(ranked, {}, {})
    first = ranked[: by.top]
    try:
        scores = by.score(query, [_text(catalog, one) for one in first])
    except ModelError as error:
        return RerankResult(
            ranked, {}, {RERANKER_SIGNAL: {"model": by.model or None, "failed": str(error)}}
        )
    known = {one.chunk_id: score for one, score in zip(first, scores, strict=True)}
    order = sorted(first, key=lambda one: -known[one.chunk_id])  # of equals the better ranked first
    meta = {RERANKER_SIGNAL: {"model": by.model, "read": len(first)}}
    return RerankResult((*order, *ranked[len(first) :]), known, meta)


def add_reranker_scores(
    hits: Sequence[Hit], ranked: Sequence[RankedChunk], found: RerankResult
) -> list[Hit]:
    """Add to the signals of hits what the model said of them."""
    return [
        replace(hit, why={**hit.why, RERANKER_SIGNAL: round(found.scores[one.chunk_id], 3)})
        if one.chunk_id in found.scores
        else hit
        for hit, one in zip(hits, ranked, strict=True)
    ]


def _text(catalog: Catalog, one: RankedChunk) -> str:
    """Return what the model reads of a result: its place and name, then the text."""
    path, symbol, heading, text = catalog.connection.execute(
        "SELECT f.path, c.symbol, c.heading, c.text FROM chunks c JOIN files f ON f.id = c.file_id"
        " WHERE c.id = ?",
        (one.chunk_id,),
    ).fetchone()
    return f"{path} {heading or symbol}\n{text}"
