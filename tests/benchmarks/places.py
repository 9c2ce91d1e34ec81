"""Questions of people who are new to a repository: `places.py TREES [--level LEVEL] [--show]`.

`golden/places.jsonl` has twelve questions about each of 32 repositories at a commit, with the
functions that answer them: seven ask for a concept, three are key words, two ask how to do
something. Somebody read the code, wrote questions and answers, and had not used the index. TREES
holds a work tree for each repository, named as it is without its owner (`git archive COMMIT`); what
is not there is left out. Prints for each kind how often the first hit of `Index.search` is of a
right file, and how often a right function is first, among three and among ten; `best` counts the
one function that was named as the best answer. With --show the questions whose first hit is wrong.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from searched import LEVELS, Answered, Lines, asked, indexed

_GOLDEN = Path(__file__).parent / "golden" / "places.jsonl"


@dataclass(frozen=True, slots=True)
class PlaceQuestion:
    """A question about the repository `repo` (owner/name).

    `places` are the functions that answer it, the best one first.
    """

    repo: str
    kind: str
    text: str
    places: tuple[Lines, ...]


def by_repo() -> Mapping[str, Sequence[PlaceQuestion]]:
    """Return {owner/name: the questions about this repository}."""
    found: dict[str, list[PlaceQuestion]] = defaultdict(list)
    with _GOLDEN.open(encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            places = sorted(row["places"], key=lambda place: not place.get("best"))
            lines = tuple(Lines(it["path"], it["line"], it["end_line"]) for it in places)
            found[row["repo"]].append(
                PlaceQuestion(row["repo"], row["kind"], row["question"], lines)
            )
    return found


def judged(question: PlaceQuestion, answer: Answered) -> dict[str, bool]:
    hits = answer.hits[:10]
    right = [any(hit.shows(place) for place in question.places) for hit in hits]
    return {
        "file": bool(hits) and hits[0].path in {place.path for place in question.places},
        "first": any(right[:1]),
        "of three": any(right[:3]),
        "of ten": any(right),
        "best": bool(hits) and hits[0].shows(question.places[0]),
        "denied": not hits,
    }


def print_figures(kind: str, found: Sequence[dict[str, bool]]) -> None:
    cells = (f"{name} {sum(one[name] for one in found) / len(found):.3f}" for name in found[0])
    print(f"{kind:8} {len(found):4}  {'  '.join(cells)}")


def parsed_arguments(description: str | None) -> argparse.Namespace:
    """Return `trees`, `level`, `show` and `work`, by default a temporary folder."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("trees", type=Path)
    parser.add_argument("--level", choices=LEVELS, default="token")
    parser.add_argument("--work", type=Path, help="a folder to keep the indexes in")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    args.work = args.work or Path(tempfile.mkdtemp())
    return args


def main() -> None:
    args = parsed_arguments(__doc__)
    found: dict[str, list[dict[str, bool]]] = defaultdict(list)
    for repo, questions in by_repo().items():
        tree = args.trees / repo.partition("/")[2]
        if not tree.is_dir():
            print(f"{repo}: no work tree")
            continue
        with indexed(tree, args.level, args.work) as index:
            answered = asked(index, (question.text for question in questions))
        for question, answer in zip(questions, answered, strict=True):
            figures = judged(question, answer)
            found[question.kind].append(figures)
            if args.show and not figures["first"]:
                shown = ", ".join(f"{hit.path}:{hit.first}" for hit in answer.hits[:3])
                print(f"  {repo}: {question.text} -> {shown}")
    for kind, figures_of in found.items():
        print_figures(kind, figures_of)
    print_figures("all", [one for figures_of in found.values() for one in figures_of])


if __name__ == "__main__":
    main()
