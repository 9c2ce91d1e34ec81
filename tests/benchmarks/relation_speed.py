"""Measure `impact` of the most called functions: `impact_speed.py REPO... [--home DIR]`.

One index stays open, and each question is asked three times; the figures are the least processor
time of each, in milliseconds. The digest is that of all reports: it shows whether a change of the
program changes an answer.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from codeindex import Index

_MOST_CALLED = (
    "SELECT f.path || '::' || s.qualified FROM edges e JOIN symbols s ON s.id = e.target_symbol"
    " JOIN files f ON f.id = s.file_id WHERE e.kind = 'calls' AND s.kind IN ('method', 'function')"
    " GROUP BY s.id ORDER BY count(*) DESC, s.id LIMIT 25"
)
_OTHERS = (
    "SELECT f.path || '::' || s.qualified FROM symbols s JOIN files f ON f.id = s.file_id"
    " WHERE s.kind IN ('method', 'function', 'class', 'field') AND NOT f.is_test"
    " ORDER BY f.path, s.number"
)
_DRAWN = 175


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--home", help="data folder; a temporary one by default")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEINDEX_HOME", arguments.home or folder)
        for root in arguments.repositories:
            measure(root)


def measure(root: Path) -> None:
    """Print the figures of one repository."""
    with Index.open(root) as index:
        index.sync(structure_only=True)
        with index.reader().catalog() as (catalog, _):
            called, others = (
                [name for (name,) in catalog.connection.execute(query)]
                for query in (_MOST_CALLED, _OTHERS)
            )
        drawn = random.Random(5).sample(others, min(_DRAWN, len(others)))
        digest = hashlib.sha256()
        for label, names in (("most called", called), ("at random", drawn)):
            times = sorted(ask(index, name, digest) for name in names)
            print(f"{root.name}: {len(times)} {label}: {summary(times)}")
        print(f"{root.name}: digest {digest.hexdigest()[:16]}")


def ask(index: Index, name: str, digest: hashlib._Hash) -> float:
    """Return the least processor time of three answers, in milliseconds."""
    digest.update(repr(index.graph.impact(name)).encode())
    times = []
    for _ in range(3):
        started = time.process_time()
        index.graph.impact(name)
        times.append((time.process_time() - started) * 1000)
    return min(times)


def summary(times: Sequence[float]) -> str:
    """Return median, 95th percentile and maximum of sorted times."""
    late = times[int(0.95 * (len(times) - 1))]
    return f"median {statistics.median(times):.0f} ms, p95 {late:.0f}, most {times[-1]:.0f}"


if __name__ == "__main__":
    main()
