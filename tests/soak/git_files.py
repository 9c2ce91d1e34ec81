"""Damage the files of `.git` at random and see what codeindex makes of it.

    python -m tests.soak.git_files [--cases 2000] [--seed 1]

Each case copies a repository (with packed and loose objects, branches, a tag, a linked work tree),
damages one to three files or folders of its `.git` (missing, empty, cut short, a pipe, a link, a
folder, a device, random or flipped bytes), and then syncs, searches and asks what needs git, every
tenth time by the command line. Each answer must be one, or a sentence; the code must be found, as
the work tree is whole; nothing may take more than five seconds. A case that took longer is tried
once more at the end, after an undamaged one, and may then take five seconds more than that: what a
busy machine needs to start a process is no fault.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from codeindex import Index
from codeindex.errors import CodeIndexError
from tests.conftest import made_repository, own_data

SECONDS = 5.0
"""How long each question may take."""
_FILES = {"pay.py": "def charge(card):\n    return bool(card)\n", ".gitignore": "out/\n"}
_WHO = ("-c", "user.name=T", "-c", "user.email=t@t", "-c", "commit.gpgsign=false")
_ABSENT = (
    *("commondir", "shallow", "config.worktree", "index.lock", "MERGE_HEAD", "packed-refs"),
    *("info/grafts", "info/attributes", "info/sparse-checkout", "objects/info/alternates"),
    *("objects/info/commit-graph", "refs/heads/new", "refs/replace", "modules"),
)
"""What git reads where it is there."""
_LONGEST = 20_000
_COMMANDS = (
    *(("search", "-l", "charge"), ("status",), ("files", "--skipped"), ("doctor",)),
    *(("hooks", "status"), ("hooks", "install"), ("for-diff",), ("repos",), ("eval",)),
)
_COMMAND = 10
"""Of how many cases one is asked by the command line too."""
Damage = Callable[[Path, random.Random], None]


def missing(path: Path, _: random.Random) -> None:
    """Delete a file, a link, or a folder with its contents; nothing happens if it is gone."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def empty(path: Path, dice: random.Random) -> None:
    missing(path, dice)
    path.touch()


def cut_short(path: Path, dice: random.Random) -> None:
    data = _bytes_of(path)
    missing(path, dice)
    path.write_bytes(data[: dice.randrange(len(data) + 1)])


def flipped(path: Path, dice: random.Random) -> None:
    data = bytearray(_bytes_of(path) or b"x")
    for _ in range(dice.randint(1, 8)):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    missing(path, dice)
    path.write_bytes(data)


def random_bytes(path: Path, dice: random.Random) -> None:
    missing(path, dice)
    path.write_bytes(dice.randbytes(dice.choice((1, 20, 41, 500, _LONGEST))))


def random_text(path: Path, dice: random.Random) -> None:
    """Write lines that look like those of git's own files, with values that do not fit."""
    words = ("ref: ", "gitdir: ", "[core]\n", "\tworktree = /\n", "0" * 40, "refs/heads/", "../")
    odd = ("\0", "\n", "é", " ", "[include]\n\tpath = /dev/zero\n", "x" * 300, "# pack-refs\n")
    missing(path, dice)
    path.write_text("".join(dice.choices((*words, *odd), k=dice.randint(1, 8))), "utf-8")


def pipe(path: Path, dice: random.Random) -> None:
    missing(path, dice)
    os.mkfifo(path)


def folder(path: Path, dice: random.Random) -> None:
    missing(path, dice)
    path.mkdir()
    (path / "inner").write_text("x")


def link(path: Path, dice: random.Random) -> None:
    """Put a link there: to nothing, itself, a device without end, a terminal, or a folder."""
    missing(path, dice)
    path.symlink_to(dice.choice(("nowhere", path.name, "/dev/zero", "/dev/tty", "/", "..", ".")))


DAMAGES: tuple[Damage, ...] = (
    *(missing, empty, cut_short, flipped, random_bytes, random_text, pipe, folder, link),
)


def _bytes_of(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() and not path.is_symlink() else b""


@dataclass(slots=True)
class Tally:
    """What came of all cases."""

    most_seconds: float = SECONDS
    cases: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    sentences: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    repeated: int = 0


def sound(place: Path) -> Path:
    """Make the repository that cases copy, and a linked work tree beside it."""
    top = made_repository(place / "sound", _FILES)
    (top / "cart.py").write_text(
        "from pay import charge\n\n\ndef checkout(card):\n    charge(card)\n"
    )
    for words in (
        *(("add", "-A"), ("commit", "-qm", "second"), ("tag", "-a", "one", "-m", "one")),
        *(("branch", "old"), ("gc", "-q"), ("worktree", "add", "-q", "linked", "old")),
        *(("commit", "-q", "--allow-empty", "-m", "third"),),
    ):
        subprocess.run(["git", *_WHO, *words], cwd=top, check=True, capture_output=True)
    shutil.rmtree(top / ".git" / "hooks", ignore_errors=True)
    return top


def damaged(template: Path, place: Path, dice: random.Random) -> tuple[Path, str]:
    """Copy the repository and damage the copy; return the root to index, and what was done."""
    shutil.copytree(template, place, symlinks=True)
    root, entry = place, place / ".git"
    if is_linked := dice.random() < 0.25:
        root = place / "linked"
        own = entry / "worktrees" / "linked"
        (root / ".git").write_text(f"gitdir: {own}\n")
        (own / "gitdir").write_text(f"{root / '.git'}\n")
    done = []
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        paths = sorted(one for one in entry.rglob("*")) + [entry / one for one in _ABSENT]
        paths += [root / ".git"] if is_linked or dice.random() < 0.1 else []
        path, damage = dice.choice(paths), dice.choice(DAMAGES)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            damage(path, dice)
        except OSError:
            continue  # below what was damaged before
        done.append(f"{damage.__name__} {path.relative_to(place)}")
    return root, ", ".join(done)


def questions(index: Index) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what is asked of each case, by name."""
    yield "sync", lambda: index.sync(structure_only=True)
    yield "search", lambda: [one.path for one in index.search("charge").hits]
    yield "status", index.status
    yield "for_diff", index.changes.for_diff
    yield "diff_summary", lambda: index.changes.diff_summary("HEAD")
    yield "hotspots", index.overview.hotspots
    yield "why_not", lambda: index.explain.why_not("out/x.py", "charge")


def try_case(root: Path, done: str, tally: Tally, dice: random.Random) -> None:
    """Ask everything of one damaged repository."""
    try:
        with Index.open(root, root=True) as index:
            for name, ask in questions(index):
                _ask(f"{done}: {name}", ask, tally)
    except CodeIndexError as error:
        tally.problems.append(f"{done}: cannot be opened: {error}")
    if dice.randrange(_COMMAND) == 0:
        _ask(f"{done}: command", lambda: _command(root, dice), tally)


def _ask(what: str, ask: Callable[[], object], tally: Tally) -> None:
    started = time.monotonic()
    try:
        found = ask()
        if what.endswith(": search") and "pay.py" not in str(found):
            tally.problems.append(f"{what}: not found")
    except CodeIndexError as error:
        tally.sentences[type(error).__name__] += 1
        if what.endswith((": sync", ": search", ": status")):
            tally.problems.append(f"{what}: {error}")
    except Exception:  # noqa: BLE001 (what is no error of ours is the fault that is looked for)
        tally.problems.append(f"{what}: {traceback.format_exc(limit=-3)}")
    took = time.monotonic() - started
    tally.slowest = max(tally.slowest, took)
    if took > tally.most_seconds:
        tally.late.append(f"{what}: took {took:.1f} s")


def _command(root: Path, dice: random.Random) -> object:
    """Run a command that asks git; a status above 2 or a traceback is a fault."""
    words = dice.choice(_COMMANDS)
    line = [sys.executable, "-P", "-m", "codeindex", *words]
    done = subprocess.run(line, cwd=root, capture_output=True, text=True, check=False)
    found = words[0] != "search" or (not done.returncode and "pay.py" in done.stdout)
    if done.returncode not in range(3) or "Traceback" in done.stderr or not found:
        raise AssertionError(f"{words}: status {done.returncode}: {done.stderr[-600:]}")
    return done.stdout


def fuzz(
    cases: int, seed: int, place: Path, *, threads: int = 1, most_seconds: float = SECONDS
) -> Tally:
    """Try so many cases; what was late among others is tried again alone."""
    template, tally, again = sound(place), Tally(most_seconds), list[int]()

    def one(number: int) -> None:
        mine = _tried(template, place, f"{seed} {number}", most_seconds)
        with lock:
            if mine.late:
                again.append(number)
            _add(tally, mine)

    lock = Lock()
    with ThreadPoolExecutor(threads) as pool:
        for number, _ in enumerate(pool.map(one, range(cases)), 1):
            if number % 100 == 0:
                print(f"{number:,} cases", *tally.problems, sep="\n", flush=True)
    tally.repeated = len(again)
    for number in again:
        usual = _tried(template, place, f"{seed} {number}", math.inf, is_sound=True).slowest
        most = most_seconds + usual
        tally.problems += _tried(template, place, f"{seed} {number}", most).late
    return tally


def _tried(
    template: Path, place: Path, seed: str, most_seconds: float, *, is_sound: bool = False
) -> Tally:
    """Try the case of a seed on a copy of its own; `is_sound` asks the same of an undamaged one."""
    tally, scratch = Tally(most_seconds), Path(tempfile.mkdtemp(dir=place)) / "case"
    dice = random.Random(seed)
    root, done = damaged(template, scratch, dice)
    if is_sound:
        shutil.rmtree(scratch)
        root = Path(shutil.copytree(template, scratch, symlinks=True))
    try_case(root, done, tally, dice)
    tally.cases.update(word.split()[0] for word in done.split(", ") if word)
    shutil.rmtree(scratch.parent)
    return tally


def _add(tally: Tally, one: Tally) -> None:
    tally.cases += one.cases
    tally.sentences += one.sentences
    tally.problems += one.problems
    tally.slowest = max(tally.slowest, one.slowest)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--cases", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args(given)
    with tempfile.TemporaryDirectory() as scratch, own_data(Path(scratch)):
        tally = fuzz(options.cases, options.seed, Path(scratch), threads=options.threads)
    for name, count in sorted(tally.cases.items()):
        print(f"{name:16}{count:8,}")
    print(f"errors in a sentence: {sum(tally.sentences.values()):,}")
    print(f"slowest question: {tally.slowest:.2f} s; {tally.repeated} cases tried again")
    print(f"{options.cases:,} cases, {len(tally.problems)} problems")
    print(*tally.problems, sep="\n", flush=True)
    return int(bool(tally.problems))


if __name__ == "__main__":
    sys.exit(main())
