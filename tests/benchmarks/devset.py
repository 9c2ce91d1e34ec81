"""The retrieval benchmark's queries, and what the ranker sees of each.

The queries are those of semble's public benchmark (MinishLab/semble, `benchmarks/`); a folder with
`queries.jsonl`, `repos.tsv` and `score.py`, and one work tree a repository, are given as arguments.
"""

from __future__ import annotations

import importlib.util
import json
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from codeindex import Index
from codeindex.search.answer import model_of
from codeindex.search.corpus import Corpus
from codeindex.search.filters import Filters, file_mask
from codeindex.search.rank import asked_of, candidates, rank
from codeindex.search.reader import query_vectors
from codeindex.search.retrieve import Scores
from codeindex.search.run import Request, read_hits, scores_of
from codeindex.search.signals import file_signals
from codeindex.search.weights import Asked, Evidence

_SHOWN = 50
"""Hits that score.py wants of a query."""
EVIDENCE: tuple[Evidence, ...] = ("words", "token", "dense")


@dataclass(frozen=True, slots=True)
class Query:
    """A labelled query; a target without lines is its whole file."""

    repo: str
    text: str
    category: str
    targets: tuple[Mapping[str, Any], ...]

    @property
    def relevant(self) -> frozenset[str]:
        return frozenset(target["path"] for target in self.targets)


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """One query's candidate files: a row of signals for each, and whether it is a target.

    `shown` is what a search answers: path, first and last line of each hit.
    """

    query: Query
    asked: Asked
    paths: tuple[str, ...]
    rows: npt.NDArray[np.float32]
    relevant: npt.NDArray[np.bool_]
    shown: tuple[tuple[str, int, int], ...] = ()


def queries(evals: Path) -> list[Query]:
    with (evals / "queries.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Query(r["repo"], r["query"], r["category"], tuple(r["relevant"])) for r in rows]


def scorer(evals: Path) -> Any:
    """Import the benchmark's own score.py, so that its rules are not written twice."""
    spec = importlib.util.spec_from_file_location("evals_score", evals / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["evals_score"] = module
    spec.loader.exec_module(module)
    return module


Seen = dict[Evidence, list[Candidates]]
"""What was seen of each query, by the evidence that was left."""


def collect(repos: Path, wanted: list[Query], work: Path | None = None) -> Seen:
    """See every query's candidates as the ranker sees them; `work` keeps them for the next run."""
    out: Seen = {one: [] for one in EVIDENCE}
    for repo in sorted({query.repo for query in wanted}):
        mine = [query for query in wanted if query.repo == repo]
        tree = repos / repo
        kept = work / f"{repos.name}+{repo}.pickle" if work else None
        seen = kept_in(kept, partial(_collected, tree, mine))
        for evidence in EVIDENCE:
            out[evidence] += seen[evidence]
    return out


def _collected(tree: Path, mine: list[Query]) -> Seen:
    """Index what is not indexed, and ask."""
    with Index.open(tree, root=True) as index:
        index.sync()
        return grouped(seen_by(index, mine))


def grouped(found: Iterable[tuple[Evidence, Candidates]]) -> Seen:
    seen: Seen = {one: [] for one in EVIDENCE}
    for evidence, one in found:
        seen[evidence].append(one)
    return seen


def kept_in(file: Path | None, make: Callable[[], Seen]) -> Seen:
    """Read what an earlier run wrote, or make and write it: delete it when signals change."""
    if file and file.exists():
        with file.open("rb") as handle:
            seen: Seen = pickle.load(handle)
            return seen
    seen = make()
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as handle:
            pickle.dump(seen, handle)
    return seen


def seen_by(index: Index, mine: list[Query]) -> Iterator[tuple[Evidence, Candidates]]:
    """Yield what the ranker sees of each query, for each kind of evidence."""
    with index.reader().corpus() as (catalog, corpus):
        vectors = query_vectors(corpus, index.encoder_of(model_of(corpus)))
        allowed = file_mask(corpus, Filters()) & ~corpus.is_navigation
        for query in mine:
            question, scores = scores_of(catalog, corpus, Request(query.text, Filters(), vectors))
            for evidence in EVIDENCE if corpus.dense.present.any() else EVIDENCE[:2]:
                level, seen = _reduced(corpus, scores, evidence)
                ranked = rank(level, seen, question=question, allowed=allowed)[:_SHOWN]
                found = _candidates(level, seen, query, asked_of(question), allowed)
                hits = read_hits(catalog, ranked, repo=query.repo)
                shown = tuple((hit.path, hit.start_line, hit.end_line) for hit in hits)
                yield evidence, replace(found, shown=shown)


def _reduced(corpus: Corpus, scores: Scores, evidence: Evidence) -> tuple[Corpus, Scores]:
    """Take away what an index without the model, or without its vectors, would not have."""
    none = np.zeros_like(scores.dense)
    if evidence == "dense":
        return corpus, scores
    corpus = replace(corpus, dense=corpus.dense.empty())
    if evidence == "token":
        return corpus, replace(scores, dense=none)
    corpus = replace(corpus, token=corpus.token.empty(), statistics=None)
    return corpus, replace(scores, dense=none, token=none)


def _candidates(
    corpus: Corpus, scores: Scores, query: Query, asked: Asked, allowed: npt.NDArray[np.bool_]
) -> Candidates:
    files = candidates(corpus, scores, allowed)
    paths = tuple(corpus.paths[file] for file in files)
    relevant = np.array([path in query.relevant for path in paths], dtype=bool)
    return Candidates(query, asked, paths, file_signals(corpus, files, scores), relevant)


def ndcg10(found: Candidates, weights: npt.NDArray[np.float64]) -> float:
    """File-level NDCG@10 with binary gains, as score.py computes it."""
    order = np.argsort(-(found.rows @ weights), kind="stable")[:10]
    gains = found.relevant[order] / np.log2(np.arange(len(order)) + 2)
    ideal = (1 / np.log2(np.arange(min(10, len(found.query.relevant))) + 2)).sum()
    return float(gains.sum() / ideal)
