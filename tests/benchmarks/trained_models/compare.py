"""Compare two tables by the whole ranker: `compare.py OLD NEW [--evidence token]`.

OLD and NEW hold observations (`training.py`, run by `with_table.py`) of the same questions. The
ranker's weights are fitted to each, cross-validated by repository, as `fit.py` does. Prints for
each kind of question both means and the difference with its 95 % bootstrap interval over
repositories. Needs scipy.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import fit
import numpy as np

from codeindex.search.weight_rows import EvidenceLevel

FIGURES = ("file_ndcg", "place1", "place3", "given_file", "recall10", "ndcg10")
Judged = dict[tuple[str, str, str], dict[str, float]]


def judged(work: Path, evidence: EvidenceLevel) -> Judged:
    """Return the figures of each question, by repository, kind and text."""
    training = fit.training_of(work, evidence)
    results, _ = fit.crossed(training, fit.FURTHER)
    return {
        (one.one.repo, one.source, one.one.text): result
        for one, result in zip(training.questions, results, strict=True)
    }


def difference(old: Judged, new: Judged, kind: str, figure: str) -> str:
    """Return both means and the mean of the difference with its interval."""
    pairs: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for key in old.keys() & new.keys():
        if key[1] == kind and figure in old[key] and figure in new[key]:
            pairs[key[0]].append((old[key][figure], new[key][figure]))
    rows = [np.array(one) for _, one in sorted(pairs.items())]
    if not rows:
        return ""
    sums = np.array([one.sum(axis=0) for one in rows])
    sizes = np.array([len(one) for one in rows])
    draws = np.random.default_rng(0).integers(len(rows), size=(4000, len(rows)))
    means = sums[draws].sum(axis=1) / sizes[draws].sum(axis=1)[:, None]
    low, high = np.quantile(means[:, 1] - means[:, 0], [0.025, 0.975])
    before, after = sums.sum(axis=0) / sizes.sum()
    return f"{before:.3f} {after:.3f} {after - before:+.3f} [{low:+.3f} {high:+.3f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--evidence", default="token", choices=fit.EVIDENCE)
    parser.add_argument("--before", choices=fit.EVIDENCE, help="evidence of OLD, if another")
    args = parser.parse_args()
    old = judged(args.old, args.before or args.evidence)
    new = judged(args.new, args.evidence)
    for kind in sorted({key[1] for key in old}):
        for figure in FIGURES:
            print(f"{kind:10} {figure:10} {difference(old, new, kind, figure)}", flush=True)


if __name__ == "__main__":
    main()
