"""Readers, a writer and an editor at once: `python -m tests.soak.concurrent --seconds 120`.

Eight readers (3 command lines, 3 libraries, 2 MCP clients over pipes) ask while one process runs
`codeindex index` over and over and another edits, deletes and adds files. Each revision of a file
marks all its functions, so that afterwards every citation can be compared with what was on the disk
while it was made.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import psutil

from codeindex import Index
from tests.conftest import made_repository
from tests.soak.citations import (
    FILES,
    Life,
    faults_of,
    growth_of,
    lives_of,
    name_of,
    text_of,
)

COMMAND = (sys.executable, "-m", "codeindex")
READERS = ("cli", "cli", "cli", "library", "library", "library", "mcp", "mcp")
_EDIT_SECONDS = 0.4


@dataclass(frozen=True, slots=True)
class Term:
    """How long all of them work, once the last has started."""

    barrier: Barrier
    seconds: float

    def begun(self) -> float:
        """Wait for the others; return when to end."""
        self.barrier.wait()
        return time.monotonic() + self.seconds


def edit(root: Path, journal: Path, term: Term) -> None:
    """Replace, delete and add files, and note when each revision was there at the earliest."""
    chance, until = random.Random(7), term.begun()
    revisions = dict.fromkeys(range(FILES), 0)
    with journal.open("a", encoding="utf-8") as notes:
        while time.monotonic() < until:
            number = chance.randrange(FILES)
            revisions[number] += 1
            gone = chance.random() < 0.1
            note = {"file": name_of(number), "revision": revisions[number], "gone": gone}
            path = root / name_of(number)
            before = time.monotonic()
            if gone:
                path.unlink(missing_ok=True)
            else:
                new = path.with_suffix(".new")
                new.write_text(text_of(number, revisions[number]), encoding="utf-8")
                new.replace(path)
            notes.write(json.dumps(note | {"from": before, "done": time.monotonic()}) + "\n")
            notes.flush()
            time.sleep(chance.uniform(0.5, 1.5) * _EDIT_SECONDS)


def write(root: Path, journal: Path, term: Term) -> None:
    """Index again and again, as a person or a hook would."""
    until = term.begun()
    while time.monotonic() < until:
        done = subprocess.run([*COMMAND, "index"], cwd=root, capture_output=True, check=False)
        if done.returncode != 0:
            _append(journal, {"error": done.stderr.decode()})
        _append(journal, {"synced": done.stdout.decode()})


def read(role: str, root: Path, journal: Path, term: Term, seed: int) -> None:
    """Ask one question after the other, and note each answer with the time it took."""
    chance, until = random.Random(seed), term.begun()

    def questions() -> Iterator[str]:
        while time.monotonic() < until:
            yield f"sail ship {chance.randrange(FILES)} by the wind"

    {"cli": _by_cli, "library": _by_library, "mcp": _by_mcp}[role](root, journal, questions())


def _by_cli(root: Path, journal: Path, questions: Iterable[str]) -> None:
    for query in questions:
        before = time.monotonic()
        done = subprocess.run(
            [*COMMAND, "search", "--json", query], cwd=root, capture_output=True, check=False
        )
        note = {"from": before, "done": time.monotonic()}
        if done.returncode > 1:  # what it says on stderr otherwise are notes
            _append(journal, note | {"error": done.stderr.decode()})
        else:
            _append(journal, note | _seen(json.loads(done.stdout)))


def _by_library(root: Path, journal: Path, questions: Iterable[str]) -> None:
    with Index.open(root) as index:
        for query in questions:
            before = time.monotonic()
            answer = index.search(query).as_dict()
            note = {"from": before, "done": time.monotonic()}
            _append(journal, note | _seen(answer) | _size(psutil.Process()))


def _by_mcp(root: Path, journal: Path, questions: Iterable[str]) -> None:
    import anyio
    from mcp import Client, StdioServerParameters

    words = [*COMMAND[1:], "serve", "--structured"]
    variables = psutil.Process().environ()
    server = StdioServerParameters(command=COMMAND[0], args=words, cwd=str(root), env=variables)

    async def ask() -> None:
        async with Client(server) as client:
            process = psutil.Process().children()[0]
            for query in questions:
                before = time.monotonic()
                found = await client.call_tool("search_code", {"query": query})
                note = {"from": before, "done": time.monotonic()} | _size(process)
                if found.is_error or found.structured_content is None:
                    _append(journal, note | {"error": str(found.content)})
                else:
                    _append(journal, note | _seen(found.structured_content))

    anyio.run(ask)


def _size(process: psutil.Process) -> dict[str, float]:
    return {"mb": process.memory_info().rss / 1e6, "files": process.num_fds()}


def _seen(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the version, and of each result its file, first line, and text, if that is whole."""
    hits = [
        [hit["file_path"], hit["start_line"], hit.get("content", ""), hit.get("shown", "full")]
        for hit in answer["results"]
    ]
    return {"version": answer["index_version"], "hits": hits}


def _append(journal: Path, note: Mapping[str, Any]) -> None:
    with journal.open("a", encoding="utf-8") as notes:
        notes.write(json.dumps(note) + "\n")


@dataclass(frozen=True, slots=True)
class Row:
    """What one process did and saw."""

    name: str
    count: int
    faults: Mapping[str, Sequence[str]]
    size: str = ""


def soak(place: Path, *, seconds: float, readers: Sequence[str] = READERS) -> list[Row]:
    """Let all of them work at once, and say what each saw."""
    root = made_repository(place / "sea", {name_of(n): text_of(n, 0) for n in range(FILES)})
    with Index.open(root) as index:
        index.sync()
    spawn = multiprocessing.get_context("spawn")
    term = Term(spawn.Barrier(2 + len(readers)), seconds)
    editor, writer = place / "edits", place / "writer"
    works = [
        spawn.Process(target=edit, args=(root, editor, term)),
        spawn.Process(target=write, args=(root, writer, term)),
    ]
    names = [f"{role}-{number}" for number, role in enumerate(readers)]
    for seed, (role, name) in enumerate(zip(readers, names, strict=True)):
        works.append(spawn.Process(target=read, args=(role, root, place / name, term, seed)))
    for one in works:
        one.start()
    for one in works:
        one.join()
    lives = lives_of(_notes(editor))
    rows = [Row("edits", sum(map(len, lives.values())) - FILES, {}), _writer_row(_notes(writer))]
    rows += [_reader_row(name, _notes(place / name), lives) for name in names]
    ended = [("ended", one) for one in works if one.exitcode]
    return [*rows, Row("processes", len(works), _grouped((k, str(v)) for k, v in ended))]


def _notes(journal: Path) -> list[dict[str, Any]]:
    with suppress(FileNotFoundError):
        return [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    return []


def _writer_row(notes: Sequence[Mapping[str, Any]]) -> Row:
    errors = [("errors", one["error"]) for one in notes if "error" in one]
    return Row("writer", sum("synced" in one for one in notes), _grouped(errors))


def _reader_row(
    name: str, notes: Sequence[Mapping[str, Any]], lives: Mapping[str, Sequence[Life]]
) -> Row:
    sizes = [one for one in notes if "mb" in one]
    size = f"{sizes[-1]['mb']:.0f} MB, {sizes[-1]['files']} files" if sizes else ""
    return Row(name, len(notes), _grouped((*faults_of(notes, lives), *growth_of(notes))), size)


def _grouped(faults: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for kind, detail in faults:
        found[kind].append(detail)
    return dict(found)


def table(rows: Sequence[Row]) -> str:
    kinds = ("errors", "torn", "stale", "memory", "files", "ended")
    head = f"{'':<12}{'count':>8}" + "".join(f"{one:>8}" for one in kinds) + "  at the end"
    lines = [
        f"{row.name:<12}{row.count:>8}"
        + "".join(f"{len(row.faults.get(one, ())):>8}" for one in kinds)
        + f"  {row.size}"
        for row in rows
    ]
    return "\n".join([head, *lines])


def main() -> int:
    parser = argparse.ArgumentParser(description="Readers, a writer and an editor at once.")
    parser.add_argument("--seconds", type=float, default=120.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        adopt(place)
        rows = soak(place, seconds=given.seconds)
    print(table(rows))
    bad = Counter({row.name: sum(map(len, row.faults.values())) for row in rows})
    for row in rows:
        for kind, details in row.faults.items():
            print(f"{row.name}: {kind}:", *details[:5], sep="\n  ")
    return int(bad.total() > 0)


def adopt(place: Path) -> None:
    """Use a new data folder with the tiny model, in this process and its children."""
    import os

    from tests.flow.sites import install_tiny  # no reader imports what makes models

    install_tiny(place / "home")
    os.environ |= {
        "CODEINDEX_HOME": str(place / "home"),
        "CODEINDEX_CONFIG": str(place / "config"),
        "CODEINDEX_EMBEDDING_MODEL": "tiny",
        "HF_HUB_OFFLINE": "1",
    }


if __name__ == "__main__":
    sys.exit(main())
