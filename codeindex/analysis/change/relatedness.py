"""Weigh the signals of a related file."""

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
"""Fitted by `tests/benchmarks/cochange.py --fit` to what changed together in celery and httpx.

Documents of these two mention almost no code, so `mentioned_by` is a guess.
"""


def relatedness(signals: Mapping[str, Signal]) -> float:
    """Return the weighted sum of the signals."""
    return sum(SIGNAL_WEIGHTS[name] * signal.strength for name, signal in signals.items())
