"""Compute ranking metrics, and confidence intervals of their means by bootstrap."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

RANK_CUTOFF = 10
_SAMPLES = 2_000
"""Number of bootstrap samples, which gives 95 % intervals to about two digits."""
_SEED = 0
"""Fixed, so that the same questions give the same interval."""
_TAILS = (0.025, 0.975)


CodeSpan = tuple[str, int, int]
"""Path, first and last line of a hit or function; both lines are included."""
_MIN_OVERLAP = 0.75
_MAX_SHORT_HIT = 60
_MAX_LENGTH_RATIO = 3
"""Limits for a hit that covers a function. They equal those of the benchmark score_places.py, so
that results can be compared."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        mean, low, high = (f"{value:.3f}".lstrip("0") for value in (self.mean, self.low, self.high))
        return f"{mean} [{low} {high}]"


@dataclass(frozen=True, slots=True)
class RankingQuality:
    """NDCG@10, mean reciprocal rank, and recall@10."""

    ndcg: float
    mrr: float
    recall: float


def ranking_quality(order: Sequence[int], targets: Collection[int]) -> RankingQuality:
    """Return the metrics of a ranking of files in which the files in `targets` are relevant."""
    ranks = [rank for rank, number in enumerate(order, 1) if number in targets]
    within = [rank for rank in ranks if rank <= RANK_CUTOFF]
    gain = sum(1 / np.log2(rank + 1) for rank in within)
    ideal = sum(1 / np.log2(rank + 1) for rank in range(1, min(RANK_CUTOFF, len(targets)) + 1))
    return RankingQuality(
        ndcg=float(gain / ideal) if ideal else 0.0,
        mrr=1 / ranks[0] if ranks else 0.0,
        recall=len(within) / len(targets) if targets else 0.0,
    )


def covers_function(hit: CodeSpan, function: CodeSpan) -> bool:
    """Tell whether a hit shows a function: the function, part of it, or slightly more than it.

    Either three quarters of the hit's lines are in the function. Or the hit contains the function's
    first line, and has at most 60 lines or at most three times as many as the function.
    """
    path, first, last = hit
    other, start, end = function
    if path != other:
        return False
    size = last - first + 1
    if min(last, end) - max(first, start) + 1 >= _MIN_OVERLAP * size:
        return True
    return first <= start <= last and size <= max(
        _MAX_SHORT_HIT, _MAX_LENGTH_RATIO * (end - start + 1)
    )


def match_functions(hits: Iterable[CodeSpan], functions: Collection[CodeSpan]) -> list[int]:
    """Return for each hit the index of the function that it shows, -1 for none.

    `covers_function` decides. Each function counts only for the first hit that shows it. Indices
    refer to the sorted functions.
    """
    left = dict(enumerate(sorted(functions)))
    order = []
    for hit in hits:
        result = next((at for at, function in left.items() if covers_function(hit, function)), -1)
        left.pop(result, None)
        order.append(result)
    return order


def function_quality(hits: Iterable[CodeSpan], functions: Collection[CodeSpan]) -> RankingQuality:
    """Return the metrics of hits, judged by the functions that they cover; each counts once."""
    order = match_functions(hits, functions)
    return ranking_quality(order, set(range(len(functions))))


def bootstrap_mean(values: Sequence[float], groups: Sequence[object]) -> Estimate:
    """Return the mean with its interval, by a cluster bootstrap that resamples whole groups."""
    if not values:
        return Estimate(0.0, 0.0, 0.0)
    places = {group: at for at, group in enumerate(dict.fromkeys(groups))}
    group_of = np.array([places[group] for group in groups])
    sums = np.bincount(group_of, weights=np.asarray(values, dtype=np.float64))
    sizes = np.bincount(group_of).astype(np.float64)
    drawn = np.random.default_rng(_SEED).integers(0, len(sums), (_SAMPLES, len(sums)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, _TAILS)
    return Estimate(float(np.mean(values)), float(low), float(high))
