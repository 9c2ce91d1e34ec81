"""Measure what a client waits for: `hooks.py REPO [--home DIR] [--starts N]`.

Each hook is started as a process of its own, in turn with a bare interpreter. The budget is for a
machine that does nothing else, so processor time is judged and the time on the clock only printed.
REPO is indexed into the data folder if it is not there yet. Bytecode is compiled first, as an
installer does.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from meter import Timings, alternating, processor_seconds

import codeindex
from codeindex import Index

BUDGET = 0.150
EVENTS = ("pre-read", "session-start", "post-edit")


def started(words: Sequence[str], said: bytes) -> Callable[[], None]:
    """Return what runs a process once, with this on its standard input."""

    def run() -> None:
        line = [sys.executable, "-P", *words]
        subprocess.run(line, input=said, check=True, capture_output=True)

    return run


def busiest(index: Index) -> str:
    """Return the file that most others use: the slowest question."""
    with index.reader().catalog() as (catalog, _):
        row = catalog.connection.execute(
            "SELECT f.path FROM edges e JOIN files f ON f.id = e.target_file"
            " GROUP BY f.id ORDER BY count(DISTINCT e.source_file) DESC LIMIT 1"
        ).fetchone()
    return str(row[0])


def seconds_of_processor(run: Callable[[], None], times: int) -> float:
    """Return the least processor time of several runs."""
    found = []
    for _ in range(times):
        before = processor_seconds()
        run()
        found.append(processor_seconds() - before)
    return min(found)


def row(name: str, timings: Timings, processor: float) -> str:
    verdict = "" if name == "python" else "ok" if processor < BUDGET else "OVER"
    return f"{name:16} {timings!s:36} processor {processor * 1000:5.0f} ms  {verdict}".rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--home", default="")
    parser.add_argument("--starts", type=int, default=20)
    given = parser.parse_args()
    if given.home:
        os.environ["CODEINDEX_HOME"] = given.home  # noqa: TID251
    os.environ["CODEINDEX_HOOK_MS"] = "10000"  # noqa: TID251
    compileall.compile_dir(Path(codeindex.__file__).parent, quiet=1)
    with Index.open(given.repository) as index:
        if not index.is_indexed:
            index.sync(structure_only=True)
        file = index.root / busiest(index)
        call = {"cwd": str(index.root), "tool_input": {"file_path": str(file)}}
    said = json.dumps(call).encode()  # no session: each start has everything to say
    runs = {"python": started(["-c", "pass"], b"")} | {
        event: started(["-m", "codeindex", "hook", event], said) for event in EVENTS
    }
    print(f"{given.starts} starts each, budget {BUDGET * 1000:.0f} ms; read: {file.name}")
    timings = alternating(list(runs.values()), given.starts)
    for (name, run), one in zip(runs.items(), timings, strict=True):
        print(row(name, one, seconds_of_processor(run, 5)))


if __name__ == "__main__":
    main()
