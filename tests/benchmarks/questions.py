"""A hundred questions outside the benchmark: `questions.py TREES [--show] [--structure]`.

`golden/questions.tsv` has ten on each of ten repositories at a commit, with the files that answer
them, named by reading the code before anything was searched. The first fifty are worded, on
purpose, without the code's words; the others were written from the documentation alone. TREES
holds a work tree for each repository, named as it is without its owner; what is not there is left
out. Prints for each set how often the first, the first three and the first ten results have a right
file, by the evidence that the indexes have; with --show the questions of which three have none.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from pathlib import Path

from codeindex import Index

_GOLDEN = Path(__file__).parent / "golden" / "questions.tsv"
_DEPTHS = (1, 3, 10)


def rank_of(index: Index, question: str, right: str) -> int:
    """Return the place of the first result in a right file, 0 for none among the first ten."""
    hits = index.search(question, limit=_DEPTHS[-1]).hits
    return next((at for at, hit in enumerate(hits, 1) if hit.path in right.split()), 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", type=Path)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--structure", action="store_true", help="without the model's vectors")
    args = parser.parse_args()
    asked: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    with _GOLDEN.open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE):
            asked[row["set"], row["repository"]].append(row)
    ranks: dict[str, list[int]] = defaultdict(list)
    for (label, repository), questions in asked.items():
        tree = args.trees / repository.partition("/")[2]
        if not tree.is_dir():
            print(f"{repository}: no work tree")
            continue
        with Index.open(tree, root=True) as index:
            index.sync(structure_only=args.structure)
            model = index.status().model.partition("@")[0] or "words"
            mine = [rank_of(index, one["question"], one["right files"]) for one in questions]
        ranks[label] += mine
        print(f"{label}: {repository} ({model})", _hits(mine), flush=True)
        if args.show:
            missed = (at for at, rank in enumerate(mine) if not 0 < rank <= _DEPTHS[1])
            print(
                *(f"  {mine[at] or 'none'}: {questions[at]['question']}" for at in missed), sep="\n"
            )
    for label, found in ranks.items():
        print(f"{label}: all", _hits(found))


def _hits(ranks: list[int]) -> str:
    return "  ".join(
        f"first {depth}: {sum(0 < one <= depth for one in ranks)} of {len(ranks)}"
        for depth in _DEPTHS
    )


if __name__ == "__main__":
    main()
