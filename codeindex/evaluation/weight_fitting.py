"""Fitting one row of weights to a repository's questions, held to the shipped row.

As `tests/benchmarks/fit.py` does it for all: pairwise logistic regression, each right file against
the hardest wrong ones of its question. What a weight moves away from the shipped one costs its
square. Weights of what a file is whatever is asked (test, example, generated, data, prose) stay:
they say what people want to see, which neither messages nor docstrings know.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from codeindex.evaluation.metrics import ranking_quality
from codeindex.search.rank.features import FILE_FEATURES

if TYPE_CHECKING:
    import numpy.typing as npt

    from codeindex.evaluation.benchmark import RankerCandidates
    from codeindex.search.weight_rows import FileWeightRow

    Vector = npt.NDArray[np.float64]

_HELD = frozenset({"test", "example", "generated", "data", "prose"})
_HARDEST = 40
_STEPS = 200
_ROUNDS = 2
"""As in `fit.py`, where more of either changed nothing."""
REGULARIZATION_STRENGTHS = (0.001, 0.003, 0.01, 0.03)
"""Prices of a squared distance from the shipped row that are tried, beside a mean loss a question
of about 0.3; from 0.1 on, hardly anything moves. On celery the least of them gained most."""


def fit_weights(
    seen: Sequence[RankerCandidates], shipped: FileWeightRow, strength: float
) -> FileWeightRow:
    """Return the row that ranks these questions better; its scores keep their scale."""
    start = _with_place(shipped)
    free = np.array([*(one.name not in _HELD for one in FILE_FEATURES), False])
    kinds = Counter(one.question.kind for one in seen)
    row = start.copy()
    for _ in range(_ROUNDS):
        pairs = [(1 / kinds[one.question.kind], _pairs(one, row)) for one in seen]
        known = [(share / len(kinds), pair) for share, pair in pairs if len(pair)]
        if not known:
            return shipped
        row = _descended(known, start, free, strength)
    return tuple(row[:-1].tolist()), _bias(seen, start, row, shipped[1])


def _with_place(row: FileWeightRow) -> Vector:
    """Return the weights of `Candidates.rows`: those of files, and 1 for the best place."""
    return np.array([*row[0], 1.0])


def _pairs(one: RankerCandidates, row: Vector) -> Vector:
    """Return what every right file has more than each of its hardest rivals."""
    rows = one.rows.astype(np.float64)
    rivals = np.flatnonzero(~one.relevant)
    hardest = rivals[np.argsort(-(rows[rivals] @ row), kind="stable")[:_HARDEST]]
    right = rows[np.flatnonzero(one.relevant)]
    return (right[:, None] - rows[hardest][None]).reshape(-1, rows.shape[1])


def _descended(
    pairs: Sequence[tuple[float, Vector]],
    start: Vector,
    free: npt.NDArray[np.bool_],
    strength: float,
) -> Vector:
    """Minimise the loss by Nesterov's accelerated gradient descent from the shipped row."""
    stacked = np.concatenate([pair for _, pair in pairs])
    weight = np.concatenate([np.full(len(pair), share / len(pair)) for share, pair in pairs])
    # a logistic loss bends by a quarter of the square of what it is of, at most
    bend = np.linalg.eigvalsh((stacked * weight[:, None]).T @ stacked)[-1] / 4 + 2 * strength
    rate = 1 / max(float(bend), 1e-6)
    state = velocity = start.copy()
    for step in range(_STEPS):
        pull = weight / (1 + np.exp(np.clip(stacked @ velocity, -50, 50)))
        gradient = 2 * strength * (velocity - start) - pull @ stacked
        following = velocity - rate * np.where(free, gradient, 0.0)
        velocity = following + step / (step + 3) * (following - state)
        state = following
    return state


def _bias(seen: Sequence[RankerCandidates], before: Vector, row: Vector, bias: float) -> float:
    """Return the bias that leaves the best candidates' odds where they were on average.

    Scores of several repositories are compared, so one that is tuned must not rise above others.
    """
    tops = [
        float((one.rows @ before).max() - (one.rows @ row).max()) for one in seen if len(one.rows)
    ]
    return bias + math.fsum(tops) / len(tops) if tops else bias


def candidates_ndcg(one: RankerCandidates, row: FileWeightRow) -> float:
    """Judge the order that a row gives a question's candidates, of all that it should find."""
    order = np.argsort(-(one.rows @ _with_place(row)), kind="stable")
    right = set(np.flatnonzero(one.relevant).tolist())
    missed = len(one.question.targets) - len(right)
    return ranking_quality(order.tolist(), right | {-1 - at for at in range(missed)}).ndcg


def choose_regularization(seen: Sequence[RankerCandidates], shipped: FileWeightRow) -> float:
    """Choose the highest price that is no worse than the best one by more than a standard error.

    Each is tried on the quarter of the files that it was not fitted on. What these questions ask is
    not all that people do, so a row moves no further than it must.
    """
    parts = [[one for one in seen if min(one.question.targets) % 2 == at] for at in (0, 1)]
    if not all(parts):
        return REGULARIZATION_STRENGTHS[-1]
    scores = {strength: _crossed(parts, shipped, strength) for strength in REGULARIZATION_STRENGTHS}
    best = max(scores.values(), key=lambda values: float(values.mean()))
    return max(one for one in REGULARIZATION_STRENGTHS if _is_no_worse(scores[one], best))


def _crossed(
    parts: Sequence[Sequence[RankerCandidates]], shipped: FileWeightRow, strength: float
) -> Vector:
    values: list[float] = []
    for at, fit in enumerate(parts):
        row = fit_weights(fit, shipped, strength)
        values += [candidates_ndcg(one, row) for one in parts[1 - at]]
    return np.array(values)


def _is_no_worse(values: Vector, best: Vector) -> bool:
    lost = best - values
    return float(lost.mean()) <= float(lost.std()) / math.sqrt(len(lost))
