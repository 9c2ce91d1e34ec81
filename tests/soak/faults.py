"""Let every write fail in turn: `python -m tests.soak.faults SOURCE --points 60`.

A library loaded before all others (`faults.c`) counts what `codeindex index` and its children write
below the data folder, and then lets the n-th fail: disk full from there on, a write cut short, an
I/O error, a refused rename. Each must end in one sentence, leave the old state answering, and be
gone after one sync. With `--kills`, each command is killed before each kind of write to each file
instead. Linux, with a C compiler.
"""

from __future__ import annotations

import argparse
import errno
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from codeindex.errors import CodeIndexError
from tests.flow.sites import install_pair
from tests.soak.crash import DEEDS, Deed, Proof, Tally, aftermath, proof_of, set_up, table
from tests.soak.ground import BRANCH, Ground, command, prepared

_ALWAYS = str(2**40)
_SECONDS = 300.0
_RANDOM = re.compile(r"[0-9a-f]{6,}|\d+|(?<=root\.json\.)\w+")
SYNC = Deed("sync", ("index",), BRANCH)
REBUILD = Deed("rebuild", ("index", "--rebuild"), BRANCH)


@dataclass(frozen=True, slots=True)
class Fault:
    """How writes fail, and which."""

    name: str
    ops: str
    number: int
    lasts: str = "1"
    is_short: bool = False

    def variables(self, at: int) -> dict[str, str]:
        """Return what makes the shim fail at one of these operations."""
        short = {"FAULT_SHORT": "1"} if self.is_short else {}
        return short | {
            "FAULT_AT": str(at),
            "FAULT_OPS": self.ops,
            "FAULT_ERRNO": str(self.number),
            "FAULT_FOR": self.lasts,
        }


FAULTS = (
    Fault("disk full", "write size create", errno.ENOSPC, _ALWAYS),
    Fault("short, then full", "write size create", errno.ENOSPC, _ALWAYS, is_short=True),
    Fault("one write fails", "write size", errno.EIO),
    Fault("one short write", "write", errno.EINTR, is_short=True),
    Fault("one fsync fails", "fsync", errno.EIO),
    Fault("quota", "write size create", errno.EDQUOT, _ALWAYS),
    Fault("read-only from here", "write size create rename unlink", errno.EROFS, _ALWAYS),
    Fault("one rename refused", "rename", errno.EACCES),
    Fault("one delete refused", "unlink", errno.EACCES),
)


@dataclass(frozen=True, slots=True)
class Shim:
    """The library that counts writes, and lets one fail."""

    library: Path
    counter: Path
    log: Path

    @classmethod
    def built(cls, place: Path) -> Shim:
        place.mkdir(parents=True, exist_ok=True)
        shim = cls(place / "faults.so", place / "counter", place / "log")
        source = Path(__file__).with_suffix(".c")
        words = ["cc", "-shared", "-fPIC", "-O1", "-o", str(shim.library), str(source), "-ldl"]
        subprocess.run(words, check=True)
        return shim

    def run(self, ground: Ground, deed: Deed, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a command whose writes are counted from 0."""
        self.counter.write_bytes(bytes(8))
        return subprocess.run(
            command(*deed.words),
            cwd=ground.root,
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
            start_new_session=True,
            env=os.environ
            | {
                "LD_PRELOAD": str(self.library),
                "FAULT_ROOT": str(ground.home),
                "FAULT_COUNTER": str(self.counter),
            }
            | more,
        )

    def writes(self, ground: Ground, deed: Deed) -> list[tuple[str, str]]:
        """Return what a run writes that nothing stops: each operation and its file, in order."""
        self.log.write_text("")
        set_up(ground, deed)
        done = self.run(ground, deed, FAULT_LOG=str(self.log))
        assert done.returncode == 0, done.stderr
        rows = (line.split(" ", 2) for line in self.log.read_text().splitlines())
        return [(op, _RANDOM.sub("*", path)) for _, op, path in rows]


def points(writes: Sequence[tuple[str, str]], ops: str) -> dict[str, int]:
    """Return the first write of each kind and file among those of some operations."""
    found: dict[str, int] = {}
    chosen = (f"{op} {path}" for op, path in writes if op in ops.split())
    for number, what in enumerate(chosen):
        found.setdefault(what, number)
    return found


_STEPS = "write size create fsync rename unlink"


def killed(
    ground: Ground, proof: Proof, shim: Shim, deed: Deed, *, every: int
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Kill a command before each write; yield the kind of the write, and what was wrong after it.

    Of the writes of one kind to one file the first and the last count. Every `every`-th is tried.
    """
    writes = shim.writes(ground, deed)
    last = {f"{op} {path}": number for number, (op, path) in enumerate(writes)}
    steps = sorted({*points(writes, _STEPS).values(), *last.values()})
    for at in steps[::every]:
        set_up(ground, deed)
        done = shim.run(ground, deed, FAULT_AT=str(at), FAULT_OPS=_STEPS, FAULT_KILL="1")
        was_killed = done.returncode == -signal.SIGKILL
        faults = ({} if was_killed else _told(done)) | aftermath(ground, deed, proof)
        op, path = writes[at]
        where = f"{deed.name}: {'killed' if was_killed else 'ended'} before {op}"
        yield where, {name: f"{at} {path}: {text}" for name, text in faults.items()}


def tried(
    ground: Ground, proof: Proof, shim: Shim, *, deed: Deed, count: int, seed: int
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield which fault was injected, and what was wrong after it."""
    chance = random.Random(seed)
    writes = shim.writes(ground, deed)
    known = {one.ops: points(writes, one.ops) for one in FAULTS}
    fitting = [one for one in FAULTS if known[one.ops]]  # a sync in place renames nothing
    for number in range(count):
        fault = fitting[number % len(fitting)]
        what, at = chance.choice(sorted(known[fault.ops].items()))
        set_up(ground, deed)
        done = shim.run(ground, deed, **fault.variables(at))
        faults = _told(done) | aftermath(ground, deed, proof, may_mend=True)
        where = f"{deed.name}: {fault.name}, status {done.returncode}"
        yield where, {name: f"{what}: {text}" for name, text in faults.items()}


def _told(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    """Say what was wrong with how a command ended: well, or in one sentence with status 2."""
    said = done.stderr.strip().splitlines()
    bad = [one for one in said if "Traceback" in one or "unexpected" in one]
    sentence = [one for one in said if one.startswith("codeindex: ")]
    if done.returncode == 0 and not bad:
        return {}
    if done.returncode == CodeIndexError.exit_code and not bad and len(said) == len(sentence) == 1:
        return {}
    return {"failed": f"status {done.returncode}: {done.stderr[-600:]}"}


def denied(ground: Ground, proof: Proof, deed: Deed) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield what happens with each folder of the data folder in turn not ours to write."""
    set_up(ground, deed)
    folders = [ground.home, *(one for one in sorted(ground.home.rglob("*")) if one.is_dir())]
    for folder in (one.relative_to(ground.home) for one in folders if "models" not in one.parts):
        set_up(ground, deed)
        within = [one for one in (ground.home / folder).iterdir() if one.is_file()]
        for one in (*within, ground.home / folder):
            one.chmod(one.stat().st_mode & 0o555)
        done = _powerless(ground, deed.words)
        found = _powerless(ground, ("search", "-l", "request headers"))
        for one in (ground.home / folder, *within):
            one.chmod(one.stat().st_mode | 0o200)
        faults = _told(done)
        if found.returncode != 0:
            faults["unanswered"] = found.stderr[-600:]
        faults |= aftermath(ground, deed, proof, may_mend=True)
        what = {name: f"{folder}: {text}" for name, text in faults.items()}
        yield f"{deed.name}: denied, status {done.returncode}", what


def _powerless(ground: Ground, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command for which modes count, even if root runs this."""
    drop = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"]
    return subprocess.run(
        [*(drop if os.getuid() == 0 else ()), *command(*words)],
        cwd=ground.root,
        capture_output=True,
        text=True,
        check=False,
        timeout=_SECONDS,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Let every write fail in turn.")
    parser.add_argument("source", type=Path, help="a tree to copy files from")
    parser.add_argument("--points", type=int, default=90, help="writes that fail")
    parser.add_argument("--kills", type=int, default=0, help="kill before every n-th write")
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--place", type=Path, default=Path(tempfile.gettempdir()) / "faults")
    given = parser.parse_args()
    models = given.place.with_name(f"{given.place.name}-models")
    install_pair(models)
    ground = prepared(given.place, given.source, files=given.files, model="tiny", seed_home=models)
    proof, shim = proof_of(ground), Shim.built(models)
    tally = Tally()
    half = given.points // 2
    runs = [
        tried(ground, proof, shim, deed=SYNC, count=given.points - half, seed=given.seed),
        tried(ground, proof, shim, deed=REBUILD, count=half, seed=given.seed),
    ]
    if given.kills:
        runs = [killed(ground, proof, shim, deed, every=given.kills) for deed in DEEDS]
    elif os.getuid() != 0 or shutil.which("setpriv"):
        runs.append(denied(ground, proof, SYNC))
    for one in runs:
        for where, faults in one:
            tally.add(where, faults)
            print(f"{sum(tally.kills.values()):4} {where}", dict(faults) or "", flush=True)
    print(f"\n{table(tally)}")
    return int(tally.total > 0)


if __name__ == "__main__":
    sys.exit(main())
