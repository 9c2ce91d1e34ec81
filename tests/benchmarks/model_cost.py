"""Processor time and memory of the transformers: `model_cost.py FOLDER [--models ID...]`.

In new processes, the models in turn: what the first vector of a question costs (import, checksum,
session, one run), and what 256 pieces of 25 lines of the Python files in FOLDER cost after that,
cut at 128 tokens. Prints medians: seconds of processor time until the first vector,
the resident megabytes that it adds to the interpreter with numpy, pieces for each second of
processor time, and the most resident megabytes of the process.
"""

from __future__ import annotations

import argparse
import itertools
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy  # noqa: ICN001, F401 (the baseline of the memory that a model adds)
import psutil

from codeindex.config import data_home

PIECES, LINES, TOKENS = 256, 25, 128
_QUESTION = "where is a lost connection opened again"


def measure(folder: Path, model_id: str) -> dict[str, float]:
    """Return what a model costs in this process."""
    before, started = psutil.Process().memory_info().rss, time.process_time()
    from codeindex.embed.encoder import Encoder  # the time of importing it counts
    from codeindex.embed.lock import find_model, load_lock
    from codeindex.types import SafeText

    encoder = Encoder(data_home(), find_model(load_lock(data_home()), model_id), threads=2)
    encoder.dense_query(_QUESTION)
    first, after = time.process_time() - started, psutil.Process().memory_info().rss
    texts = [SafeText(one) for one in itertools.islice(pieces(folder), PIECES)]
    encoder.embedder().documents(texts[:8], max_tokens=TOKENS)  # opens the session for documents
    started = time.process_time()
    encoder.embedder().documents(texts, max_tokens=TOKENS)
    return {
        "first": first,
        "added": (after - before) / 1e6,
        "speed": len(texts) / (time.process_time() - started),
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
    }


def pieces(folder: Path) -> Iterator[str]:
    """Yield `LINES` lines at a time of the Python files of a folder, in order of paths."""
    for file in sorted(folder.rglob("*.py")):
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
        for at in range(0, len(lines) - LINES, LINES):
            yield "".join(lines[at : at + LINES])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", nargs="+", default=["minilm-l6-int8", "codeindex-encoder"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.here:
        print(json.dumps(measure(args.folder, args.models[0])))
        return
    found: dict[str, list[dict[str, float]]] = {one: [] for one in args.models}
    for _, model in itertools.product(range(args.rounds), args.models):
        words = [sys.executable, __file__, str(args.folder), "--here", "--models", model]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        found[model].append(json.loads(done.stdout))
    for model, rows in found.items():
        middle = {key: statistics.median(one[key] for one in rows) for key in rows[0]}
        print(
            f"{model:20} first vector {middle['first']:.2f} s, {middle['added']:.0f} MB;"
            f" {middle['speed']:.0f} pieces a second; at most {middle['peak']:.0f} MB"
        )


if __name__ == "__main__":
    main()
