"""What somebody sees of the lines that answer who reads hits in their order, so many lines.

The measures are those of SWE-Explore (arXiv 2606.07297), on other questions: there the core is what
agents that solved an issue have read, here the lines of the functions that a commit changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from codeindex.evaluation.metrics import CodeSpan

BUDGETS = (100, 300, 500)


@dataclass(frozen=True, slots=True)
class Reading:
    """Shares from 0 to 1, of one question and one budget.

    `recall` is the share of core lines that are shown, `efficiency` the share of shown lines that
    are core. `ndcg` has a gain of 1 for each core line shown, discounted by its place among the
    lines; the ideal shows core lines alone.
    """

    recall: float
    ndcg: float
    efficiency: float


def reading(hits: Iterable[CodeSpan], core: Collection[CodeSpan], budget: int) -> Reading:
    """Judge the first `budget` lines of hits; a line that was shown before is not shown again."""
    wanted = set(_each(core))
    shown = list(islice(dict.fromkeys(_each(hits)), budget))
    gains = [line in wanted for line in shown]
    right = sum(gains)
    ideal = _discounted([True] * min(len(wanted), budget))
    return Reading(
        recall=right / len(wanted),
        ndcg=_discounted(gains) / ideal,
        efficiency=right / len(shown) if shown else 0.0,
    )


def _each(spans: Iterable[CodeSpan]) -> Iterator[tuple[str, int]]:
    for path, first, last in spans:
        yield from ((path, line) for line in range(first, last + 1))


def _discounted(gains: Sequence[bool]) -> float:
    return float((np.array(gains, float) / np.log2(np.arange(len(gains)) + 2)).sum())
