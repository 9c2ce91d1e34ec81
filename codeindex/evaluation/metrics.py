"""How good an order is, and how sure one can be of a mean."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Vector = npt.NDArray[np.float64]

RANK_CUTOFF = 10
_SAMPLES = 2_000
_SEED = 0
"""The same questions give the same interval."""
_TAILS = (0.025, 0.975)


LineSpan = tuple[str, int, int]
"""A path, and the first and last line of a hit or of a function; both are included."""
_INSIDE = 0.75
_SHORT = 60
_TIMES = 3
"""As the benchmark's score_places.py counts, so that figures of places compare."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its bootstrap interval of 95 %."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        mean, low, high = (f"{one:.3f}".lstrip("0") for one in (self.mean, self.low, self.high))
        return f"{mean} [{low} {high}]"


@dataclass(frozen=True, slots=True)
class RankingQuality:
    """NDCG and recall of the first ten, and one through the rank of the first right one."""

    ndcg: float
    mrr: float
    recall: float


def ranking_quality(order: Sequence[int], targets: Collection[int]) -> RankingQuality:
    """Judge an order of files; each right one counts the same."""
    ranks = [rank for rank, one in enumerate(order, 1) if one in targets]
    within = [rank for rank in ranks if rank <= RANK_CUTOFF]
    gain = sum(1 / np.log2(rank + 1) for rank in within)
    ideal = sum(1 / np.log2(rank + 1) for rank in range(1, min(RANK_CUTOFF, len(targets)) + 1))
    return RankingQuality(
        ndcg=float(gain / ideal) if ideal else 0.0,
        mrr=1 / ranks[0] if ranks else 0.0,
        recall=len(within) / len(targets) if targets else 0.0,
    )


def covers_function(hit: LineSpan, function: LineSpan) -> bool:
    """Tell if a hit is a function, a part of it, or a piece that holds it and is hardly longer.

    Three quarters of its lines lie in the function, or it has the function's first line and at most
    60 lines, or three times those of the function.
    """
    path, first, last = hit
    other, start, end = function
    if path != other:
        return False
    size = last - first + 1
    if min(last, end) - max(first, start) + 1 >= _INSIDE * size:
        return True
    return first <= start <= last and size <= max(_SHORT, _TIMES * (end - start + 1))


def match_functions(hits: Iterable[LineSpan], functions: Collection[LineSpan]) -> list[int]:
    """Return for each hit the number of a function that no hit before it shows, or -1 for none."""
    left = dict(enumerate(sorted(functions)))
    order = []
    for hit in hits:
        found = next((at for at, one in left.items() if covers_function(hit, one)), -1)
        left.pop(found, None)
        order.append(found)
    return order


def function_quality(hits: Iterable[LineSpan], functions: Collection[LineSpan]) -> RankingQuality:
    """Judge hits by the functions that they show; each function counts once."""
    order = match_functions(hits, functions)
    return ranking_quality(order, set(range(len(functions))))


def bootstrap_mean(values: Sequence[float], groups: Sequence[object]) -> Estimate:
    """Average values; those of a group were not drawn one by one, so groups are drawn again."""
    if not values:
        return Estimate(0.0, 0.0, 0.0)
    places = {one: at for at, one in enumerate(dict.fromkeys(groups))}
    group_of = np.array([places[one] for one in groups])
    sums = np.bincount(group_of, weights=np.asarray(values, dtype=np.float64))
    sizes = np.bincount(group_of).astype(np.float64)
    drawn = np.random.default_rng(_SEED).integers(0, len(sums), (_SAMPLES, len(sums)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, _TAILS)
    return Estimate(float(np.mean(values)), float(low), float(high))
