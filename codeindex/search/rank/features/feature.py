"""What a feature is, and how modules register theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

Level = Literal["file", "place"]


@dataclass(frozen=True, slots=True)
class RankingFeature:
    """A function that gives each candidate file or place a number, mostly between 0 and 1.

    `compute` takes a `Files` or a `Places` and returns one value for each. `prior` is the weight
    that it has without fitted weights, in log-odds. `summary` is one line for people.
    """

    name: str
    level: Level
    prior: float
    compute: Callable[[Any], Floats]
    summary: str


def register_feature(
    features: list[RankingFeature], level: Level, prior: float
) -> Callable[[Callable[[Any], Floats]], Callable[[Any], Floats]]:
    """Return a decorator that appends a function to a list of features, by the function's name."""

    def decorate(compute: Callable[[Any], Floats]) -> Callable[[Any], Floats]:
        summary = (compute.__doc__ or "").strip().partition("\n")[0]
        features.append(RankingFeature(compute.__name__, level, prior, compute, summary))
        return compute

    return decorate


def feature_matrix(features: list[RankingFeature], candidates: Any, count: int) -> Floats:
    """Return a row for each of `count` candidates and a column for each feature."""
    columns = [np.asarray(one.compute(candidates), dtype=np.float32) for one in features]
    rows: Floats = np.stack(columns, axis=1) if columns else np.zeros((count, 0), dtype=np.float32)
    return rows
