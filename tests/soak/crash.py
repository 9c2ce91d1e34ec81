"""Kill codeindex at random moments and see what is lost: `python -m tests.soak.crash --help`.

Each round copies a data folder, starts the command line, and kills it with SIGKILL: the process
with all its children, it alone, or one child alone. Then the index must answer, and after one sync
equal one that was made in one go, with no vector computed twice.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from codeindex import Index
from codeindex.errors import CodeIndexError, NotIndexedError
from tests.flow.sites import Content, content, install_pair
from tests.soak.ground import (
    BASE,
    BRANCH,
    EDITED,
    Ground,
    command,
    is_sound,
    names_of,
    prepared,
    reference,
    vectors_stored,
)

VICTIMS = ("everything", "the indexer", "a child")
_ENDS_SECONDS = 15.0
"""How long children may outlive their parent: a file, a part of the graph, or a batch of Chroma."""
_LONGEST = 300.0
FAULTS = ("corrupt", "lost", "re-embedded", "unanswered", "left over", "outlived", "failed")


@dataclass(frozen=True, slots=True)
class Deed:
    """Something to interrupt: a command on a state of the tree.

    `rest` are the commands that end it, after which the index is `outcome`, or else the state.
    """

    name: str
    words: tuple[str, ...]
    state: str
    is_first: bool = False
    may_be_gone: bool = False
    rest: tuple[tuple[str, ...], ...] = ()
    outcome: str = ""


UPGRADED = "upgraded"
_UPGRADE = ("upgrade-embeddings", "--model", "other", "--yes")
_DONE = b"uses other already"
"""Said of an upgrade that had been made when the kill came, or that outlived it."""
_CONFIRM = ("upgrade-embeddings", "--confirm")
DEEDS = (
    Deed("index", ("index",), BASE, is_first=True, may_be_gone=True),
    Deed("sync", ("index",), BRANCH),
    Deed("rebuild", ("index", "--rebuild"), BRANCH),
    Deed("edit", ("search", "-l", "beacon lighthouse signal"), EDITED),
    Deed("upgrade", _UPGRADE, BASE, rest=(_UPGRADE, _CONFIRM), outcome=UPGRADED),
    Deed("clear", ("clear", "--yes"), BASE, may_be_gone=True),
)


@dataclass(slots=True)
class Tally:
    """What was seen, by where the kill fell: a row of the table each."""

    kills: Counter[str] = field(default_factory=Counter)
    faults: dict[str, Counter[str]] = field(default_factory=dict)
    details: list[str] = field(default_factory=list)

    def add(self, where: str, faults: Mapping[str, object]) -> None:
        self.kills[where] += 1
        for fault, detail in faults.items():
            self.faults.setdefault(where, Counter())[fault] += 1
            self.details.append(f"{where}: {fault}: {detail}")

    @property
    def total(self) -> int:
        return sum(count for one in self.faults.values() for count in one.values())


@dataclass(frozen=True, slots=True)
class Proof:
    """What an index has to be after it was mended."""

    contents: Mapping[str, Content]
    names: set[str]
    seconds: Mapping[str, float]
    """How long each deed takes that nobody interrupts."""


def proof_of(ground: Ground) -> Proof:
    contents = {state: reference(ground, state) for state in (BASE, EDITED, BRANCH)}
    names = names_of(ground.repository().folder)
    ground.reset(ground.built)
    ground.check_out(BASE)
    with Index.open(ground.root) as index:
        index.admin.upgrade_embeddings("other")
        index.admin.confirm_upgrade()
        contents[UPGRADED] = content(index.repository)
    names |= names_of(ground.repository().folder)
    seconds = {}
    for deed in DEEDS:
        set_up(ground, deed)
        started = time.monotonic()
        done = subprocess.run(
            command(*deed.words), cwd=ground.root, capture_output=True, check=True
        )
        seconds[deed.name] = time.monotonic() - started
        assert not done.stderr.startswith(b"Traceback")
    return Proof(contents, names, seconds)


def rounds(
    ground: Ground, proof: Proof, *, kills: int, seed: int, victims: Sequence[str] = VICTIMS
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield where each kill fell and what was wrong after it."""
    chance = random.Random(seed)
    done = 0
    while done < kills:
        deed = DEEDS[done % len(DEEDS)]
        victim = chance.choice(victims)
        set_up(ground, deed)
        killed = _killed(ground, deed, victim, chance.uniform(0.1, proof.seconds[deed.name]))
        if killed is None:
            continue  # it was faster
        done += 1
        faults = dict(killed.faults)
        faults |= aftermath(ground, deed, proof)
        yield f"{deed.name}, {killed.phase}, {victim}", faults


def set_up(ground: Ground, deed: Deed) -> None:
    ground.reset(ground.first if deed.is_first else ground.built)
    ground.check_out(deed.state)


@dataclass(frozen=True, slots=True)
class _Killed:
    phase: str
    faults: Mapping[str, object]


def _killed(ground: Ground, deed: Deed, victim: str, seconds: float) -> _Killed | None:
    """Kill what is to be killed after some time; None if it had ended by then."""
    with subprocess.Popen(
        command(*deed.words),
        cwd=ground.root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        children = _children(process.pid)
        if process.poll() is not None or (victim == "a child" and not children):
            process.kill()
            return None
        phase = _phase(ground.home)
        if victim == "a child":
            random.Random(seconds).choice(children).send_signal(signal.SIGKILL)
            _, err = process.communicate(timeout=_LONGEST)
            return _Killed(phase, {} if process.returncode == 0 else {"failed": err.decode()})
        process.kill()
        for child in children if victim == "everything" else ():
            with suppress(psutil.NoSuchProcess):
                child.kill()
        process.wait()
    _, alive = psutil.wait_procs(children, timeout=_ENDS_SECONDS)
    for child in alive:
        child.kill()
    return _Killed(phase, {"outlived": [one.pid for one in alive]} if alive else {})


def _children(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _phase(home: Path) -> str:
    """Return what the process has noted that it does."""
    notes = [*home.glob("repos/*/writer.json")]
    try:
        return json.loads(notes[0].read_text())["doing"] or "look" if notes else "start or end"
    except ValueError:
        return "look"


def aftermath(
    ground: Ground, deed: Deed, proof: Proof, *, may_mend: bool = False
) -> dict[str, object]:
    """Search, sync once, and say what is not as it should be.

    A store that had to be mended is a fault, unless the disk has lied.
    """
    faults: dict[str, object] = {}
    before = vectors_stored(ground.home)
    with Index.open(ground.root) as index:
        if problem := _unanswered(index, deed):
            faults["unanswered"] = problem
    for words in deed.rest:
        done = subprocess.run(command(*words), cwd=ground.root, capture_output=True, check=False)
        if done.returncode and _DONE not in done.stderr:
            faults["failed"] = done.stderr.decode()
    with Index.open(ground.root) as index:
        report = index.sync()
        if report.notes and not may_mend:
            faults["corrupt"] = report.notes
        if not is_sound(index.repository.catalog):
            faults["corrupt"] = "integrity_check"
        after = content(index.repository)
    expected = proof.contents[deed.outcome or deed.state]
    if after != expected:
        faults["lost"] = difference(after, expected)
    if left := names_of(index.repository.folder) - proof.names:
        faults["left over"] = sorted(left)
    stored = vectors_stored(ground.home)
    if twice := [key for key, at in before.items() if stored.get(key) != at]:
        faults["re-embedded"] = len(twice)
    return faults


def _unanswered(index: Index, deed: Deed) -> str:
    try:
        answer = index.search("request headers")
    except NotIndexedError as error:
        return "" if deed.may_be_gone else str(error)
    except CodeIndexError as error:
        return str(error)
    return "" if answer.hits or deed.may_be_gone else "no hits"


def difference(one: Content, other: Content) -> str:
    """Name the parts in which two indexes differ, with the first rows of it."""
    said = []
    for name in Content.__slots__ if hasattr(Content, "__slots__") else vars(one):
        mine, theirs = getattr(one, name), getattr(other, name)
        if mine != theirs:
            extra = [row for row in mine if row not in theirs][:2]
            missing = [row for row in theirs if row not in mine][:2]
            said.append(f"{name}: +{str(extra)[:300]} -{str(missing)[:300]}")
    return "; ".join(said)


def table(tally: Tally) -> str:
    """Write a line for each place where kills fell, and one for all of them."""
    lines = {
        where: [count, *(tally.faults.get(where, Counter())[one] for one in FAULTS)]
        for where, count in sorted(tally.kills.items())
    }
    lines["all"] = [sum(column) for column in zip(*lines.values(), strict=True)]
    head = f"{'killed in':<36}" + "".join(f"{one:>12}" for one in ("kills", *FAULTS))
    rows = (f"{name:<36}" + "".join(f"{one:>12}" for one in line) for name, line in lines.items())
    return "\n".join([head, *rows])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[1])
    parser.add_argument("source", type=Path, help="a tree to copy files from")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--files", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--place", type=Path, default=Path(tempfile.gettempdir()) / "crash")
    parser.add_argument(
        "--model", default="codeindex-encoder", help="or `tiny`, which costs nothing"
    )
    given = parser.parse_args()
    models = given.place.with_name(f"{given.place.name}-models")
    models.mkdir(parents=True, exist_ok=True)
    install_pair(models)
    ground = prepared(
        given.place, given.source, files=given.files, model=given.model, seed_home=models
    )
    proof = proof_of(ground)
    tally = Tally()
    for where, faults in rounds(ground, proof, kills=given.kills, seed=given.seed):
        tally.add(where, faults)
        print(f"{sum(tally.kills.values()):4} {where}", dict(faults) or "", flush=True)
    print(f"\n{table(tally)}")
    return int(tally.total > 0)


if __name__ == "__main__":
    sys.exit(main())
