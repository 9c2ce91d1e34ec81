"""Measure questions about relations: `relation_speed.py REPO... [--home DIR] [--answers FOLDER]`.

200 symbols (`--symbols`) are drawn: the most called functions and types are a quarter of them, the
others are drawn with a chance that rises with the number of calls. `for-diff` is asked about the
last 40 commits, `unused` about the whole tree and its first folders. One index stays open, and
every question is asked once to warm up and then `--rounds` times; the figures of a question are its
least time by the clock and its least processor time, with the look for changed files that each
question begins with.
`--answers` writes every answer to a file, so that two versions can be compared with `diff -r`.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from codeindex import Index
from codeindex.errors import QueryError

_CALLED = (
    "SELECT f.path || '::' || s.qualified, count(*) FROM edges e"
    " JOIN symbols s ON s.id = e.target_symbol JOIN files f ON f.id = s.file_id"
    " WHERE e.kind = 'calls' AND NOT f.is_test"
    " AND s.kind IN ('function', 'method', 'class', 'interface', 'constructor')"
    " GROUP BY 1 ORDER BY 2 DESC, 1"
)
_TYPES = (
    "SELECT f.path || '::' || s.qualified, count(*) FROM edges e"
    " JOIN symbols s ON s.id = e.target_symbol JOIN files f ON f.id = s.file_id"
    " WHERE e.kind = 'extends' AND NOT f.is_test GROUP BY 1 ORDER BY 2 DESC, 1"
)
_COMMITS, _FOLDERS = 40, 20
_SEED = 5
_WANTED_P95 = 100
"""Milliseconds."""
Question = Callable[[], object]


class Time(NamedTuple):
    """Milliseconds of one answer; the processor time leaves out that of subprocesses, like git."""

    clock: float
    processor: float


def sample(rows: Sequence[tuple[str, int]], size: int) -> list[str]:
    """Return the most used names, and others drawn by the number of their uses."""
    most = size // 4
    names = [name for name, _ in rows[:most]]
    chance = random.Random(_SEED)
    rest = [(chance.random() ** (1 / uses), name) for name, uses in rows[most:]]
    return names + [name for _, name in sorted(rest, reverse=True)[: size - most]]


def questions(index: Index, root: Path, size: int) -> Mapping[str, Mapping[str, Question]]:
    """Return {kind of question: {what it is about: the question}}."""
    with index.reader().catalog() as (catalog, _):
        called, types = (
            sample(catalog.connection.execute(query).fetchall(), size)
            for query in (_CALLED, _TYPES)
        )
    graph, changes = index.graph, index.changes
    asked: dict[str, dict[str, Question]] = {
        "callers": {name: partial(graph.callers, name) for name in called},
        "callees": {name: partial(graph.callees, name) for name in called},
        "implementers": {name: partial(graph.implementers, name) for name in types},
        "impact": {name: partial(graph.impact, name) for name in called},
        "related-tests": {name: partial(graph.related_tests, name) for name in called},
        "context": {name: partial(changes.context, name) for name in called},
    }
    folders = sorted(str(path.relative_to(root)) for path in root.iterdir() if path.is_dir())
    asked["unused"] = {".": partial(graph.unused)}
    asked["unused"] |= {
        folder: partial(graph.unused, folder)
        for folder in folders[:_FOLDERS]
        if not folder.startswith(".")
    }
    asked["for-diff"] = {
        commit: partial(changes.for_diff, f"{commit}~1..{commit}") for commit in _commits(root)
    }
    return asked


def _commits(root: Path) -> list[str]:
    command = ["git", "-C", str(root), "log", "--no-merges", f"-{_COMMITS + 1}", "--format=%h"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()[:-1]


def measure(
    root: Path, *, size: int, kinds: Collection[str], rounds: int, answers: Path | None
) -> Iterator[str]:
    """Yield the figures of one repository, two lines of text for each kind of question."""
    with Index.open(root) as index:
        index.sync(structure_only=True)
        for kind, asked in questions(index, root, size).items():
            if kinds and kind not in kinds:
                continue
            times = {}
            for about, question in asked.items():
                text = answer(question)
                if answers:
                    place = answers / root.name / kind / f"{about.replace('/', '+')[-200:]}.txt"
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_text(text)
                times[about] = Time(
                    *map(min, zip(*(timed(question) for _ in range(rounds)), strict=True))
                )
            by_clock = {about: each.clock for about, each in times.items()}
            by_processor = {about: each.processor for about, each in times.items()}
            yield f"{root.name}: {kind:14} clock {summary(by_clock)}"
            yield f"{root.name}: {kind:14} processor {summary(by_processor)}"


def answer(question: Question) -> str:
    try:
        return repr(question())
    except QueryError as error:
        return str(error)


def timed(question: Question) -> Time:
    started = Time(time.perf_counter(), time.process_time())
    answer(question)
    return Time(
        (time.perf_counter() - started.clock) * 1000,
        (time.process_time() - started.processor) * 1000,
    )


def summary(times: Mapping[str, float]) -> str:
    """Return median, 95th percentile and maximum, and what took longest."""
    if not times:
        return "nothing to ask"
    ordered = sorted(times.values())
    late = ordered[int(0.95 * (len(ordered) - 1))]
    over = " OVER" if late > _WANTED_P95 else ""
    slowest = max(times, key=times.__getitem__)
    return (
        f"{len(ordered):4} questions, median {statistics.median(ordered):.0f} ms, p95 {late:.0f},"
        f" most {ordered[-1]:.0f} ({slowest}){over}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--home", help="data folder; a temporary one by default")
    parser.add_argument("--symbols", type=int, default=200)
    parser.add_argument("--kinds", nargs="*", default=[], help="only these questions: impact ...")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--answers", type=Path, help="folder for the answers")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEINDEX_HOME", arguments.home or folder)
        patch.setenv("CODEINDEX_EMBEDDING_MODEL", "none")
        for root in arguments.repositories:
            lines = measure(
                root.resolve(),
                size=arguments.symbols,
                kinds=arguments.kinds,
                rounds=arguments.rounds,
                answers=arguments.answers,
            )
            for line in lines:
                print(line, flush=True)


if __name__ == "__main__":
    main()
