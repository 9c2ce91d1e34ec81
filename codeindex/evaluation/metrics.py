"""How good an order is, and how sure one can be of a mean."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Vector = npt.NDArray[np.float64]

TOP = 10
_SAMPLES = 2_000
_SEED = 0
"""The same questions give the same interval."""
_TAILS = (0.025, 0.975)


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
class Quality:
    """NDCG and recall of the first ten, and one through the rank of the first right one."""

    ndcg: float
    mrr: float
    recall: float


def quality(order: Sequence[int], targets: Collection[int]) -> Quality:
    """Judge an order of files; each right one counts the same."""
    ranks = [rank for rank, one in enumerate(order, 1) if one in targets]
    within = [rank for rank in ranks if rank <= TOP]
    gain = sum(1 / np.log2(rank + 1) for rank in within)
    ideal = sum(1 / np.log2(rank + 1) for rank in range(1, min(TOP, len(targets)) + 1))
    return Quality(
        ndcg=float(gain / ideal) if ideal else 0.0,
        mrr=1 / ranks[0] if ranks else 0.0,
        recall=len(within) / len(targets) if targets else 0.0,
    )


def quality_of_rank(rank: int) -> Quality:
    """Judge where the one right thing stands; 0 is nowhere."""
    return quality(range(1, rank + 1), {rank} if rank else {0})


def estimate(values: Sequence[float], groups: Sequence[object]) -> Estimate:
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
