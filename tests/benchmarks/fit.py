"""Fit the ranker's weights: `python tests/benchmarks/fit.py EVALS REPOS... [--write FILE]`.

Pairwise logistic regression: within a query, each target should outscore each of its 40 hardest
other candidates. One row of weights is shared by all kinds of questions; each kind may differ from
it at a price (L2 on the difference), so that few queries move it little. Every repository is left
out once; the scores printed are of queries whose repository the weights have not seen. Each REPOS
is a folder of work trees: the same repositories cut to their main folder and whole make better
weights together than either alone.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from devset import EVIDENCE, Candidates, collect, ndcg10, queries

from codeindex.search.signals import SIGNALS
from codeindex.search.weights import Asked

Vector = npt.NDArray[np.float64]
KINDS: tuple[Asked, ...] = ("symbol", "how", "other")
SHARED_L2 = 0.3
OWN_L2 = 1.0
"""Chosen by leave-one-repository-out on dev among 0.03 to 10; between 0.1 and 1 scores differ by
less than .004 and in no order."""
PRIORS = {"generated": -1.0}
"""What a weight is pulled towards instead of 0: no dev query has generated code among its
candidates, and people do not look for it."""
HARDEST = 40
STEPS = 300
ROUNDS = 3
"""The hardest candidates are chosen anew so many times."""


def fit(found: Sequence[Candidates]) -> dict[Asked, Vector]:
    """Return a row of weights for each kind of question."""
    width = found[0].rows.shape[1]
    rows = {kind: np.zeros(width) for kind in KINDS}
    for _ in range(ROUNDS):
        pairs = [_pairs(one, rows[one.asked]) for one in found]
        kept = [(one.asked, p) for one, p in zip(found, pairs, strict=True) if len(p)]
        rows = _descend(kept)
    return rows


def _pairs(one: Candidates, weights: Vector) -> Vector:
    """Return signal differences of every target to each of its hardest rivals."""
    scores = one.rows @ weights
    rivals = np.flatnonzero(~one.relevant)
    hardest = rivals[np.argsort(-scores[rivals], kind="stable")[:HARDEST]]
    targets = np.flatnonzero(one.relevant)
    rows = one.rows.astype(np.float64)
    return (rows[targets][:, None] - rows[hardest][None]).reshape(-1, rows.shape[1])


def _descend(pairs: Sequence[tuple[Asked, Vector]]) -> dict[Asked, Vector]:
    """Minimise the mean loss of the queries by Nesterov's accelerated gradient descent."""
    width = pairs[0][1].shape[1]
    state = np.zeros(4 * width)  # the shared row, then what each kind adds to it
    stacked = np.concatenate([p for _, p in pairs]).astype(np.float64)
    weight = np.concatenate([np.full(len(p), 1 / len(p)) for _, p in pairs]) / len(pairs)
    kind_of = np.concatenate([np.full(len(p), KINDS.index(kind)) for kind, p in pairs])
    penalty = np.concatenate([np.full(width, SHARED_L2), np.full(3 * width, OWN_L2)]) / len(pairs)
    prior = np.zeros(4 * width)
    prior[:width] = [PRIORS.get(name, 0.0) for name in SIGNALS[:width]]
    velocity = state.copy()
    for step in range(STEPS):
        parts = velocity.reshape(4, width)
        margin = np.einsum("ij,ij->i", stacked, (parts[0] + parts[1:])[kind_of])
        pull = weight / (1 + np.exp(np.clip(margin, -50, 50)))
        gradient = np.zeros((4, width))
        for at in range(3):
            gradient[at + 1] = -(pull[kind_of == at] @ stacked[kind_of == at])
        gradient[0] = gradient[1:].sum(axis=0)
        following = velocity - 2.0 * (gradient.ravel() + penalty * (velocity - prior))
        velocity = following + step / (step + 3) * (following - state)
        state = following
    parts = state.reshape(4, width)
    return {kind: parts[0] + parts[at + 1] for at, kind in enumerate(KINDS)}


def calibrated(found: Sequence[Candidates], rows: dict[Asked, Vector]) -> tuple[float, float]:
    """Return slope and bias that turn sums into log-odds of being a target (damped Newton)."""
    sums = np.concatenate([one.rows @ rows[one.asked] for one in found])
    relevant = np.concatenate([one.relevant for one in found])
    features = np.stack([sums, np.ones_like(sums)], axis=1)
    signs = np.where(relevant, 1.0, -1.0)

    def loss(at: Vector) -> float:
        return float(np.logaddexp(0, -signs * (features @ at)).sum())

    share = relevant.mean()
    state = np.array([0.0, np.log(share / (1 - share))])
    for _ in range(100):
        chance = 1 / (1 + np.exp(-np.clip(features @ state, -50, 50)))
        curvature = (features * (chance * (1 - chance))[:, None]).T @ features
        step = np.linalg.solve(curvature + 1e-6 * np.eye(2), features.T @ (relevant - chance))
        while loss(state + step) > loss(state) and np.abs(step).max() > 1e-9:
            step /= 2
        state = state + step
    return float(state[0]), float(state[1])


def table_of(found: Sequence[Candidates]) -> dict[str, dict[str, float]]:
    """Fit on everything and return what weights.json holds for one kind of evidence."""
    rows = fit(found)
    slope, bias = calibrated(found, rows)
    return {
        kind: {
            "bias": round(bias, 2),
            **{
                name: round(float(w * slope), 2)
                for name, w in zip(SIGNALS, rows[kind], strict=True)
            },
        }
        for kind in KINDS
    }


def left_out(found: Sequence[Candidates], seen: Sequence[Candidates]) -> list[float]:
    """Score each query of `found` with weights fitted on what `seen` has of other repositories."""
    rows = {
        repo: fit([one for one in seen if one.query.repo != repo])
        for repo in {one.query.repo for one in found}
    }
    return [ndcg10(one, rows[one.query.repo][one.asked]) for one in found]


def report(found: Sequence[Candidates], seen: Sequence[Candidates]) -> str:
    scores = np.array(left_out(found, seen))
    cells = [f"all {scores.mean():.3f}"]
    for category in sorted({one.query.category for one in found}):
        mask = np.array([one.query.category == category for one in found])
        cells.append(f"{category} {scores[mask].mean():.3f}")
    reach = np.mean([one.relevant.sum() / len(one.query.relevant) for one in found])
    return "  ".join([*cells, f"(targets among candidates {reach:.3f})"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("evals", type=Path)
    parser.add_argument("repos", type=Path, nargs="+")
    parser.add_argument("--write", type=Path, help="write weights.json here")
    args = parser.parse_args()
    wanted = queries(args.evals)
    found = [collect(repos, wanted) for repos in args.repos]
    table = {}
    for evidence in EVIDENCE:
        seen = [one for every in found for one in every[evidence]]
        for repos, every in zip(args.repos, found, strict=True):
            print(f"{evidence:6} {repos.name:10} {report(every[evidence], seen)}")
        table[evidence] = table_of(seen)
        for name in ("bias", *SIGNALS):
            print(f"  {name:12}", *(f"{table[evidence][kind][name]:7.2f}" for kind in KINDS))
    if args.write:
        args.write.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
