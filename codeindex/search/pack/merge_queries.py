"""Merge the answers to several queries into one answer."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

from codeindex.types import Answer, Hit, RefreshResult


def merge_queries(answers: Mapping[str, Answer], *, limit: int) -> Answer:
    """Merge the answers of several queries, keyed by query, into one with each hit once.

    Hits are ordered by the probability that they answer at least one query; `why` of a hit has its
    probability for each query. There is no next page, so there is no cursor.
    """
    hits_by_place: dict[tuple[str, str, int, int], dict[str, Hit]] = defaultdict(dict)
    for query, answer in answers.items():
        for hit in answer.hits:
            hits_by_place[hit.repo, hit.path, hit.start_line, hit.end_line][query] = hit
    hits = sorted(map(_merge_hit, hits_by_place.values()), key=lambda hit: -hit.score)
    docs = {
        (doc.path, doc.start_line): doc for answer in answers.values() for doc in answer.navigation
    }
    first = next(
        (answer for answer in answers.values() if answer.hits), next(iter(answers.values()))
    )
    return replace(
        first,
        query=" | ".join(answers),
        hits=tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits[:limit])),
        navigation=tuple(docs.values()),
        total_count=len(hits),
        cursor=None,
        confidence=answers[next(iter(hits[0].why))].confidence if hits else None,
        missing_words=tuple(
            dict.fromkeys(w for answer in answers.values() for w in answer.missing_words)
        ),
        refreshed=reduce(RefreshResult.and_then, (answer.refreshed for answer in answers.values())),
    )


def _merge_hit(by_query: Mapping[str, Hit]) -> Hit:
    score = 1 - math.prod(1 - hit.score for hit in by_query.values())
    why = {query: round(hit.score, 3) for query, hit in by_query.items()}
    return replace(next(iter(by_query.values())), score=score, why=why)
