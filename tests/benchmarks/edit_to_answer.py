"""Time two checkouts from an edit to the answer: `edit_to_answer.py OLD NEW FOLDER [--work DIR]`.

OLD and NEW are checkouts of codeindex. FOLDER, a git repository, is copied, and each checkout
indexes the copy in a data folder of its own and keeps the index open. Then a file is edited, and
both are asked in turns for the word that is new, so that what disturbs the machine disturbs both.
Files under DIR are kept, and used again by the next run.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from string import ascii_lowercase
from typing import NamedTuple

from edited_file import source_files

SERVE = "--serve"
_WARM_UP = 3
"""Edits that are not counted: the first ones start workers and load what later ones keep."""
_RACY_SECONDS = 2.1
"""Files changed less than this before they were read are compared by content."""


class Seconds(NamedTuple):
    """Elapsed and processor seconds of one answer; workers are not counted."""

    elapsed: float
    processor: float


class Child:
    """A process that answers questions with one checkout."""

    def __init__(self, checkout: Path, root: Path, home: Path) -> None:
        home.mkdir(exist_ok=True)
        given = {
            "PYTHONPATH": str(checkout),
            "HOME": str(home),
            "CODEINDEX_HOME": str(home),
            "CODEINDEX_CONFIG": str(home / "config"),
            "CODEINDEX_EMBEDDING_MODEL": "codeindex-static",
        }
        self._process = subprocess.Popen(
            [sys.executable, __file__, SERVE, str(root)],
            env={**os.environ, **given},  # noqa: TID251 (adds to what it was given)
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, word: str) -> Seconds:
        """Have the process ask for a word; exit with a message if it finds no hit."""
        if self._process.stdin is None or self._process.stdout is None:
            sys.exit("no pipes")
        self._process.stdin.write(word + "\n")
        self._process.stdin.flush()
        fields = self._process.stdout.readline().split()
        if not fields:
            sys.exit(f"the process ended when it was asked for {word}")
        return Seconds(*map(float, fields))

    def close(self) -> None:
        if self._process.stdin:
            self._process.stdin.close()
        self._process.wait()


def serve(root: Path) -> None:
    """Index a tree, and ask for each word that comes on standard input."""
    from codeindex import Index

    with Index.open(root, root=True) as index:
        index.sync(structure_only=True)
        for line in sys.stdin:
            word = line.removesuffix("\n")
            begun, used = time.perf_counter(), time.process_time()
            answer = index.search(word)
            seconds = Seconds(time.perf_counter() - begun, time.process_time() - used)
            if not any(word in hit.text for hit in answer.hits):
                sys.exit(f"{word} is not found")
            print(*seconds, flush=True)


def compare(children: Sequence[Child], root: Path, *, edits: int, pause: float) -> None:
    """Edit files, ask both processes, and print the table."""
    files = source_files(root)
    middle = files[len(files) // 4 : len(files) * 3 // 4]
    chance = random.Random(1)
    found: tuple[list[Seconds], ...] = ([], [])
    for number in range(-_WARM_UP, edits):
        file = chance.choice(middle)
        original = file.read_bytes()
        word = "quagga" + "".join(chance.choices(ascii_lowercase, k=12))
        time.sleep(pause)
        file.write_bytes(original + f"\n# {word}\n".encode())
        for which in (0, 1) if number % 2 else (1, 0):
            seconds = children[which].ask(word)
            if number >= 0:
                found[which].append(seconds)
    print("| milliseconds | old | new | ratio |\n|---|---|---|---|")
    for what, place in (("elapsed", 0), ("processor", 1)):
        for share in (50, 95):
            old, new = (_percentile([row[place] for row in rows], share) for rows in found)
            line = f"| {what}, p{share} | {old * 1000:.0f} | {new * 1000:.0f} | {new / old:.2f} |"
            print(line, flush=True)


def _percentile(seconds: Sequence[float], share: int) -> float:
    return statistics.quantiles(seconds, n=100, method="inclusive")[share - 1]


def main() -> None:
    if sys.argv[1:2] == [SERVE]:
        serve(Path(sys.argv[2]))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--edits", type=int, default=40)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds before each edit")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = (args.work or Path(folder)).absolute()
        work.mkdir(exist_ok=True)
        root = work / args.folder.name
        if not root.exists():
            subprocess.run(["git", "clone", "-q", args.folder, root], check=True)
        checkouts = {"old": args.old.absolute(), "new": args.new.absolute()}
        children = [Child(path, root, work / name) for name, path in checkouts.items()]
        time.sleep(_RACY_SECONDS)
        compare(children, root, edits=args.edits, pause=args.pause)
        for child in children:
            child.close()


if __name__ == "__main__":
    main()
