"""Print what `codeindex watch` makes of a long day: `python -m tests.soak.watch REPO [ROUNDS]`.

It works on a copy of the repository, with a data folder of its own and without a model. After each
step, what is indexed is compared with the disk; at the end, with an index made from scratch.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from codeindex import Index
from tests.flow.sites import content

PATIENCE = 180.0
Step = Callable[[Path, random.Random], None]


class Watched:
    """A running `codeindex watch`, and the lines that it has printed."""

    def __init__(self, root: Path) -> None:
        words = [sys.executable, "-P", "-m", "codeindex", "watch", str(root), "--json"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        self.lines: list[dict[str, Any]] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(json.loads(line))

    def syncs(self) -> int:
        return sum(one["event"] == "sync" for one in self.lines)

    def end(self) -> tuple[int, float]:
        """Interrupt it as Ctrl-C does; return its status and the seconds that it took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(timeout=60)
        self._reader.join()
        return status, time.monotonic() - began


def git(root: Path, *words: str) -> str:
    identity = ("-c", "user.name=T", "-c", "user.email=t@t", "-c", "gc.auto=0")
    done = subprocess.run(
        ["git", *identity, *words], cwd=root, check=True, capture_output=True, text=True
    )
    return done.stdout


def a_file(root: Path, rng: random.Random) -> Path:
    suffixes = (".py", ".go", ".js", ".ts", ".rb", ".java", ".rs", ".c", ".php")
    names = [one for one in git(root, "ls-files").splitlines() if one.endswith(suffixes)]
    return root / rng.choice([one for one in names if (root / one).is_file()])


def append(root: Path, rng: random.Random) -> None:
    with a_file(root, rng).open("a") as file:
        file.write(f"\n# zebra{rng.randrange(10**9)}\n")


def save_as_vim(root: Path, rng: random.Random) -> None:
    path = a_file(root, rng)
    text = path.read_text(errors="replace") + f"\n# okapi{rng.randrange(10**9)}\n"
    swap, probe, backup = path.with_name(f".{path.name}.swp"), path.parent / "4913", f"{path}~"
    swap.write_text("swap")
    probe.touch()
    probe.unlink()
    path.rename(backup)
    path.write_text(text)
    Path(backup).unlink()
    swap.unlink()


def save_by_rename(root: Path, rng: random.Random) -> None:
    path = a_file(root, rng)
    new = path.with_name(f".{path.name}.tmp-{rng.randrange(10**6)}")
    new.write_text(path.read_text(errors="replace") + "\n# quagga\n")
    new.replace(path)


def make_folders(root: Path, rng: random.Random) -> None:
    folder = root / f"new_{rng.randrange(10**6)}" / "deep" / "er"
    folder.mkdir(parents=True)
    (folder / "made.py").write_text("def made():\n    return 1\n")


def move_a_folder(root: Path, rng: random.Random) -> None:
    folder = a_file(root, rng).parent
    if folder != root:
        folder.rename(folder.with_name(f"{folder.name}_moved"))


def ignored_noise(root: Path, rng: random.Random) -> None:
    for name in ("__pycache__/a.pyc", "node_modules/a/b.js", ".mypy_cache/x.json"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(str(rng.random()))


def switch(root: Path, rng: random.Random) -> None:
    commits = git(root, "rev-list", "--first-parent", "-2000", "--branches").splitlines()
    git(root, "checkout", "-qf", rng.choice(commits))


def switch_back(root: Path, rng: random.Random) -> None:
    git(root, "stash", "-uq")
    git(root, "checkout", "-qf", "soak")


def remove_and_restore(root: Path, rng: random.Random) -> None:
    kept = root.with_name("kept")
    shutil.copytree(root, kept, symlinks=True)
    shutil.rmtree(root)
    time.sleep(rng.random() * 3)
    kept.rename(root)


STEPS: dict[str, Step] = {
    "append": append,
    "save as vim": save_as_vim,
    "save by rename": save_by_rename,
    "new folders": make_folders,
    "move a folder": move_a_folder,
    "ignored noise": ignored_noise,
    "checkout": switch,
    "stash, go back": switch_back,
    "rm -rf, restore": remove_and_restore,
}


def is_current(root: Path) -> bool:
    """Tell, by digests of its own, whether the index has what is on the disk."""
    from codeindex.files.digest import sha256_of
    from codeindex.ingest.discover.files import discover

    with Index.open(root, root=True) as index:
        if not index.is_indexed:
            return False
        found = {one.path for one in discover(root, config=index.settings.config).files}
        with index.reader().catalog() as (catalog, generation):
            rows = dict(catalog.connection.execute("SELECT path, digest FROM files"))
        try:
            same = all(sha256_of(root / path) == digest for path, digest in rows.items() if digest)
        except OSError:
            return False
        return generation.complete and found == rows.keys() and same


def settled(root: Path) -> float:
    """Wait until the index is what the disk is; return the seconds."""
    began = time.monotonic()
    while not is_current(root):
        if time.monotonic() - began > PATIENCE:
            raise SystemExit(f"not up to date after {PATIENCE:.0f} s")
        time.sleep(0.1)
    return time.monotonic() - began


def spent(process: psutil.Process) -> float:
    return sum(sum(one.cpu_times()[:2]) for one in (process, *process.children(recursive=True)))


def main(repository: Path, rounds: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    os.environ |= {"CODEINDEX_HOME": str(folder / "home"), "CODEINDEX_EMBEDDING_MODEL": "none"}
    root = folder / repository.name
    shutil.copytree(repository, root, symlinks=True)
    git(root, "checkout", "-qfB", "soak")
    watched, rng = Watched(root), random.Random(7)
    settled(root)
    print(f"{'step':18}{'syncs':>7}{'current after s':>17}{'processor s':>13}")
    meter = psutil.Process(watched.process.pid)
    for _ in range(rounds):
        for name, step in STEPS.items():
            syncs, processor = watched.syncs(), spent(meter)
            step(root, rng)
            seconds = settled(root)
            time.sleep(1.0)  # whatever else is synced for it
            row = (watched.syncs() - syncs, seconds, spent(meter) - processor)
            print(f"{name:18}{row[0]:7}{row[1]:17.1f}{row[2]:13.2f}", flush=True)
    idle, memory = spent(meter), meter.memory_info().rss / 1e6
    time.sleep(60)
    print(f"idle: {(spent(meter) - idle) / 60:.3%} of a processor; {memory:.0f} MB")
    status, seconds = watched.end()
    print(f"Ctrl-C: status {status} after {seconds:.1f} s")
    with Index.open(root, root=True) as index:
        mine = content(index.repository)
        index.sync(structure_only=True, rebuild=True)
        print("equal to a rebuild:", content(index.repository) == mine)
    shutil.rmtree(folder)


if __name__ == "__main__":
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell's background jobs have it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    main(Path(sys.argv[1]).resolve(), int((*sys.argv[2:], "3")[0]))
