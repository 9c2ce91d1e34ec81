"""Measure a first index with and without a bundle: `python tests/benchmarks/bundles.py FOLDER`.

FOLDER is a git repository; it is copied, so that it stays as it is. Each command runs as a process
of its own in a fresh data folder, with the static model. Prints wall-clock and processor seconds;
on a loaded machine only the latter can be compared.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_SHARE = 0.02
"""Share of the files that a colleague has changed since the bundle was written."""


def run(home: Path, *words: str) -> tuple[float, float, str]:
    """Run the command line; return wall-clock seconds, processor seconds, and the last note."""
    environment = {
        **os.environ,  # noqa: TID251 (it adds to the environment that it was given)
        "HOME": str(home),
        "CODEINDEX_HOME": str(home),
        "CODEINDEX_CONFIG": str(home / "config"),
        "CODEINDEX_EMBEDDING_MODEL": "codeindex-static",
    }
    started = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "codeindex", *words],
            env=environment,
            stdout=output,
            stderr=output,
        )
        _, status, usage = os.wait4(process.pid, 0)
        output.seek(0)
        text = output.read().decode()
    if status:
        sys.exit(text)
    notes = [line for line in text.splitlines() if "bundle" in line]
    wall = time.perf_counter() - started
    return wall, usage.ru_utime + usage.ru_stime, notes[0] if notes else text.splitlines()[0]


def change_files(root: Path) -> None:
    """Append a line to some of the files that git tracks."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True)
    paths = [path for path in listed.stdout.decode().split("\0") if path]
    for path in random.Random(1).sample(paths, int(_SHARE * len(paths))):
        if (root / path).is_file():
            with (root / path).open("a", encoding="utf-8") as file:
                file.write("\n")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        root, bundle = work / "tree", work / "bundle"
        subprocess.run(["git", "clone", "-q", sys.argv[1], root], check=True)
        steps = (
            ("index without a bundle", "author", ("index", str(root))),
            ("export", "author", ("export", str(root), "--to", str(bundle))),
            ("index with the bundle", "colleague", ("index", str(root), "--from", str(bundle))),
            (
                "the same, 2 % of the files changed",
                "late",
                ("index", str(root), "--from", str(bundle)),
            ),
        )
        print(f"{'step':36} {'wall s':>8} {'processor s':>12}")
        for step, home, words in steps:
            if home == "late":
                change_files(root)
            (work / home).mkdir(exist_ok=True)
            wall, processor, note = run(work / home, *words)
            print(f"{step:36} {wall:8.1f} {processor:12.1f}   {note}", flush=True)
        size = sum(path.stat().st_size for path in bundle.rglob("*") if path.is_file())
        print(f"{'size of the bundle':36} {size / 1e6:8.1f} MB")


if __name__ == "__main__":
    main()
