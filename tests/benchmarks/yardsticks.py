"""Retrieval measured by repositories' own histories: `yardsticks.py MIRRORS WORK [--model]`.

MIRRORS holds bare git directories `<owner>+<name>/repo`; `yardsticks.tsv` lists which are used, at
which commit, and which are embedded with --model, none of them of the benchmark whose queries
`devset.py` reads. WORK keeps what the ranker saw of each question, so that a second run only
computes. Of each repository at most 8 questions from subjects of commits, 5 from long ones and 10
from docstrings are asked (`mined.py`), each commit's of the tree at its parent.

Prints, for each yardstick and kind of evidence, NDCG@10, MRR@10 and recall@10 by file with the
shipped weights, with 95 % bootstrap intervals over repositories.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import numpy as np
import numpy.typing as npt
from devset import EVIDENCE, Candidates, Query, Seen, grouped, kept_in, seen_by
from mined import Mined, commits, documented, git

from codeindex import Index
from codeindex.search.weights import Evidence, weights

MOST = {"commit": 8, "issue": 5, "docstring": 10}
"""Questions of a repository: more repositories tell more than more of one."""
_RESAMPLES = 2000


def listed() -> list[tuple[str, str, bool]]:
    """Return the repositories, the newest commit of each to look at, and if it is embedded, too."""
    rows = Path(__file__).with_suffix(".tsv").read_text("utf-8").splitlines()
    cells = (row.split("\t") for row in rows)
    return [(name, commit, evidence == "model") for name, commit, evidence in cells]


def chosen(every: Iterable[Mined]) -> list[Mined]:
    """Return the newest questions of each kind, oldest first, so that the tree moves forward."""
    kept: dict[str, Mined] = {}
    counts = dict.fromkeys(MOST, 0)
    for one in every:
        if counts[one.category] < MOST[one.category] and one.text not in kept:
            counts[one.category] += 1
            kept[one.text] = one
        if all(counts[kind] == MOST[kind] for kind in ("commit", "issue")):
            break
    return list(kept.values())[::-1]


def collected(mirror: Path, tip: str, work: Path, *, model: bool) -> Seen:
    """Walk a clone through the parents of the chosen commits, and ask at each of them."""
    name = mirror.parent.name
    tree = work / "trees" / name

    def walked() -> Seen:
        shutil.rmtree(tree, ignore_errors=True)
        tree.parent.mkdir(parents=True, exist_ok=True)
        git(mirror, "clone", "--quiet", "--shared", "--no-checkout", str(mirror), str(tree))
        with Index.open(tree, root=True) as index:
            seen = grouped(_walk(index, tree, tip, model=model))
        shutil.rmtree(tree)
        return seen

    return kept_in(work / "seen" / f"{name}{'+model' if model else ''}.pickle", walked)


def _walk(
    index: Index, tree: Path, tip: str, *, model: bool
) -> Iterator[tuple[Evidence, Candidates]]:
    questions = chosen(commits(tree, tip))
    for commit, asked in groupby(questions, key=lambda one: one.commit):
        git(tree, "checkout", "--quiet", "--force", commit)
        index.sync(structure_only=not model)
        yield from _asked(index, tree.name, asked)
    with index.reader().corpus() as (catalog, _):
        masked = list(documented(catalog.connection, tree, commit, MOST["docstring"]))
    index.sync(structure_only=not model)
    yield from _asked(index, tree.name, masked)


def _asked(
    index: Index, name: str, asked: Iterable[Mined]
) -> Iterator[tuple[Evidence, Candidates]]:
    """Ask what has a target in the index."""
    with index.reader().corpus() as (_, corpus):
        known = set(corpus.paths)
    keys = ("path", "start_line", "end_line")
    queries = []
    for one in asked:
        targets = [dict(zip(keys, t, strict=True)) for t in one.targets if t[0] in known]
        if targets:
            queries.append(Query(name, one.text, one.category, tuple(targets)))
    yield from seen_by(index, queries)


def scored(found: Candidates, row: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    """Return NDCG@10, MRR@10 and recall@10 by file."""
    order = np.argsort(-(found.rows @ row), kind="stable")[:10]
    hits = found.relevant[order]
    wanted = len(found.query.relevant)
    ideal = (1 / np.log2(np.arange(min(10, wanted)) + 2)).sum()
    gain = float((hits / np.log2(np.arange(len(hits)) + 2)).sum() / ideal)
    first = 1 / (1 + int(np.argmax(hits))) if hits.any() else 0.0
    return gain, first, float(hits.sum() / wanted)


def interval(values: npt.NDArray[np.float64], groups: Sequence[str]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the mean, drawing repositories, not questions."""
    names, place = np.unique(groups, return_inverse=True)
    sums = np.bincount(place, weights=values)
    counts = np.bincount(place)
    drawn = np.random.default_rng(0).integers(len(names), size=(_RESAMPLES, len(names)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def print_table(
    seen: Seen, scores: Callable[[Evidence], npt.NDArray[np.float64]], *, label: str
) -> None:
    """Print a line for each yardstick and evidence; `scores` gives a row of three a question."""
    print(label)
    for evidence in EVIDENCE:
        if not seen.get(evidence):
            continue
        table = scores(evidence)
        kinds = [one.query.category for one in seen[evidence]]
        repos = np.array([one.query.repo for one in seen[evidence]])
        for kind in MOST:
            mine = np.array([one == kind for one in kinds])
            cells = []
            for at, name in enumerate(("NDCG@10", "MRR@10", "recall@10")):
                low, high = interval(table[mine, at], repos[mine].tolist())
                cells.append(f"{name} {table[mine, at].mean():.3f} [{low:.3f} {high:.3f}]")
            print(f"  {kind:9} {evidence:6} n={mine.sum():<4}", "  ".join(cells))


def shipped(seen: Seen, evidence: Evidence) -> npt.NDArray[np.float64]:
    return np.array(
        [scored(one, np.array(weights(evidence, one.asked)[0])) for one in seen[evidence]]
    )


def gather(mirrors: Path, work: Path, *, model: bool = False, only: Sequence[str] = ()) -> Seen:
    """Return what was seen of all questions; a structure-only index has no dense evidence."""
    every: Seen = {one: [] for one in EVIDENCE}
    for name, tip, is_embedded in listed():
        if only and name not in only:
            continue
        mirror = mirrors / name.replace("/", "+") / "repo"
        found = collected(mirror, tip, work, model=model and is_embedded)
        for evidence in EVIDENCE:
            every[evidence] += [replace(one, shown=()) for one in found[evidence]]
        print(f"{name}: {len(found['words'])} questions", flush=True)
    return every


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--only", nargs="*", default=(), help="owner/name of some")
    args = parser.parse_args()
    seen = gather(args.mirrors, args.work, model=args.model, only=args.only)
    print_table(seen, lambda evidence: shipped(seen, evidence), label="as shipped")


if __name__ == "__main__":
    main()
