"""Fit rank weights to a repository's questions by regularized logistic regression.

The regression is pairwise, as in `tests/benchmarks/fit.py`: it compares each relevant file with the
irrelevant files of the same question that have the highest scores. An L2 penalty limits the
distance from the shipped weights. Weights of query-independent features (test, example, generated,
data, prose) stay fixed: they express what people want to see, which commit messages and docstrings
do not reveal.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from codeindex.evaluation.metrics import ranking_quality
from codeindex.search.rank.features import FILE_FEATURES
from codeindex.types.array_types import Doubles, Flags

if TYPE_CHECKING:
    from codeindex.evaluation.benchmark import RankerCandidates
    from codeindex.search.weight_rows import FileWeightRow


_FIXED_FEATURES = frozenset({"test", "example", "generated", "data", "prose"})
_MAX_NEGATIVES = 40
_STEPS = 200
_ROUNDS = 2
"""Numbers of irrelevant files, of steps and of rounds are as in `fit.py`, where higher numbers
changed nothing."""
REGULARIZATION_STRENGTHS = (0.001, 0.003, 0.01, 0.03)
"""L2 penalties to try; for comparison, the mean loss per question is about 0.3. From 0.1 on,
weights hardly move. On celery, the smallest penalty gained most."""


def fit_weights(
    candidate_sets: Sequence[RankerCandidates], shipped: FileWeightRow, strength: float
) -> FileWeightRow:
    """Return (weights of the file features, bias), fitted to the questions of the candidates.

    `strength` is the L2 penalty on the distance from the shipped weights. Scores keep the scale of
    the shipped weights.
    """
    start = _with_place_weight(shipped)
    free = np.array(
        [*(ranking_feature.name not in _FIXED_FEATURES for ranking_feature in FILE_FEATURES), False]
    )
    kinds = Counter(candidate_set.question.kind for candidate_set in candidate_sets)
    row = start.copy()
    for _ in range(_ROUNDS):
        pairs = [
            (1 / kinds[candidate_set.question.kind], _feature_differences(candidate_set, row))
            for candidate_set in candidate_sets
        ]
        weighted_pairs = [(share / len(kinds), pair) for share, pair in pairs if len(pair)]
        if not weighted_pairs:
            return shipped
        row = _minimize_loss(weighted_pairs, start, free, strength)
    return tuple(row[:-1].tolist()), _rescaled_bias(candidate_sets, start, row, shipped[1])


def _with_place_weight(row: FileWeightRow) -> Doubles:
    """Return the weights of all columns of `RankerCandidates.rows`.

    The last column, the best place, has weight 1.
    """
    return np.array([*row[0], 1.0])


def _feature_differences(candidate_set: RankerCandidates, row: Doubles) -> Doubles:
    """Return how relevant files differ from the irrelevant files that rank highest.

    The result has a row of feature differences for each pair of such files. `row` has the weights
    by which the files are ranked.
    """
    rows = candidate_set.rows.astype(np.float64)
    rivals = np.flatnonzero(~candidate_set.relevant)
    hardest = rivals[np.argsort(-(rows[rivals] @ row), kind="stable")[:_MAX_NEGATIVES]]
    right = rows[np.flatnonzero(candidate_set.relevant)]
    return (right[:, None] - rows[hardest][None]).reshape(-1, rows.shape[1])


def _minimize_loss(
    pairs: Sequence[tuple[float, Doubles]], start: Doubles, free: Flags, strength: float
) -> Doubles:
    """Return the weights with the least loss, by accelerated gradient descent (Nesterov).

    `pairs` are (weight, feature differences) of each question. The descent starts at `start`, the
    shipped weights; only weights marked by `free` change. `strength` is the L2 penalty.
    """
    stacked = np.concatenate([pair for _, pair in pairs])
    weight = np.concatenate([np.full(len(pair), share / len(pair)) for share, pair in pairs])
    # The second derivative of the logistic loss is at most x**2 / 4: a Lipschitz constant.
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


def _rescaled_bias(
    candidate_sets: Sequence[RankerCandidates], before: Doubles, row: Doubles, bias: float
) -> float:
    """Return the bias with which the mean of the questions' best scores is as before tuning.

    `before` and `row` are the weights before and after tuning. Scores of several repositories are
    compared, so tuning must not raise the scores of one of them.
    """
    tops = [
        float((candidate_set.rows @ before).max() - (candidate_set.rows @ row).max())
        for candidate_set in candidate_sets
        if len(candidate_set.rows)
    ]
    return bias + math.fsum(tops) / len(tops) if tops else bias


def candidates_ndcg(candidate_set: RankerCandidates, row: FileWeightRow) -> float:
    """Return NDCG@10 of the candidates when they are ordered by a row of weights.

    Relevant files that are not among the candidates count as not found.
    """
    order = np.argsort(-(candidate_set.rows @ _with_place_weight(row)), kind="stable")
    right = set(np.flatnonzero(candidate_set.relevant).tolist())
    missed = len(candidate_set.question.targets) - len(right)
    return ranking_quality(order.tolist(), right | {-1 - at for at in range(missed)}).ndcg


def choose_regularization(
    candidate_sets: Sequence[RankerCandidates], shipped: FileWeightRow
) -> float:
    """Return the strongest L2 penalty that gives nearly the best weights.

    The results are cross-validated on two folds of the files; "nearly" means within one standard
    error. The questions are only a sample of what people ask, so weights should move no further
    than necessary.
    """
    parts = [
        [known for known in candidate_sets if min(known.question.targets) % 2 == at]
        for at in (0, 1)
    ]
    if not all(parts):
        return REGULARIZATION_STRENGTHS[-1]
    scores = {
        strength: _cross_validate(parts, shipped, strength) for strength in REGULARIZATION_STRENGTHS
    }
    best = max(scores.values(), key=lambda values: float(values.mean()))
    return max(
        strength for strength in REGULARIZATION_STRENGTHS if _is_no_worse(scores[strength], best)
    )


def _cross_validate(
    parts: Sequence[Sequence[RankerCandidates]], shipped: FileWeightRow, strength: float
) -> Doubles:
    values: list[float] = []
    for at, fit in enumerate(parts):
        row = fit_weights(fit, shipped, strength)
        values += [candidates_ndcg(candidate_set, row) for candidate_set in parts[1 - at]]
    return np.array(values)


def _is_no_worse(values: Doubles, best: Doubles) -> bool:
    lost = best - values
    return float(lost.mean()) <= float(lost.std()) / math.sqrt(len(lost))
