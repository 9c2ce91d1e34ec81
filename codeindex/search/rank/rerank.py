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
from codeindex.search.rank.ranker import Ranked
from codeindex.store.catalog.connection import Catalog
from codeindex.types import Hit

SIGNAL = "reranker"
"""What the score is called among the signals of a hit, and in the answer's `meta`."""


@dataclass(frozen=True, slots=True)
class Reranking:
    """The id of a model, how many results it reads, and what gives the scores of texts.

    `score` raises ModelError for a model that is absent or damaged.
    """

    model: str
    top: int
    score: Callable[[str, Sequence[str]], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Reranked:
    """A new order, the scores of those that were read, and what there is to say of it."""

    ranked: tuple[Ranked, ...]
    scores: Mapping[int, float]
    meta: Mapping[str, Any]


def reranked(
    catalog: Catalog,
    ranked: tuple[Ranked, ...],
    *,
    query: str,
    question: Classification,
    by: Reranking | None,
) -> Reranked:
    """Order the first results by their scores; as they were, and a sentence, if the model fails."""
    if by is None or question.type is QueryType.SYMBOL or not ranked:
        return Reranked(ranked, {}, {})
    first = ranked[: by.top]
    try:
        scores = by.score(query, [_text(catalog, one) for one in first])
    except ModelError as error:
        return Reranked(ranked, {}, {SIGNAL: {"model": by.model or None, "failed": str(error)}})
    known = {one.chunk_id: score for one, score in zip(first, scores, strict=True)}
    order = sorted(first, key=lambda one: -known[one.chunk_id])  # of equals the better ranked first
    meta = {SIGNAL: {"model": by.model, "read": len(first)}}
    return Reranked((*order, *ranked[len(first) :]), known, meta)


def with_scores(hits: Sequence[Hit], ranked: Sequence[Ranked], found: Reranked) -> list[Hit]:
    """Add to the signals of hits what the model said of them."""
    return [
        replace(hit, why={**hit.why, SIGNAL: round(found.scores[one.chunk_id], 3)})
        if one.chunk_id in found.scores
        else hit
        for hit, one in zip(hits, ranked, strict=True)
    ]


def _text(catalog: Catalog, one: Ranked) -> str:
    """Return what the model reads of a result: its place and name, then the text."""
    path, symbol, heading, text = catalog.connection.execute(
        "SELECT f.path, c.symbol, c.heading, c.text FROM chunks c JOIN files f ON f.id = c.file_id"
        " WHERE c.id = ?",
        (one.chunk_id,),
    ).fetchone()
    return f"{path} {heading or symbol}\n{text}"
