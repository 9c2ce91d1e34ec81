"""Retrieval quality: `python tests/benchmarks/retrieval.py EVALS REPOS... [--ablate] [--work DIR]`.

EVALS holds `queries.jsonl` and `score.py` (see devset.py), each REPOS a work tree for each
repository. Prints for each REPOS, for words alone, with token vectors and with the model's vectors:

- *as shipped*: what `Index.search` returns, scored by file and by the published chunk rule, with
  bootstrap intervals; the shipped weights were fitted on these very queries;
- *cross-validated*: each repository ranked by weights that were fitted without it;
- with --ablate, the cross-validated score without each signal.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from devset import EVIDENCE, Candidates, collect, queries, scorer
from fit import left_out, report, rows_without

from codeindex.search.signals import SIGNALS


def run_lines(found: Sequence[Candidates]) -> list[dict[str, Any]]:
    """Return what a search answers as score.py's run lines."""
    keys = ("path", "start_line", "end_line")
    return [
        {
            "repo": one.query.repo,
            "query": one.query.text,
            "results": [dict(zip(keys, hit, strict=True)) for hit in one.shown],
        }
        for one in found
    ]


def print_shipped(score: Any, evals: Path, lines: list[dict[str, Any]], label: str) -> None:
    labelled = score.read_jsonl(evals / "queries.jsonl")
    table, _, _ = score.score_run(labelled, lines)
    for group, rows in score.groups(labelled, ["category"]):
        sampler = score.Sampler([labelled[i]["repo"] for i in rows], False, False, 2000, 0)
        cells = []
        for name in ("ndcg10", "ndcg10_raw", "mrr10", "recall10"):
            values = table[rows, score.METRICS.index(name)]
            low, high = sampler.interval(values)
            cells.append(f"{name} {sampler.mean(values):.3f} [{low:.3f} {high:.3f}]")
        print(f"{label:7} {group:22} n={len(rows):<4}", "  ".join(cells))


def print_ablation(found: Sequence[Candidates], seen: Sequence[Candidates]) -> None:
    base = float(np.mean(left_out(found, seen)))
    for at, name in enumerate(SIGNALS):
        lost = float(np.mean(left_out(_without(found, at), _without(seen, at)))) - base
        print(f"  without {name:12} {lost:+.4f}")


def _without(found: Sequence[Candidates], at: int) -> list[Candidates]:
    rows = [one.rows.copy() for one in found]
    for one in rows:
        one[:, at] = 0.0
    return [replace(one, rows=row) for one, row in zip(found, rows, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("evals", type=Path)
    parser.add_argument("repos", type=Path, nargs="+")
    parser.add_argument("--ablate", action="store_true")
    parser.add_argument("--work", type=Path, help="keep here what is seen of each query")
    args = parser.parse_args()
    wanted = queries(args.evals)
    found = [collect(repos, wanted, args.work) for repos in args.repos]
    score = scorer(args.evals)
    for repos, every in zip(args.repos, found, strict=True):
        print(f"{repos.name}: cross-validated by repository, NDCG@10 by file")
        for evidence in EVIDENCE:
            seen = [one for each in found for one in each[evidence]]
            print(f"{evidence:7}", report(every[evidence], rows_without(seen)))
            if args.ablate:
                print_ablation(every[evidence], seen)
        print(f"{repos.name}: as shipped")
        for evidence in EVIDENCE:
            print_shipped(score, args.evals, run_lines(every[evidence]), evidence)


if __name__ == "__main__":
    main()
