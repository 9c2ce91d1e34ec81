"""Index real files after mutilating them, and print what became of the indexer.

python -m tests.soak.fuzz [--mutations 10000] [--seed 1] REPO...

Each language's files are cut short, doubled, spliced, given other bytes, brackets, quotes and
characters, then indexed in batches by a process of its own, through the same workers as any
repository. A batch must end, without a failure, and know all of its files; a parser process that
crashed or took too long must be in the report with its reason.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from codeindex.config import environment
from codeindex.languages import LANGUAGES, language_for_path

_BATCH = 200
_SEEDS = 60
"""Real files a language that mutations start from, or fewer if there are not so many."""
_LARGEST = 64 * 1024
_REPEATS = 10_000
_DEADLINE = 900.0
"""Seconds of a batch; every file may be killed twice at 8 s in two processes, but few are."""
_BRACKETS = "([{<>}])"
_QUOTES = ("'", '"', "`", '"""', "'''", "/*", "*/", "<!--", "#", "//", "\\", '@"', "<<EOF\n")
_ODD = "\0\x1b[31m\u200b\u202e\ufeff\u2028\u00ad\U0001f469\u200d\U000e0041\u0301\ud7ff\uffff\x85"


@dataclass(slots=True)
class Row:
    """What became of the mutations of one language."""

    files: int = 0
    indexed: int = 0
    plain: int = 0
    skipped: int = 0
    """Minified or binary after all."""
    killed: int = 0
    """Parser processes that crashed or were ended; their files are read as windows."""
    late: int = 0
    """Files whose parser took too long."""
    failed: int = 0
    """Files that are not indexed, as their process did not survive them even so."""
    slowest: float = 0.0
    problems: list[str] = field(default_factory=list)


def cut_short(data: bytes, _: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def cut_out(data: bytes, _: bytes, dice: random.Random) -> bytes:
    start, end = sorted(dice.choices(range(len(data) + 1), k=2))
    return data[:start] + data[end:]


def doubled(data: bytes, _: bytes, dice: random.Random) -> bytes:
    return data * dice.randint(2, 8)


def spliced(data: bytes, other: bytes, dice: random.Random) -> bytes:
    return cut_short(data, b"", dice) + other[dice.randrange(len(other) + 1) :]


def flipped(data: bytes, _: bytes, dice: random.Random) -> bytes:
    changed = bytearray(data)
    for _step in range(dice.randint(1, 1 + len(data) // 50) if data else 0):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def bracketed(data: bytes, _: bytes, dice: random.Random) -> bytes:
    return _inserted(data, dice.choice(_BRACKETS) * dice.choice((1, 3, 50, 1_900, 5_000)), dice)


def quoted(data: bytes, _: bytes, dice: random.Random) -> bytes:
    return _inserted(data, dice.choice(_QUOTES) * dice.choice((1, 2, 3, 500)), dice)


def repeated(data: bytes, _: bytes, dice: random.Random) -> bytes:
    lines = data.splitlines(keepends=True) or [b"\n"]
    at = dice.randrange(len(lines))
    return b"".join((*lines[:at], *[lines[at]] * _REPEATS, *lines[at:]))[: 1024 * 1024 - 1]


def peppered(data: bytes, _: bytes, dice: random.Random) -> bytes:
    for _step in range(dice.randint(1, 60)):
        letter = dice.choice(_ODD) if dice.random() < 0.6 else chr(dice.randrange(0x20, 0xD7FF))
        data = _inserted(data, letter, dice)
    return data


def shuffled(data: bytes, _: bytes, dice: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    dice.shuffle(lines)
    return b"".join(lines)


Mutation = Callable[[bytes, bytes, random.Random], bytes]
MUTATIONS: tuple[Mutation, ...] = (
    *(cut_short, cut_out, doubled, spliced, flipped),
    *(bracketed, quoted, repeated, peppered, shuffled),
)


def _inserted(data: bytes, text: str, dice: random.Random) -> bytes:
    at = dice.randrange(len(data) + 1)
    return data[:at] + text.encode("utf-8", "surrogatepass") + data[at:]


def mutated(seeds: Sequence[bytes], dice: random.Random) -> bytes:
    """Return one of the texts after one to three mutations."""
    data = dice.choice(seeds)
    for mutation in dice.choices(MUTATIONS, k=dice.choice((1, 1, 2, 3))):
        data = mutation(data, dice.choice(seeds), dice)[: 1024 * 1024 - 1]
    return data


def seeds_of(roots: Sequence[Path], dice: random.Random) -> dict[str, list[bytes]]:
    """Return texts by language, for all that are parsed or cut by headings."""
    found: dict[str, list[Path]] = {}
    for root in roots:
        for path in sorted(root.rglob("*")):
            known = language_for_path(path.name)
            if known and (known.symbols or known.prose) and path.is_file():
                found.setdefault(known.name, []).append(path)
    texts = {}
    for name, paths in sorted(found.items()):
        dice.shuffle(paths)
        small = (path for path in paths if 0 < path.stat().st_size <= _LARGEST)
        texts[name] = [path.read_bytes() for path, _ in zip(small, range(_SEEDS), strict=False)]
    return {name: some for name, some in texts.items() if some}


def indexed(folder: Path, home: Path) -> tuple[dict[str, Any], str]:
    """Index a folder in a process of its own; return what it reports, or what went wrong."""
    command = [sys.executable, "-P", __file__, "--batch", str(folder)]
    settings = {"CODEINDEX_HOME": str(home), "CODEINDEX_EMBEDDING_MODEL": "none"}
    try:
        done = subprocess.run(
            command,
            env=environment(**settings),
            capture_output=True,
            timeout=_DEADLINE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {}, f"not done after {_DEADLINE:g} s"
    if done.returncode:
        return {}, f"status {done.returncode}: {done.stderr.decode(errors='replace')[-400:]}"
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return report, ""


def batch(folder: Path) -> None:
    """Index, ask something, and print a line of JSON; this is the process of `indexed`."""
    from codeindex import Index

    last, slowest = time.monotonic(), 0.0

    def progress(phase: str, _done: int, _total: int) -> None:
        nonlocal last, slowest
        now = time.monotonic()
        slowest, last = (max(slowest, now - last) if phase == "structure" else slowest), now

    with Index.open(folder, root=True) as index:
        report = index.sync(structure_only=True, progress=progress)
        index.search("where is a value returned")
        status = index.status()
        with index.reader().catalog() as (catalog, _):
            rows = catalog.connection.execute("SELECT status, count(*) FROM files GROUP BY 1")
            counts = dict(rows.fetchall())
    left = [asdict(one) for one in (*report.failed, *report.skipped)]
    told = [asdict(one) for one in status.unparsed]
    said = {"counts": counts, "left": left, "unparsed": told, "killed": report.killed}
    print(json.dumps(said | {"slowest": slowest, "indexed": len(index.files())}))


def taken_in(row: Row, report: dict[str, Any], made: int) -> Iterator[str]:
    """Add a batch to its language's row; yield what is wrong with it."""
    counts = Counter(report["counts"])
    reasons = [one["reason"] for one in (*report["left"], *report["unparsed"])]
    late = sum(bool(re.search(r"over [\d.]+ s$", one)) for one in reasons)
    told = late + sum("crashed" in one for one in reasons)
    row.indexed += counts["indexed"]
    row.plain += counts["plain"]
    row.skipped += counts["skipped"]
    row.failed += counts["failed"]
    row.killed += report["killed"]
    row.late += late
    row.slowest = max(row.slowest, report["slowest"])
    if report["indexed"] + len(report["left"]) != made:
        yield f"{made} files, {report['indexed']} indexed, {len(report['left'])} told of"
    if report["killed"] < told:
        yield f"{told} files had their parser killed and {report['killed']} were counted"


def fuzz(roots: Sequence[Path], mutations: int, seed: int) -> dict[str, Row]:
    """Mutate and index as many files, spread evenly over the languages that there are."""
    dice = random.Random(seed)
    seeds = seeds_of(roots, dice)
    rows = {name: Row() for name in seeds}
    share = -(-mutations // len(seeds))
    for name, row in rows.items():
        suffix = min(LANGUAGES[name].suffixes)
        while row.files < share:
            made = min(_BATCH, share - row.files)
            with tempfile.TemporaryDirectory() as scratch:
                folder = Path(scratch) / "tree"
                folder.mkdir()
                for number in range(made):
                    (folder / f"m{number}{suffix}").write_bytes(mutated(seeds[name], dice))
                report, problem = indexed(folder, Path(scratch) / "home")
                row.problems += [problem] if problem else taken_in(row, report, made)
            row.files += made
        print(line(name, row), flush=True)
        for problem in row.problems:
            print(f"    {problem}", flush=True)
    return rows


_HEAD = f"{'language':12}{'files':>7}{'parsed':>8}{'windows':>9}{'skipped':>9}{'killed':>8}"
_HEAD += f"{'late':>6}{'failed':>8}{'slowest':>10}"


def line(name: str, row: Row) -> str:
    counts = f"{row.files:7,}{row.indexed:8,}{row.plain:9,}{row.skipped:9,}{row.killed:8,}"
    return f"{name:12}{counts}{row.late:6,}{row.failed:8,}{row.slowest:8.2f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("roots", nargs="*", type=Path)
    parser.add_argument("--mutations", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.batch:
        batch(given.batch)
        return
    print(_HEAD)
    rows = fuzz(given.roots, given.mutations, given.seed)
    total = Row(slowest=max(row.slowest for row in rows.values()))
    for row in rows.values():
        for name in ("files", "indexed", "plain", "skipped", "killed", "late", "failed"):
            setattr(total, name, getattr(total, name) + getattr(row, name))
        total.problems += row.problems
    print(line("all", total))
    sys.exit(1 if total.problems else 0)


if __name__ == "__main__":
    main()
