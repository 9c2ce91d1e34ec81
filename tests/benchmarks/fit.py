"""Fit the ranker's weights: `fit.py EVALS REPOS... [--history MIRRORS WORK] [--write FILE]`.

Pairwise logistic regression: within a query, each target should outscore each of its 40 hardest
other candidates. One row of weights is shared by all kinds of questions; each kind may differ from
it at a price (L2 on the difference), so that few queries move it little. Every repository is left
out once; the scores printed are of queries whose repository the weights have not seen. Each REPOS
is a folder of work trees: the same repositories cut to their main folder and whole make better
weights together than either alone. With --history, questions of other repositories' histories
(`yardsticks.py`) are learned from as well, and what each source makes of the other is printed;
with --model by the model's vectors, too.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from devset import EVIDENCE, Candidates, collect, ndcg10, queries
from yardsticks import gather, interval, print_table, scored

from codeindex.search.signals import SIGNALS
from codeindex.search.weights import Asked, Evidence

Vector = npt.NDArray[np.float64]
Rows = npt.NDArray[np.float32]
KINDS: tuple[Asked, ...] = ("symbol", "how", "other")
SHARED_L2 = 0.3
OWN_L2 = 1.0
"""Chosen by leave-one-repository-out on dev among 0.03 to 10; between 0.1 and 1 scores differ by
less than .004 and in no order."""
PRIORS = {"generated": -1.0}
"""What a weight is pulled towards instead of 0: no dev query has generated code among its
candidates, and people do not look for it."""
HARDEST = 40
STEPS = 150
FOLDS = 11
"""As many as the benchmark has repositories; of the histories' repositories a few are left out at
once."""
ROUNDS = 2
"""The hardest candidates are chosen anew so many times."""


def fit(*sources: Sequence[Candidates]) -> dict[Asked, Vector]:
    """Return a row of weights for each kind of question; every question counts alike."""
    every = [one for source in sources for one in source]
    rows = {kind: np.zeros(every[0].rows.shape[1]) for kind in KINDS}
    for _ in range(ROUNDS):
        pairs = [(one.asked, _pairs(one, rows[one.asked])) for one in every]
        rows = _descend([one for one in pairs if len(one[1])], 1 / len(every))
    return rows


def _pairs(one: Candidates, weights: Vector) -> Vector:
    """Return signal differences of every target to each of its hardest rivals."""
    scores = one.rows @ weights
    rivals = np.flatnonzero(~one.relevant)
    hardest = rivals[np.argsort(-scores[rivals], kind="stable")[:HARDEST]]
    targets = np.flatnonzero(one.relevant)
    rows = one.rows.astype(np.float64)
    return (rows[targets][:, None] - rows[hardest][None]).reshape(-1, rows.shape[1])


def _descend(pairs: Sequence[tuple[Asked, Vector]], share: float) -> dict[Asked, Vector]:
    """Minimise the queries' loss, each of this share, by Nesterov's accelerated descent."""
    width = pairs[0][1].shape[1]
    state = np.zeros((4, width))  # the shared row, then what each kind adds to it
    stacks = [_stacked([rows for of, rows in pairs if of == kind], share, width) for kind in KINDS]
    penalty = np.array([SHARED_L2, *[OWN_L2] * 3])[:, None] / len(pairs)
    prior = np.zeros((4, width))
    prior[0] = [PRIORS.get(name, 0.0) for name in SIGNALS[:width]]
    velocity = state.copy()
    for step in range(STEPS):
        gradient = np.zeros((4, width))
        for at, (rows, weight) in enumerate(stacks, 1):
            margin = rows @ (velocity[0] + velocity[at]).astype(np.float32)
            gradient[at] = -((weight / (1 + np.exp(np.clip(margin, -50, 50)))) @ rows)
        gradient[0] = gradient[1:].sum(axis=0)
        following = velocity - 2.0 * (gradient + penalty * (velocity - prior))
        velocity = following + step / (step + 3) * (following - state)
        state = following
    return {kind: state[0] + state[at] for at, kind in enumerate(KINDS, 1)}


def _stacked(pairs: Sequence[Vector], share: float, width: int) -> tuple[Rows, Rows]:
    """Return the pairs of all queries in one, and what each counts."""
    rows = [one.astype(np.float32) for one in pairs]
    shares = [np.full(len(one), share / len(one), np.float32) for one in pairs]
    none = np.zeros((0, width), np.float32)
    return np.concatenate([none, *rows]), np.concatenate([none[:, 0], *shares])


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


def table_of(
    found: Sequence[Candidates], told: Sequence[Candidates]
) -> dict[str, dict[str, float]]:
    """Fit on everything and return what weights.json holds for one kind of evidence."""
    rows = fit(found, told)
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


def rows_without(
    found: Sequence[Candidates], *others: Sequence[Candidates]
) -> dict[str, dict[Asked, Vector]]:
    """Fit for each repository on the rest of `found`, and on all others: in folds if many."""
    repos = sorted({one.query.repo for one in found})
    rows: dict[str, dict[Asked, Vector]] = {}
    for start in range(min(len(repos), FOLDS)):
        fold = repos[start::FOLDS]
        rows |= dict.fromkeys(fold, fit([o for o in found if o.query.repo not in fold], *others))
    return rows


def left_out(found: Sequence[Candidates], seen: Sequence[Candidates]) -> list[float]:
    """Score each query of `found` with weights fitted on what `seen` has of other repositories."""
    rows = rows_without(seen)
    return [ndcg10(one, rows[one.query.repo][one.asked]) for one in found]


def report(found: Sequence[Candidates], rows: dict[str, dict[Asked, Vector]]) -> str:
    """Say how well each query is answered with the weights of its repository."""
    scores = np.array([ndcg10(one, rows[one.query.repo][one.asked]) for one in found])
    low, high = interval(scores, [one.query.repo for one in found])
    cells = [f"all {scores.mean():.3f} [{low:.3f} {high:.3f}]"]
    for category in sorted({one.query.category for one in found}):
        mask = np.array([one.query.category == category for one in found])
        cells.append(f"{category} {scores[mask].mean():.3f}")
    reach = np.mean([one.relevant.sum() / len(one.query.relevant) for one in found])
    return "  ".join([*cells, f"(targets among candidates {reach:.3f})"])


def print_sources(
    tracks: dict[str, list[Candidates]], own: Sequence[Candidates], other: Sequence[Candidates]
) -> dict[str, dict[Asked, Vector]]:
    """Compare weights from the rest of one source, from the other one alone, and from both.

    Returns the last of them.
    """
    repos = {one.query.repo for one in own}
    fits = {"its own": rows_without(own)} if own else {}
    if own and other:
        fits["the other"] = dict.fromkeys(repos, fit(other))
        fits["both"] = rows_without(own, other)
    for source, rows in fits.items():
        for label, found in tracks.items():
            print(f"{label:20} from {source:9}", report(found, rows), flush=True)
    return list(fits.values())[-1] if fits else {}


def print_histories(evidence: Evidence, told: list[Candidates], seen: Sequence[Candidates]) -> None:
    rows = print_sources({f"{evidence} histories": told}, told, seen)
    scores = np.array([scored(one, rows[one.query.repo][one.asked]) for one in told])
    print_table({evidence: told}, lambda _: scores, label="histories from both")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("evals", type=Path)
    parser.add_argument("repos", type=Path, nargs="+")
    parser.add_argument("--write", type=Path, help="write weights.json here")
    parser.add_argument("--history", type=Path, nargs=2, metavar=("MIRRORS", "WORK"))
    parser.add_argument("--model", action="store_true", help="embed the histories, too")
    parser.add_argument("--work", type=Path, help="keep here what is seen of the benchmark")
    args = parser.parse_args()
    wanted = queries(args.evals)
    found = [collect(repos, wanted, args.work) for repos in args.repos]
    told: dict[Evidence, list[Candidates]] = {one: [] for one in EVIDENCE}
    if args.history:
        told = gather(*args.history, model=args.model)
    table = {}
    for evidence in EVIDENCE:
        tracks = {
            f"{evidence} {repos.name}": every[evidence]
            for repos, every in zip(args.repos, found, strict=True)
        }
        seen = [one for every in tracks.values() for one in every]
        print_sources(tracks, seen, told[evidence])
        if told[evidence]:
            print_histories(evidence, told[evidence], seen)
        table[evidence] = table_of(seen, told[evidence])
        for name in ("bias", *SIGNALS):
            print(f"  {name:12}", *(f"{table[evidence][kind][name]:7.2f}" for kind in KINDS))
    if args.write:
        args.write.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
