"""The retrieval benchmark: its questions, and the scripts that score a run.

The questions are those of semble's public benchmark (MinishLab/semble, `benchmarks/`). A folder
with `queries.jsonl`, `places_dev.jsonl`, `score.py` and `score_places.py`, and one work tree a
repository, are given as arguments.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from searched import Answered

Places = Mapping[str, float]
"""Figures of score_places.py: `n`, `empty`, `place1`, `place3`, `mrr10`, `best1`, `given_file`."""


@dataclass(frozen=True, slots=True)
class Query:
    """A labelled question; a target without lines is its whole file."""

    repo: str
    text: str
    category: str
    targets: tuple[Mapping[str, Any], ...]

    @property
    def relevant(self) -> frozenset[str]:
        return frozenset(target["path"] for target in self.targets)


def queries(evals: Path) -> list[Query]:
    with (evals / "queries.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Query(r["repo"], r["query"], r["category"], tuple(r["relevant"])) for r in rows]


def places_of(evals: Path) -> dict[tuple[str, str], list[Mapping[str, Any]]]:
    """Return the labelled functions of a repository's questions, by the SHA-1 of their text."""
    with (evals / "places_dev.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {(row["repo"], row["query_sha1"]): row["places"] for row in rows}


def scorer(evals: Path) -> Any:
    """Import the benchmark's own score.py, so that its rules are not written twice."""
    spec = importlib.util.spec_from_file_location("evals_score", evals / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["evals_score"] = module
    spec.loader.exec_module(module)
    return module


def write_run(file: Path, answered: Iterable[tuple[Query, Answered]]) -> None:
    """Write answers as score.py and score_places.py read them, a JSON object a line."""
    keys = ("path", "start_line", "end_line")
    with file.open("w", encoding="utf-8") as out:
        for query, answer in answered:
            hits = [(one.path, one.first, one.last) for one in answer.hits]
            results = [dict(zip(keys, hit, strict=True)) for hit in hits]
            row = {"repo": query.repo, "query": query.text, "results": results}
            out.write(json.dumps(row) + "\n")


def place_figures(evals: Path, run: Path) -> Places:
    """Run the benchmark's score_places.py on a run."""
    script, labels = evals / "score_places.py", evals / "places_dev.jsonl"
    command = [sys.executable, str(script), str(labels), str(run), "--json"]
    done = subprocess.run(command, check=True, capture_output=True)
    figures: Places = json.loads(done.stdout)
    return figures
