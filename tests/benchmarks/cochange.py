"""What `context` foresees of real commits: `python tests/benchmarks/cochange.py REPO... [--fit]`.

Each REPO is an indexed work tree with its history. Of the last 200 commits with 2 to 20 files that
are still indexed, each file in turn is given and the others are to be foreseen: recall in the
first 10, averaged over the files of a commit, then over commits, with a bootstrap interval.
Co-change is counted from the commits before the one in question alone; the graph is that of the
tree as it is now, for `context` and for the baselines alike, so files that a commit has since
joined by an import are a little easier to find than on the day.

With --fit, prints weights that foresee these repositories better than the shipped ones, by moving
one at a time. What is found without history counts half: a repository may have none.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from codeindex.analysis.change.signals import (
    SIGNAL_LABELS,
    SIGNAL_WEIGHTS,
    Signal,
    Signals,
    collect_signals,
    relatedness,
)
from codeindex.analysis.focus import make_focus
from codeindex.api.index import Index
from codeindex.store.catalog.connection import Catalog
from codeindex.store.symbols.nodes import file_nodes

COMMITS, LEAST, MOST, TOP = 200, 2, 20, 10
ROUNDS, FACTORS, LEAST_WEIGHT = 3, (0.6, 0.8, 1.25, 1.7), 0.1


@dataclass(frozen=True)
class Case:
    commit: int
    given: str
    others: frozenset[str]
    signals: Signals
    paths: tuple[str, ...]


def cases(catalog: Catalog) -> Iterator[Case]:
    """Yield each file of each commit, with what was known before."""
    paths = tuple(one for (one,) in catalog.connection.execute("SELECT path FROM files"))
    for commit, files in commits(catalog):
        for given in sorted(files):
            focus = make_focus(catalog.connection, file_nodes(catalog.connection, [given]))
            signals = collect_signals(catalog.connection, focus, before=commit)
            yield Case(commit, given, files - {given}, signals, paths)


def commits(catalog: Catalog) -> list[tuple[int, frozenset[str]]]:
    rows = catalog.connection.execute(
        "SELECT h.commit_id, h.path FROM commit_files h JOIN files f ON f.path = h.path"
        " ORDER BY h.commit_id DESC"
    )
    files: dict[int, set[str]] = {}
    for commit, path in rows:
        files.setdefault(commit, set()).add(path)
    fit = [(one, frozenset(of)) for one, of in files.items() if LEAST <= len(of) <= MOST]
    return fit[:COMMITS]


def folder(path: str) -> str:
    return path.rpartition("/")[0]


def beside(case: Case) -> list[str]:
    """Same directory, the nearest by the alphabet first."""
    near = sorted(one for one in case.paths if folder(one) == folder(case.given))
    at = near.index(case.given)
    return sorted((one for one in near if one != case.given), key=lambda x: abs(near.index(x) - at))


def imported(case: Case) -> list[str]:
    """Imports and importers, the most particular first."""
    return ranked(case, {"imports": 1.0, "imported_by": 1.0})


def ranked(case: Case, weights: Mapping[str, float]) -> list[str]:
    scores = {
        path: sum(weights.get(name, 0.0) * one.strength for name, one in signals.items())
        for path, signals in case.signals.items()
    }
    return sorted((one for one in scores if scores[one] > 0), key=lambda one: (-scores[one], one))


def context(case: Case) -> list[str]:
    scores = {path: relatedness(signals) for path, signals in case.signals.items()}
    return sorted(scores, key=lambda one: (-scores[one], one))


RANKINGS = {
    "same directory": beside,
    "imports only": imported,
    "co-change only": lambda case: ranked(case, {"changes_with": 1.0}),
    "graph and names": lambda case: ranked(case, {**SIGNAL_WEIGHTS, "changes_with": 0.0}),
    "context": context,
}


def recall(found: Sequence[Case], name: str) -> np.ndarray:
    """Return the mean recall of each commit."""
    by_commit: dict[int, list[float]] = {}
    for case in found:
        top = set(RANKINGS[name](case)[:TOP])
        by_commit.setdefault(case.commit, []).append(len(top & case.others) / len(case.others))
    return np.array([float(np.mean(one)) for one in by_commit.values()])


def report(repository: str, found: Sequence[Case]) -> None:
    print(f"{repository}: {len({one.commit for one in found})} commits, {len(found)} files given")
    random = np.random.default_rng(0)
    for name in RANKINGS:
        values = recall(found, name)
        samples = values[random.integers(0, len(values), (2000, len(values)))].mean(axis=1)
        low, high = np.quantile(samples, (0.025, 0.975))
        print(f"  {name:16} recall@{TOP} {values.mean():.3f}  [{low:.3f} {high:.3f}]")


@dataclass(frozen=True)
class Table:
    """A case as numbers: a row for each candidate, a column for each signal."""

    commit: int
    strengths: np.ndarray
    right: np.ndarray
    others: int


def table(case: Case) -> Table:
    paths = sorted(case.signals)
    empty = Signal()
    rows = [
        [case.signals[one].get(name, empty).strength for name in SIGNAL_LABELS] for one in paths
    ]
    right = np.array([one in case.others for one in paths], dtype=bool)
    strengths = np.array(rows, dtype=float).reshape(len(paths), len(SIGNAL_LABELS))
    return Table(case.commit, strengths, right, len(case.others))


def quality(groups: Sequence[Sequence[Table]], weights: np.ndarray) -> float:
    alone = np.where(np.array(list(SIGNAL_LABELS)) == "changes_with", 0.0, weights)
    return sum(recalled(one, weights) + recalled(one, alone) / 2 for one in groups)


def recalled(tables: Sequence[Table], weights: np.ndarray) -> float:
    by_commit: dict[int, list[float]] = {}
    for one in tables:
        top = np.argsort(-(one.strengths @ weights), kind="stable")[:TOP]
        by_commit.setdefault(one.commit, []).append(one.right[top].sum() / one.others)
    return float(np.mean([np.mean(values) for values in by_commit.values()]))


def fitted(groups: Sequence[Sequence[Case]]) -> dict[str, float]:
    """Move one weight at a time while that helps; each repository counts the same."""
    tables = [[table(case) for case in found] for found in groups]
    weights = np.array([SIGNAL_WEIGHTS[name] for name in SIGNAL_LABELS])
    best = quality(tables, weights)
    for _ in range(ROUNDS):
        for at, factor in itertools.product(range(len(weights)), FACTORS):
            tried = weights.copy()
            tried[at] = max(LEAST_WEIGHT, tried[at] * factor)
            if (now := quality(tables, tried)) > best:
                weights, best = tried, now
    return dict(zip(SIGNAL_LABELS, weights.round(2).tolist(), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--fit", action="store_true")
    given = parser.parse_args()
    groups = []
    for root in given.repositories:
        with Index.open(root) as index, index.reader().catalog() as (catalog, _):
            groups.append(list(cases(catalog)))
        report(root.name, groups[-1])
    if given.fit:
        print(fitted(groups))


if __name__ == "__main__":
    main()
