"""Check answers to flow questions against ways that were found by reading the code.

    python tests/benchmarks/flows.py FOLDER

FOLDER holds a work tree a repository, called as on its host, at the commit that the table names and
indexed. A question counts as answered if one of the paths has the steps of the table, in order.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import time
from pathlib import Path

from codeindex import Index

GOLDEN = Path(__file__).parent / "golden" / "flows.tsv"


def main(folder: Path) -> int:
    """Print a line a question; return how many went wrong."""
    wrong = 0
    with GOLDEN.open(encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle, delimiter="\t"):
            root = folder / row["repository"].partition("/")[2]
            if _commit(root) != row["commit"]:
                sys.exit(f"{root} is not at {row['commit']}.")
            started = time.perf_counter()
            found = _paths(root, row["question"])
            took = time.perf_counter() - started
            ok = row["steps"].split() in found
            wrong += not ok
            print(f"{'ok' if ok else 'WRONG':5} {took * 1000:6.0f} ms  {row['question']}")
            for path in () if ok else found:
                print(f"      found {' '.join(path)}")
    return wrong


def _commit(root: Path) -> str:
    command = ["git", "-C", str(root), "rev-parse", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _paths(root: Path, question: str) -> list[list[str]]:
    with Index.open(root) as index:
        flow = index.search(question).meta.get("flow", {"paths": []})
    return [[f"{step['path']}:{step['line']}" for step in path] for path in flow["paths"]]


if __name__ == "__main__":
    sys.exit(bool(main(Path(sys.argv[1]))))
