"""Merge the answers to several queries into one list."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

from codeindex.types import Answer, Hit, RefreshResult


def merge_queries(answers: Mapping[str, Answer], *, limit: int) -> Answer:
    """Return each hit once, by the probability that it answers any of the queries.

    `why` has the probability for each query. There is no cursor, since there is no next page.
    """
    found: dict[tuple[str, str, int, int], dict[str, Hit]] = defaultdict(dict)
    for query, answer in answers.items():
        for hit in answer.hits:
            found[hit.repo, hit.path, hit.start_line, hit.end_line][query] = hit
    hits = sorted(map(_one, found.values()), key=lambda hit: -hit.score)
    docs = {(doc.path, doc.start_line): doc for one in answers.values() for doc in one.navigation}
    first = next((one for one in answers.values() if one.hits), next(iter(answers.values())))
    return replace(
        first,
        query=" | ".join(answers),
        hits=tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits[:limit])),
        navigation=tuple(docs.values()),
        total_count=len(hits),
        cursor=None,
        confidence=answers[next(iter(hits[0].why))].confidence if hits else None,
        missing_words=tuple(
            dict.fromkeys(w for one in answers.values() for w in one.missing_words)
        ),
        refreshed=reduce(RefreshResult.and_then, (one.refreshed for one in answers.values())),
    )


def _one(by_query: Mapping[str, Hit]) -> Hit:
    score = 1 - math.prod(1 - hit.score for hit in by_query.values())
    why = {query: round(hit.score, 3) for query, hit in by_query.items()}
    return replace(next(iter(by_query.values())), score=score, why=why)
