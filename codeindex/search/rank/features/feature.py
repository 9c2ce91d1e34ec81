"""Define the type of a ranking feature, and the decorator that registers a feature."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from codeindex.types.array_types import Floats

Level = Literal["file", "place"]


@dataclass(frozen=True, slots=True)
class RankingFeature:
    """A function that computes a number, mostly 0 to 1, for each candidate file or place.

    A place is a chunk that may be shown as a hit. `compute` takes `CandidateFiles` or
    `CandidatePlaces` and returns one value for each. `prior` is its weight in log-odds if no weight
    is fitted.
    """

    name: str
    level: Level
    prior: float
    compute: Callable[[Any], Floats]


def register_feature(
    features: list[RankingFeature], level: Level, prior: float
) -> Callable[[Callable[[Any], Floats]], Callable[[Any], Floats]]:
    """Return a decorator that adds a function to `features`, under the function's own name.

    `prior` is its weight in log-odds if no weight is fitted.
    """

    def decorate(compute: Callable[[Any], Floats]) -> Callable[[Any], Floats]:
        features.append(RankingFeature(compute.__name__, level, prior, compute))
        return compute

    return decorate


def feature_matrix(features: list[RankingFeature], candidates: Any) -> Floats:
    """Return the values of all features, shape (candidates, features)."""
    columns = [np.asarray(feature.compute(candidates), dtype=np.float32) for feature in features]
    return np.stack(columns, axis=1)
