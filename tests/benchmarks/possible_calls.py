"""Fit and measure the likelihood of calls by name: `possible_calls.py REPO=ORACLE...`.

ORACLE is a compiler's index (`.scip`, as `scip-python` and `scip-typescript` write it) or a
language of `graph_oracles.py` (`java`, `php`). The data are the calls whose receiver we do not know
and the oracle does, each with every definition of the name; a definition is right if the oracle
names it, or what it overrides, or what overrides it. Precision and recall of each repository are
those of weights fitted on all others. `--write` prints weights fitted on all.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import graph_oracles
import numpy as np
from searched import words_alone

from codeindex import Index
from codeindex.graph.dispatch import possible_callees_above
from codeindex.graph.possible_calls import CallJudge, Evidence
from codeindex.graph.scip.collect import IndexLocation, collect_references
from codeindex.store.graph.edges import possible_edges
from codeindex.store.symbols.nodes import symbols_by_id
from codeindex.types import OWNER_KINDS, Node

_SEED = 7
_PAIRS = 20_000
"""Most pairs of a call and a definition from one repository."""
_WEIGHT = 3_000
"""A repository with more pairs counts as much as one with so many."""
_RIDGE = 3.0
Key = tuple[str, int, str]
"""File, line and name."""


class Pairs(NamedTuple):
    """Evidence for pairs of a call and a definition, and which of them are right."""

    evidence: np.ndarray
    right: np.ndarray
    certain: int
    """Certain calls of the repository's own definitions, for precision with them included."""


def stated(connection: sqlite3.Connection, root: Path, oracle: str) -> dict[Key, set[int]]:
    """Return the symbols that an oracle names for calls; empty for something outside."""
    if oracle.endswith(".scip"):
        path = Path(oracle).resolve()
        found = collect_references(connection, root, [IndexLocation(path.parent, path.name, "")])
        answers: defaultdict[Key, list[set[int]]] = defaultdict(list)
        for row in found.files.values():
            for each in row.references:
                ids = {key for targets in each.targets for key in targets}
                answers[row.file.path, each.line, each.text].append(ids)
        return {key: ids[0] for key, ids in answers.items() if all(each == ids[0] for each in ids)}
    places: defaultdict[tuple[str, str], list[tuple[int, int, int]]] = defaultdict(list)
    for path, name, *place in connection.execute(
        "SELECT f.path, s.name, s.start_line, s.end_line, s.id FROM symbols s"
        " JOIN files f ON f.id = s.file_id"
    ):
        places[path, name].append((place[0], place[1], place[2]))
    paths = sorted({path for path, _ in places})
    return {
        (answer.path, answer.line, answer.name): {
            key
            for target in answer.targets
            for start, end, key in places[target.path, target.name]
            if start <= target.line <= end
        }
        for answer in graph_oracles.ORACLES[oracle](root, paths, 10**6, Path("node_modules"))
        if answer.targets
    }


def pairs_of(connection: sqlite3.Connection, truth: Mapping[Key, set[int]]) -> Pairs:
    paths = dict(connection.execute("SELECT id, path FROM files"))
    by_name: defaultdict[str, dict[int, Node]] = defaultdict(dict)
    every = [key for (key,) in connection.execute("SELECT id FROM symbols")]
    for node in symbols_by_id(connection, every):
        if node.kind not in OWNER_KINDS:
            by_name[node.name][node.id] = node
    asked: defaultdict[str, None] = defaultdict()
    for _, _, name in truth:
        asked[name] = None
    rows: list[tuple[Evidence, bool]] = []
    related = _Related(connection)
    for name in sorted(asked):
        nodes = by_name.get(name)
        if not nodes:
            continue
        languages = {node.language for node in nodes.values()}
        edges = [
            edge
            for edge in possible_edges(connection, [name], languages=languages)
            if any((paths[edge.file], line, name) in truth for line in edge.at)
        ]
        judge = CallJudge(connection, list(nodes.values()), edges)
        for edge in edges:
            meant = [truth.get((paths[edge.file], line, name)) for line in edge.at]
            for key, evidence in judge.evidence(edge, nodes.keys()).items():
                rows += [(evidence, related(nodes[key], ids)) for ids in meant if ids is not None]
    random.Random(_SEED).shuffle(rows)
    (certain,) = connection.execute(
        "SELECT sum(1 + length(lines) - length(replace(lines, ' ', ''))) FROM edges"
        " WHERE kind = 'calls' AND certainty = 'resolved' AND target_symbol IS NOT NULL"
    ).fetchone()
    return Pairs(
        np.array([evidence for evidence, _ in rows[:_PAIRS]], float),
        np.array([right for _, right in rows[:_PAIRS]], float),
        certain,
    )


class _Related:
    """Tells whether a definition is one of some others, overrides one, or is overridden by one."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._above: dict[int, set[int]] = {}
        self._nodes: dict[int, Node] = {}

    def __call__(self, node: Node, others: set[int]) -> bool:
        if node.id in others:
            return True
        for key in others - self._nodes.keys():
            for found in symbols_by_id(self._connection, [key]):
                self._nodes[key] = found
        return any(
            other.key == node.key or key in self.above(node) or node.id in self.above(other)
            for key in others
            if (other := self._nodes.get(key))
        )

    def above(self, node: Node) -> set[int]:
        if node.id not in self._above:
            self._above[node.id] = {*possible_callees_above(self._connection, [node])}
        return self._above[node.id]


def fit(parts: list[Pairs]) -> np.ndarray:
    """Return the weights of a logistic regression in which large repositories count no more."""
    evidence = np.vstack([part.evidence for part in parts])
    right = np.concatenate([part.right for part in parts])
    counts = [len(part.right) for part in parts]
    weight = np.concatenate([np.full(n, min(1.0, _WEIGHT / max(1, n))) for n in counts])
    found = np.zeros(evidence.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-evidence @ found))
        slope = evidence.T @ (weight * (chance - right)) + _RIDGE * found
        curve = (evidence * (weight * chance * (1 - chance))[:, None]).T @ evidence
        step = np.linalg.solve(curve + _RIDGE * np.eye(len(found)), slope)
        found -= step
        if abs(step).max() < 1e-5:
            break
    return found


def report(data: Mapping[str, Pairs]) -> Iterator[str]:
    for name, pairs in data.items():
        weights = fit([part for other, part in data.items() if other != name])
        chance = 1 / (1 + np.exp(-pairs.evidence @ weights))
        cells = [f"{name:12} {len(pairs.right):6} pairs, all right {pairs.right.mean():.3f}"]
        for least in (0.4, 0.5, 0.6):
            shown = chance >= least
            true, number = pairs.right[shown].sum(), max(1, shown.sum())
            cells.append(
                f"{least}: precision {true / number:.2f} of {shown.sum()}"
                f" recall {true / max(1, pairs.right.sum()):.2f}"
            )
        yield "  ".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+", metavar="REPO=ORACLE")
    parser.add_argument("--home", type=Path, help="keep indexes here")
    parser.add_argument("--write", action="store_true", help="print weights fitted on all")
    args = parser.parse_args()
    data: dict[str, Pairs] = {}
    with words_alone(args.home):
        for text in args.repositories:
            folder, _, oracle = text.partition("=")
            root = Path(folder).resolve()
            with Index.open(root) as index:
                index.sync(structure_only=True)
                with index.reader().catalog() as (catalog, _):
                    connection = catalog.connection
                    data[root.name] = pairs_of(connection, stated(connection, root, oracle))
    print("\n".join(report(data)))
    if args.write:
        for field, weight in zip(Evidence._fields, fit(list(data.values())), strict=True):
            print(f"    {field}={weight:.2f},")


if __name__ == "__main__":
    main()
