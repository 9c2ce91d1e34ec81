"""Functions that public histories ask for: `yardsticks.py MIRRORS WORK [--levels ...]`.

MIRRORS holds bare git directories `<owner>+<name>/repo`; `yardsticks.tsv` lists which are used and
at which commit. A snapshot of some hundred commits ago is asked for functions by documentation that
was deleted from it, and by the messages of later commits (`snapshots.py`). WORK keeps trees,
questions and indexes. All answers are those of `Index.search`.

Prints for each level of evidence and kind of question, with 95 % bootstrap intervals over
repositories, of the first ten results: recall and NDCG of files; recall and NDCG of functions; how
often the first hit is a right function; how often all are there. Then, for commits and issues, what
is seen of the changed functions after 100, 300 and 500 lines (`line_budgets.py`).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from histories import Labelled, history, listed
from line_budgets import BUDGETS, reading
from searched import LEVELS, Answered, Level, asked, indexed

from codeindex.evaluation.metrics import (
    RANK_CUTOFF,
    CodeSpan,
    bootstrap_mean,
    covers_function,
    function_quality,
)

ROWS: Mapping[str, Callable[[Labelled], bool]] = {
    "documentation": lambda one: one.kind == "docstring",
    "commit": lambda one: one.kind == "commit",
    "commit, one function": lambda one: one.kind == "commit" and len(one.functions) == 1,
    "issue": lambda one: one.kind == "issue",
}


@dataclass(frozen=True, slots=True)
class Case:
    """A question with its answer."""

    question: Labelled
    answer: Answered

    @property
    def hits(self) -> list[CodeSpan]:
        return [(one.path, one.first, one.last) for one in self.answer.hits]


def figures(case: Case) -> dict[str, float]:
    """Return the figures of one question."""
    wanted, functions = case.question.files, case.question.functions
    top = [(path, 1, 1) for path in case.answer.files]
    files = function_quality(top, [(path, 1, 1) for path in wanted])
    found = function_quality(case.hits, functions)
    first = any(covers_function(hit, one) for hit in case.hits[:1] for one in functions)
    return {
        "file recall": files.recall,
        "file NDCG": files.ndcg,
        "function recall": found.recall,
        "function NDCG": found.ndcg,
        "first": float(first),
        "all of them": float(found.recall == 1),
        "denied": float(not case.hits),
    }


def budget_figures(case: Case, budget: int) -> dict[str, float]:
    found = reading(case.hits, case.question.functions, budget)
    return {"line recall": found.recall, "NDCG": found.ndcg, "efficiency": found.efficiency}


def print_row(label: str, cases: Sequence[Case], rows: Sequence[Mapping[str, float]]) -> None:
    """Print the mean of each figure, with its interval over repositories."""
    repos = [case.question.repo for case in cases]
    cells = [f"{name} {bootstrap_mean([row[name] for row in rows], repos)}" for name in rows[0]]
    print(f"  {label:22} n={len(cases):<5}", "  ".join(cells), flush=True)


def print_tables(level: Level, cases: Sequence[Case]) -> None:
    print(f"{level}: the first {RANK_CUTOFF} results")
    parts = {name: [one for one in cases if has(one.question)] for name, has in ROWS.items()}
    for name, mine in parts.items():
        if mine:
            print_row(name, mine, [figures(one) for one in mine])
    print(f"{level}: the first lines")
    for name in ("commit", "issue"):
        for budget in BUDGETS if parts[name] else ():
            rows = [budget_figures(one, budget) for one in parts[name]]
            print_row(f"{name}, {budget} lines", parts[name], rows)


def answered(tree: Path, questions: Iterable[Labelled], level: Level, home: Path) -> list[Case]:
    mine = list(questions)
    with indexed(tree, level, home) as index:
        found = asked(index, [one.text for one in mine])
    return [Case(*pair) for pair in zip(mine, found, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--home", type=Path, help="keep indexes here, not in WORK")
    parser.add_argument("--levels", nargs="+", choices=LEVELS, default=LEVELS[:2])
    parser.add_argument("--only", nargs="*", default=(), help="owner/name of some")
    args = parser.parse_args()
    cases: dict[Level, list[Case]] = {level: [] for level in args.levels}
    for name, tip in listed():
        if args.only and name not in args.only:
            continue
        tree, questions = history(args.mirrors / name.replace("/", "+") / "repo", tip, args.work)
        for level in cases:
            cases[level] += answered(tree, questions, level, args.home or args.work)
        print(f"{name}: {len(questions)} questions", flush=True)
    for level, mine in cases.items():
        print_tables(level, mine)


if __name__ == "__main__":
    main()
