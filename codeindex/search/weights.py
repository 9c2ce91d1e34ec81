"""The ranker's one table: a weight for each signal, by what there is to go on and what is asked.

Fitted by `tests/benchmarks/fit.py` (pairwise logistic regression, see there); do not edit by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Evidence = Literal["words", "token", "dense"]
"""Words alone; and token vectors; and the model's vectors."""
Asked = Literal["symbol", "how", "other"]

_ROW = (2.0, 1.4, 1.2, 0.5, 0.5, 3.2, 0.0, 1.2, 0.0, 4.0, 1.8, 1.6, 1.8, -2.8, -1.7, -1.0, -1.0, -1.5, -1.0, -1.2)
WEIGHTS: Mapping[Evidence, Mapping[Asked, tuple[float, ...]]] = {
    "words": {"symbol": _ROW, "how": _ROW, "other": _ROW},
    "token": {"symbol": _ROW, "how": _ROW, "other": _ROW},
    "dense": {"symbol": _ROW, "how": _ROW, "other": _ROW},
}
