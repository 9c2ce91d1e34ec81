"""Fit the ranker's weights: `python tests/benchmarks/fit.py EVALS REPOS... [--write]`.

Pairwise logistic regression: within a query, each target should outscore each of its 40 hardest
other candidates. One row of weights is shared by all kinds of questions; each kind may differ from
it at a price (L2 on the difference), so that few queries move it little. Every repository is left
out once; the table printed is of queries whose repository the weights have not seen.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from pprint import pformat

import numpy as np
import numpy.typing as npt
from devset import EVIDENCE, Candidates, collect, ndcg10, queries

from codeindex.search.signals import SIGNALS
from codeindex.search.weights import Asked, Evidence

Vector = npt.NDArray[np.float64]
KINDS: tuple[Asked, ...] = ("symbol", "how", "other")
SHARED_L2 = 0.3
OWN_L2 = 2.0
"""Chosen by leave-one-repository-out on dev among 0.1, 0.3, 1, 3, 10."""
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
    return (one.rows[targets][:, None] - one.rows[hardest][None]).reshape(-1, one.rows.shape[1])


def _descend(pairs: Sequence[tuple[Asked, Vector]]) -> dict[Asked, Vector]:
    """Minimise the mean loss of the queries by Nesterov's accelerated gradient descent."""
    width = pairs[0][1].shape[1]
    state = np.zeros(4 * width)  # the shared row, then what each kind adds to it
    stacked = np.concatenate([p for _, p in pairs]).astype(np.float64)
    weight = np.concatenate([np.full(len(p), 1 / len(p)) for _, p in pairs]) / len(pairs)
    kind_of = np.concatenate([np.full(len(p), KINDS.index(kind)) for kind, p in pairs])
    penalty = np.concatenate([np.full(width, SHARED_L2), np.full(3 * width, OWN_L2)]) / len(pairs)
    velocity = state.copy()
    for step in range(STEPS):
        parts = velocity.reshape(4, width)
        margin = np.einsum("ij,ij->i", stacked, (parts[0] + parts[1:])[kind_of])
        pull = weight / (1 + np.exp(np.clip(margin, -50, 50)))
        gradient = np.zeros((4, width))
        for at in range(3):
            gradient[at + 1] = -(pull[kind_of == at] @ stacked[kind_of == at])
        gradient[0] = gradient[1:].sum(axis=0)
        following = velocity - 2.0 * (gradient.ravel() + penalty * velocity)
        velocity = following + step / (step + 3) * (following - state)
        state = following
    parts = state.reshape(4, width)
    return {kind: parts[0] + parts[at + 1] for at, kind in enumerate(KINDS)}


def left_out(found: Sequence[Candidates]) -> list[float]:
    """Score each query with weights that were fitted without its repository."""
    scores = []
    for repo in sorted({one.query.repo for one in found}):
        rows = fit([one for one in found if one.query.repo != repo])
        scores += [ndcg10(one, rows[one.asked]) for one in found if one.query.repo == repo]
    return scores


def report(found: Sequence[Candidates]) -> str:
    ordered = sorted(found, key=lambda one: one.query.repo)
    scores = np.array(left_out(ordered))
    cells = [f"all {scores.mean():.3f}"]
    for category in sorted({one.query.category for one in ordered}):
        mask = np.array([one.query.category == category for one in ordered])
        cells.append(f"{category} {scores[mask].mean():.3f}")
    reach = np.mean([one.relevant.sum() / len(one.query.relevant) for one in ordered])
    return "  ".join([*cells, f"(targets among candidates {reach:.3f})"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("evals", type=Path)
    parser.add_argument("repos", type=Path, nargs="+")
    parser.add_argument("--write", type=Path, help="print the table of weights into this file")
    args = parser.parse_args()
    wanted = queries(args.evals)
    found = [collect(repos, wanted) for repos in args.repos]
    table: dict[Evidence, dict[Asked, tuple[float, ...]]] = {}
    for evidence in EVIDENCE:
        for repos, one in zip(args.repos, found, strict=True):
            print(f"{evidence:6} {repos.name:10} {report(one[evidence])}")
        rows = fit([candidates for one in found for candidates in one[evidence]])
        table[evidence] = {kind: tuple(np.round(rows[kind], 2).tolist()) for kind in KINDS}
        for at, name in enumerate(SIGNALS):
            print(f"  {name:12}", *(f"{table[evidence][kind][at]:7.2f}" for kind in KINDS))
    if args.write:
        args.write.write_text(pformat(table, width=100, sort_dicts=False), encoding="utf-8")


if __name__ == "__main__":
    main()
