"""Rerank the first results with a cross-encoder, which reads query and text together.

It is off by default, because general cross-encoders made the ranking of code worse in published
comparisons; `models.lock` contains none. The results of queries for a name keep their order.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from codeindex.errors import ModelError
from codeindex.query.classify import Classification, QueryType
from codeindex.search.rank.ranker import RankedChunk
from codeindex.store.catalog.chunks import stored_chunks
from codeindex.types import Hit

RERANKER_SIGNAL = "reranker"
"""The key of the score in a hit's `why`, and of the report in the answer's `meta`."""


@dataclass(frozen=True, slots=True)
class Reranker:
    """A cross-encoder with its scoring function; it reads the first `top` results.

    `score(query, texts)` raises ModelError if the model is absent or damaged.
    """

    model: str
    top: int
    score: Callable[[str, Sequence[str]], Sequence[float]]


@dataclass(frozen=True, slots=True)
class RerankResult:
    """The results in their new order, and entries for the answer's `meta`.

    `scores` maps the id of each chunk that the model has read to the model's score.
    """

    ranked: tuple[RankedChunk, ...]
    scores: Mapping[int, float]
    meta: Mapping[str, Any]


def rerank_chunks(
    connection: sqlite3.Connection,
    ranked: tuple[RankedChunk, ...],
    *,
    query: str,
    question: Classification,
    reranker: Reranker | None,
) -> RerankResult:
    """Sort the first results by the reranker; if it fails, keep the order and say so in `meta`."""
    if reranker is None or question.type is QueryType.SYMBOL or not ranked:
        return RerankResult(ranked, {}, {})
    first = ranked[: reranker.top]
    try:
        scores = reranker.score(query, _texts(connection, first))
    except ModelError as error:
        failure = {"model": reranker.model or None, "failed": str(error)}
        return RerankResult(ranked, {}, {RERANKER_SIGNAL: failure})
    by_chunk = {hit.chunk_id: score for hit, score in zip(first, scores, strict=True)}
    order = sorted(first, key=lambda hit: -by_chunk[hit.chunk_id])  # stable: ties keep their order
    meta = {RERANKER_SIGNAL: {"model": reranker.model, "read": len(first)}}
    return RerankResult((*order, *ranked[len(first) :]), by_chunk, meta)


def add_reranker_scores(
    hits: Sequence[Hit], ranked: Sequence[RankedChunk], result: RerankResult
) -> list[Hit]:
    """Add the reranker's score to `why` of each hit that the reranker has read."""
    return [
        replace(hit, why={**hit.why, RERANKER_SIGNAL: round(result.scores[chunk.chunk_id], 3)})
        if chunk.chunk_id in result.scores
        else hit
        for hit, chunk in zip(hits, ranked, strict=True)
    ]


def _texts(connection: sqlite3.Connection, ranked: Sequence[RankedChunk]) -> list[str]:
    """Return the text of each result for the model: a line with path and name, then the code."""
    chunks = stored_chunks(connection, [hit.chunk_id for hit in ranked])
    ordered = [chunks[hit.chunk_id] for hit in ranked]
    return [f"{it.path} {it.heading or it.symbol}\n{it.text}" for it in ordered]
