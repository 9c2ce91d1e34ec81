"""Time codeindex beside semble, both with words only: `beside_semble.py FOLDER... --semble PYTHON`.

PYTHON is the interpreter of an environment with `semble==0.7`. Each folder is copied, so that it
stays as it is. In every round each tool makes a first index in a fresh home, then answers from it;
the tools take turns, so that what disturbs the machine disturbs both. codeindex runs with
`embedding.model: none`, semble with a stand-in for its model, so that both only cut files, count
words and rank by them; codeindex also redacts secrets and extracts symbols and relations.

Figures are medians over the rounds. On a loaded machine compare processor seconds and ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MEGABYTE = 1e6
QUERY = "how are options parsed and checked"


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool to time. A folder is added to the end of `search`, and a step with its arguments to
    that of `steps`."""

    name: str
    steps: tuple[str, ...]
    """The command that runs a step of `codeindex_steps.py` or `semble_steps.py`."""
    search: tuple[str, ...]
    """The command that asks `QUERY` in a new process."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Seconds, memory and output of a finished process; times include children it waited for."""

    wall: float
    processor: float
    megabytes: float
    """Resident memory of the largest process."""
    output: str


@dataclass(frozen=True, slots=True)
class Round:
    """The figures of one tool in one round; seconds, megabytes and counts."""

    figures: Mapping[str, float]


UNITS = {
    "complete words searchable": "s",
    "whole structure phase": "s",
    "processor time of it": "s",
    "source a minute of processor": "MB",
    "largest process": "MB",
    "data folder over source": "times",
    "no-change sync": "ms",
    "edit to answer": "ms",
    "processor time of an edit": "ms",
    "cold search": "ms",
    "processor time of a cold search": "ms",
    "warm search": "ms",
}
"""The rows of the table, and the unit of each."""


def tools(semble: str) -> tuple[Tool, Tool]:
    theirs = (semble, str(HERE / "semble_steps.py"))
    return (
        Tool(
            "codeindex",
            (sys.executable, str(HERE / "codeindex_steps.py")),
            (sys.executable, "-P", "-m", "codeindex", "search", QUERY),
        ),
        Tool("semble", theirs, (*theirs, "search", QUERY)),
    )


def measure(tool: Tool, root: Path, home: Path) -> tuple[Round, Mapping[str, Any]]:
    """Make an index in a fresh home and answer from it; also return what the first step counted."""
    home.mkdir()
    first = run((*tool.steps, "first", str(root), str(home)), home)
    made: Mapping[str, Any] = json.loads(first.output)
    stored = sum(file.stat().st_size for file in home.rglob("*") if file.is_file())
    # Times of files that were read at once after they changed prove nothing: both tools look twice.
    again: Mapping[str, Any] = json.loads(
        run((*tool.steps, "again", str(root), str(home)), home).output
    )
    cold = [run((*tool.search, str(root)), home) for _ in range(3)]
    source = made["bytes"] / MEGABYTE
    return Round(
        {
            "complete words searchable": made["words"],
            "whole structure phase": made["whole"],
            "processor time of it": first.processor,
            "source a minute of processor": source / (first.processor / 60),
            "largest process": first.megabytes,
            "data folder over source": stored / made["bytes"],
            "no-change sync": 1000 * statistics.median(again["quiet"]),
            "edit to answer": 1000 * statistics.median(again["edits"]),
            "processor time of an edit": 1000 * statistics.median(again["edits_processor"]),
            "cold search": 1000 * statistics.median(each.wall for each in cold),
            "processor time of a cold search": 1000
            * statistics.median(each.processor for each in cold),
            "warm search": 1000 * statistics.median(again["queries"]),
        }
    ), made


def run(command: Sequence[str], home: Path) -> Usage:
    """Run a process with a home of its own; end the benchmark if it fails."""
    environment = {
        **os.environ,  # noqa: TID251 (it adds to the environment that it was given)
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "CODEINDEX_HOME": str(home / "data"),
        "CODEINDEX_CONFIG": str(home / "config"),
        "CODEINDEX_EMBEDDING_MODEL": "none",
    }
    started = time.perf_counter()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        output.seek(0)
        errors.seek(0)
        if status:
            sys.exit(f"{' '.join(command)}\n{errors.read().decode()}")
        return Usage(
            wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000, output.read().decode()
        )


def copied(folder: Path, target: Path) -> Path:
    """Copy what git tracks, with the history, or a whole folder without git."""
    if (folder / ".git").exists():
        subprocess.run(["git", "clone", "-q", "--no-hardlinks", folder, target], check=True)
    else:
        shutil.copytree(folder, target, symlinks=True)
    return target


def rows(rounds: Mapping[str, Sequence[Round]]) -> Iterator[str]:
    """Yield a Markdown table: medians of both tools, and how many times semble's ours is."""
    yield "| | codeindex | semble, words only | ratio |"
    yield "|---|---|---|---|"
    for name, unit in UNITS.items():
        ours, theirs = (
            statistics.median(each.figures[name] for each in rounds[tool])
            for tool in ("codeindex", "semble")
        )
        shown = (f"{value:,.0f}" if value >= 100 else f"{value:.2f}" for value in (ours, theirs))
        first, second = shown
        yield f"| {name} | {first} {unit} | {second} {unit} | {ours / theirs:.2f} |"


def compare(folder: Path, pair: Sequence[Tool], rounds: int) -> None:
    """Print the table of one folder."""
    results: dict[str, list[Round]] = {tool.name: [] for tool in pair}
    counted: dict[str, Mapping[str, Any]] = {}
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        root = copied(folder, work / folder.name)
        for number in range(rounds):
            for tool in pair:
                figures, counted[tool.name] = measure(tool, root, work / f"{tool.name}-{number}")
                results[tool.name].append(figures)
                shutil.rmtree(work / f"{tool.name}-{number}")
    sizes = (
        f"{tool}: {made['files']:,} files, {made['chunks']:,} chunks,"
        f" {made['bytes'] / MEGABYTE:.1f} MB"
        for tool, made in counted.items()
    )
    print(f"\n{folder.name} ({'; '.join(sizes)})\n")
    for row in rows(results):
        print(row, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--semble", required=True, help="the interpreter that has semble")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    for folder in args.folders:
        compare(folder.absolute(), tools(args.semble), args.rounds)


if __name__ == "__main__":
    main()
