"""Compare a query's nearest vector with the nearest vectors of topics that code is never about.

Cosines have no scale that models or indexes share. With one model, the nearest chunk to an
unrelated topic has a mean cosine of .20 in a repository of 200 chunks and of .36 in one of 7,000;
with another model, .14 and .22. Measured in standard deviations of these topics, the benchmark's
questions are above the mean for every model that was measured (codeindex/docs/quality.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from codeindex.types.array_types import Floats

UNRELATED_TOPICS = (
    *("rhubarb compote sweetness", "knitting needle gauge", "opera soprano rehearsal"),
    *("trombone slide lubricant", "lighthouse fog horn", "giraffe feeding enclosure"),
    *("trampoline spring stiffness", "orthodontist braces tightening", "tulip bulb planting"),
    *("plumber leaking faucet", "saxophone reed moisture", "badminton racket stringing"),
    *("mushroom spore counting", "fencing sabre duel", "waffle batter thickness"),
    *("ostrich egg hatching", "kayak paddle length", "quilt stitching density"),
    *("panda bamboo diet", "escalator handrail speed", "pottery kiln glaze"),
    *("ballet pirouette balance", "sauna steam temperature", "cheese rind ageing"),
    *("cattle vaccination record", "submarine sonar calibration", "pharmacy prescription refill"),
    *("wedding guest seating", "volcano eruption alert", "dinosaur fossil classification"),
    *("warehouse forklift routing", "insulin pump dosage"),
)
"""Topics of 32 trades. Few repositories are about one of them, and none is about most of them."""
_LEAST_SPREAD = 1e-4
"""Least standard deviation that is divided by, because vectors are rounded in the fourth
decimal."""


def relative_nearness(nearest: float, unrelated: Floats) -> float:
    """Return how many standard deviations `nearest` is above the mean of `unrelated`.

    `nearest` is the highest cosine of the query with any chunk. `unrelated` has the same for each
    of the unrelated topics; the standard deviation is that of `unrelated`.
    """
    spread = max(float(unrelated.std()), _LEAST_SPREAD)
    return (nearest - float(unrelated.mean())) / spread


def query_nearness(cosines: Floats, cosines_of_text: Callable[[str], Floats]) -> float:
    """Return how near the nearest chunk is to the query, as `relative_nearness` does.

    It is minus infinity without vectors. `cosines` has the query's cosine with each chunk;
    `cosines_of_text` returns the cosines of another text and is called for each of
    `UNRELATED_TOPICS`.
    """
    nearest = float(cosines.max(initial=0.0))
    if nearest <= 0:
        return -math.inf
    return relative_nearness(nearest, nearest_to_topics(cosines_of_text))


def nearest_to_topics(cosines_of_text: Callable[[str], Floats]) -> Floats:
    """Return for each of `UNRELATED_TOPICS` its highest cosine with a chunk, at least 0."""
    nearest = [cosines_of_text(topic).max(initial=0.0) for topic in UNRELATED_TOPICS]
    return np.array(nearest, dtype=np.float32)
