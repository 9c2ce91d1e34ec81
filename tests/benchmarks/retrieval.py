"""Retrieval quality of `Index.search`: `retrieval.py EVALS TREES... --work DIR [--levels ...]`.

EVALS holds the questions and the scripts that score them (see devset.py), each TREES a work tree
for each repository: cut to the main folder, or whole. DIR keeps the indexes and one run a level,
`<trees>-<level>.jsonl`, which score.py and score_places.py read. The level `model` embeds every
tree first, which takes hours where the whole trees are asked.

Prints for each level, with 95 % bootstrap intervals over questions: NDCG@10 by file and by the
published chunk rule, overall and by category; the share of questions whose first hit, and one of
the first three, is in a labelled function, in the best one, and the share for which the first hit
of a right file is; questions without any answer; and the time of a query. The shipped weights were
fitted on these questions among others: `fit.py` prints cross-validated figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from devset import Places, Query, place_figures, queries, scorer, write_run
from searched import LEVELS, Answered, Level, asked, indexed


def answers(
    trees: Path, wanted: Sequence[Query], level: Level, home: Path
) -> list[tuple[Query, Answered]]:
    """Ask every question of its repository's tree."""
    out: list[tuple[Query, Answered]] = []
    for repo in sorted({one.repo for one in wanted}):
        mine = [one for one in wanted if one.repo == repo]
        with indexed(trees / repo, level, home) as index:
            out += zip(mine, asked(index, [one.text for one in mine]), strict=True)
    return out


def print_files(score: Any, evals: Path, run: Path) -> None:
    """Print score.py's figures for a run, over all questions and by category."""
    labelled = score.read_jsonl(evals / "queries.jsonl")
    table, _, _ = score.score_run(labelled, score.read_jsonl(run))
    for group, rows in score.groups(labelled, ["category"]):
        sampler = score.Sampler([labelled[i]["repo"] for i in rows], False, False, 2000, 0)
        cells = []
        for name in ("ndcg10", "ndcg10_raw", "mrr10", "recall10"):
            values = table[rows, score.METRICS.index(name)]
            low, high = sampler.interval(values)
            cells.append(f"{name} {sampler.mean(values):.3f} [{low:.3f} {high:.3f}]")
        print(f"  {group:22} n={len(rows):<4}", "  ".join(cells))


def print_places(found: Places) -> None:
    names = {
        "place1": "place@1",
        "place3": "place@3",
        "best1": "best@1",
        "given_file": "given file",
    }
    cells = [f"{label} {found[name]:.3f}" for name, label in names.items()]
    print(f"  {'functions':22} n={found['n']:<4}", "  ".join(cells))


def print_unanswered(found: Sequence[tuple[Query, Answered]]) -> None:
    denied = [query for query, answer in found if not answer.hits]
    print(f"  without any answer: {len(denied)} of {len(found)}")
    for query in denied:
        print(f"    {query.repo}: {query.text}")


def print_times(found: Sequence[Answered]) -> None:
    times = sorted(one.milliseconds for one in found)
    slow = times[int(0.95 * (len(times) - 1))]
    print(f"  ms a query: median {median(times):.1f}, 95 % within {slow:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("evals", type=Path)
    parser.add_argument("trees", type=Path, nargs="+")
    parser.add_argument("--work", type=Path, required=True, help="keep indexes and runs here")
    parser.add_argument("--levels", nargs="+", choices=LEVELS, default=LEVELS[:2])
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    wanted, score = queries(args.evals), scorer(args.evals)
    for trees in args.trees:
        for level in args.levels:
            found = answers(trees, wanted, level, args.work)
            run = args.work / f"{trees.name}-{level}.jsonl"
            write_run(run, found)
            print(f"{trees.name}, {level}", flush=True)
            print_files(score, args.evals, run)
            print_places(place_figures(args.evals, run))
            print_unanswered(found)
            print_times([answer for _, answer in found])


if __name__ == "__main__":
    main()
