"""The ranker's one table: a weight for each signal, by what there is to go on and what is asked.

Fitted by `tests/benchmarks/fit.py` (pairwise logistic regression, see there); do not edit by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Evidence = Literal["words", "token", "dense"]
"""Words alone; and token vectors; and the model's vectors."""
Asked = Literal["symbol", "how", "other"]

WEIGHTS: Mapping[Evidence, Mapping[Asked, tuple[float, ...]]] = {}
