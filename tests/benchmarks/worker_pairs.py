"""Time the workers of two checkouts on the same files: `worker_pairs.py OLD NEW FOLDER...`.

OLD and NEW are checkouts of codeindex. Both prepare every file of a folder in turns, one file at a
time in a process each, so that what disturbs the machine disturbs both. Of each file the least
processor time of all rounds counts. It prints the ratio, and how many files gave another result.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SERVE = "--serve"
MEGABYTE = 1e6


@dataclass(frozen=True, slots=True)
class Prepared:
    """Processor time of one file in nanoseconds, and the digest of its reply."""

    nanoseconds: int
    digest: str


class Child:
    """A process that prepares files with one checkout."""

    def __init__(self, checkout: Path, root: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__, SERVE, str(root)],
            env={**os.environ, "PYTHONPATH": str(checkout)},  # noqa: TID251 (adds to what it was given)
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def prepare(self, path: str) -> Prepared:
        """Have the process prepare a file; exit with a message if it has ended."""
        if self._process.stdin is None or self._process.stdout is None:
            sys.exit("no pipes")
        self._process.stdin.write(path + "\n")
        self._process.stdin.flush()
        fields = self._process.stdout.readline().split()
        if not fields:
            sys.exit(f"the process died with {path}")
        return Prepared(int(fields[0]), fields[1])

    def close(self) -> None:
        if self._process.stdin:
            self._process.stdin.close()
        self._process.wait()


def serve(root: Path) -> None:
    """Prepare the files whose paths come on standard input."""
    from codeindex.child_process.limits import relax_garbage_collection
    from codeindex.embed.tokens import tokenizer_for
    from codeindex.ingest.read.redact import SecretRules
    from codeindex.ingest.workers import protocol
    from codeindex.ingest.workers.prepare import PrepareOptions, prepare_file
    from codeindex.languages import language_for_path
    from codeindex.types import SourceFile

    rules = SecretRules(trusted=(), patterns=(), key=b"k" * 32)
    options = PrepareOptions(tokenizer_for(None), rules, 10**9)
    relax_garbage_collection()
    for line in sys.stdin:
        path = line.removesuffix("\n")
        stat = (root / path).stat()
        times = stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
        language = language_for_path(path)
        file = SourceFile(path, language.name if language else "text", *times)
        begun = time.process_time_ns()
        reply = protocol.reply_line(prepare_file(root, file, options))
        spent = time.process_time_ns() - begun
        print(spent, hashlib.sha256(reply).hexdigest(), flush=True)


def compare(old: Path, new: Path, root: Path, *, rounds: int, step: int) -> None:
    """Print the line of one folder."""
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "-z"], check=True, capture_output=True, text=True
    ).stdout.split("\0")
    tracked = [path for path in listed if path and "\n" not in path]
    paths = [path for path in tracked if (root / path).is_file()][::step]
    children = Child(old, root), Child(new, root)
    best: tuple[dict[str, int], dict[str, int]] = {}, {}
    other = set()
    for number in range(rounds):
        for index, path in enumerate(paths):
            order = (0, 1) if (index + number) % 2 else (1, 0)
            results = {which: children[which].prepare(path) for which in order}
            for which, result in results.items():
                known = best[which].get(path, result.nanoseconds)
                best[which][path] = min(known, result.nanoseconds)
            if results[0].digest != results[1].digest:
                other.add(path)
    for child in children:
        child.close()
    print(row(root, paths, best, len(other)), flush=True)


def row(root: Path, paths: Sequence[str], best: Sequence[dict[str, int]], other: int) -> str:
    megabytes = sum((root / path).stat().st_size for path in paths) / MEGABYTE
    before, after = (sum(times.values()) / 1e9 for times in best)
    return (
        f"| {root.name}, {megabytes:.1f} MB | {before:.2f} s | {after:.2f} s | {after / before:.2f}"
        f" | {60 * megabytes / before:.1f} | {60 * megabytes / after:.1f} | {other} |"
    )


def main() -> None:
    if sys.argv[1:2] == [SERVE]:
        serve(Path(sys.argv[2]))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--step", type=int, default=1, help="prepare only each n-th file")
    args = parser.parse_args()
    print("| folder | old | new | ratio | MB a minute, old | new | files that differ |")
    print("|---|---|---|---|---|---|---|")
    for folder in args.folders:
        root = folder.absolute()
        compare(args.old.absolute(), args.new.absolute(), root, rounds=args.rounds, step=args.step)


if __name__ == "__main__":
    main()
