"""Logistic regression, by which calls and tests are judged."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

_MAX_ODDS = 30.0
"""Maximum of the logarithm of the odds, above or below 0, so that `exp` does not overflow."""


def logistic_likelihood(features: Sequence[float], weights: Sequence[float]) -> float:
    """Return the likelihood, 0 to 1, for features and the weights of a logistic regression."""
    odds = sum(weight * value for weight, value in zip(weights, features, strict=True))
    return 1 / (1 + exp(-max(-_MAX_ODDS, min(_MAX_ODDS, odds))))
