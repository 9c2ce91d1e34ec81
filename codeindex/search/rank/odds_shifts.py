"""Shift the odds of tests and navigation documents by the settings of a repository."""

from __future__ import annotations

import math
from dataclasses import dataclass

from codeindex.config import Config

_FITTED = Config()
"""The default settings: with them, the fitted weights of the ranker are used unchanged."""
_LOWEST = -50.0
"""The shift for a weight of 0: the ranker clips log-odds to this value."""


@dataclass(frozen=True, slots=True)
class OddsShifts:
    """Numbers that are added to log-odds.

    `test` is for chunks in tests, `navigation` for sections of navigation documents.
    """

    test: float = 0.0
    navigation: float = 0.0


NO_SHIFTS = OddsShifts()


def odds_shifts(config: Config) -> OddsShifts:
    """Return log(setting / default) of `test_weight` and `navigation_doc_boost`.

    Added to log-odds, it multiplies the odds by setting / default.
    """
    return OddsShifts(
        _shift(config.test_weight, _FITTED.test_weight),
        _shift(config.navigation_doc_boost, _FITTED.navigation_doc_boost),
    )


def _shift(weight: float, fitted: float) -> float:
    return max(math.log(weight / fitted), _LOWEST) if weight else _LOWEST
