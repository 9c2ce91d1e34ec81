"""Compute how closely a file is related, from its signals."""

from __future__ import annotations

from collections.abc import Mapping

from codeindex.analysis.change.signals import Signal

SIGNAL_WEIGHTS = {
    "imports": 0.2,
    "imported_by": 0.7,
    "uses": 0.3,
    "used_by": 0.1,
    "mentioned_by": 0.3,
    "shares": 0.75,
    "named_alike": 1.6,
    "same_folder": 0.6,
    "changes_with": 6.6,
}
"""The weight of each signal.

Fitted by `tests/benchmarks/cochange.py --fit` to the files that changed together in celery and
httpx. The documents of these two repositories mention almost no code, so the weight of
`mentioned_by` is a guess.
"""


def relatedness(signals: Mapping[str, Signal]) -> float:
    """Return how related a file is: the weighted sum of its signals, given by name."""
    return sum(SIGNAL_WEIGHTS[name] * signal.strength for name, signal in signals.items())
