"""Measure speed and size against the budgets of the design: `speed.py REPO... [--home DIR]`.

Each repository is cloned below the data folder, so that nothing of the user's is touched. Absolute
figures depend on what else the machine does: minima, medians and ratios to a baseline of the same
run are what to compare.
"""

from __future__ import annotations

import argparse
import compileall
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from embedding_speed import against_bare_sessions
from meter import Memory, Timings, processor_seconds, repeated, seconds_of, starts

import codeindex
from codeindex import Answer, Index, git
from codeindex.config import cpu_count
from codeindex.text.words import stemmed_parts

MEGABYTE = 1e6
RACY_SECONDS = 2.1
"""Files changed less than this before they were read are read once more by the next sync."""
EDITS, QUIET_SYNCS, STARTS, QUERIES = 20, 10, 10, 40


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table; `ok` is None for what has no budget."""

    what: str
    figure: str
    budget: str = ""
    ok: bool | None = None

    def __str__(self) -> str:
        verdict = {True: "ok", False: "OVER", None: ""}[self.ok]
        return f"{self.what:34} {self.figure:44} {self.budget:24} {verdict}".rstrip()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to measure, as the command line says."""

    structure_only: bool
    sample: int
    queries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    files: int
    chunks: int
    symbols: int
    lines: int
    megabytes: float


class Phases:
    """When each phase was first heard of, in seconds from now."""

    def __init__(self) -> None:
        self.started: dict[str, float] = {}
        self._since = time.monotonic()

    def note(self, phase: str, _done: int, _total: int) -> None:
        self.started.setdefault(phase, time.monotonic() - self._since)


def measure(repository: Path, home: Path, wanted: Wanted) -> Iterator[Row]:
    """Yield the rows of one repository as they are measured."""
    work = _cloned(repository, home / "work" / repository.name)
    with Index.open(work, root=True) as index:
        yield from _structure(index)
        if not wanted.structure_only:
            yield from against_bare_sessions_row(index, wanted.sample)
            yield from _embedding(index)
        yield from _quiet_sync(index, structure_only=wanted.structure_only)
        yield from _edit(index)
        yield from _warm_queries(index, wanted.queries or tuple(_own_queries(index)))
        yield Row("index on disk", f"{index.status().size_bytes / MEGABYTE:.1f} MB")
    yield from _cold(work)


def against_bare_sessions_row(index: Index, sample: int) -> Iterator[Row]:
    found = against_bare_sessions(index, sample)
    if found is None:
        yield Row("embedding phase", "no model is here")
        return
    yield Row(
        "embedding phase, of bare sessions",
        f"{found.ratio:.0%} ({found.ours:,.0f} of {found.bare:,.0f} tokens/s)",
        "at least 90 %",
        found.ratio >= 0.9,
    )


def _cloned(repository: Path, work: Path) -> Path:
    if not work.exists():
        if git.find_work_tree(repository) == repository.resolve():
            shutil.copytree(repository / ".git", work / ".git", symlinks=True)
            for path in map(bytes.decode, git.list_files(repository)):
                _copy(repository / path, work / path)
        else:
            shutil.copytree(repository, work, symlinks=True)
    return work


def _copy(source: Path, target: Path) -> None:
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target, follow_symlinks=False)


def _structure(index: Index) -> Iterator[Row]:
    """Make the structure twice: a look at the memory every 50 ms takes a fifth of a core."""
    used = processor_seconds()
    phases = Phases()
    seconds = seconds_of(
        lambda: index.sync(structure_only=True, rebuild=True, progress=phases.note)
    )
    index.close()  # ends the workers, so that what they used counts
    used = processor_seconds() - used
    with Memory.measured() as memory:
        index.sync(structure_only=True, rebuild=True)
    counts = _counts(index)
    speed = counts.megabytes / (seconds / 60) / cpu_count()
    yield Row(
        "indexed",
        f"{counts.files:,} files, {counts.chunks:,} chunks, {counts.symbols:,} symbols,"
        f" {counts.lines:,} lines, {counts.megabytes:.1f} MB",
    )
    yield Row("structure, MB a minute a core", f"{speed:.1f}", "at least 15", speed >= 15)
    yield Row("structure, MB a minute of processor", f"{counts.megabytes / (used / 60):.1f}")
    yield Row("structure, seconds", f"{seconds:.1f}")
    searchable = phases.started.get("graph", seconds)
    thousand = 1000 * searchable / max(counts.files, 1)
    yield Row(
        "all words searchable after",
        f"{searchable:.1f} s ({thousand:.1f} a 1,000 files)",
        "10 a 1,000 files",
        thousand < 10,
    )
    yield _memory_row("structure, peak PSS", memory)


def _embedding(index: Index) -> Iterator[Row]:
    with Memory.measured() as memory:
        seconds = seconds_of(index.sync)
    yield Row("embedding and exports, seconds", f"{seconds:.1f}")
    yield _memory_row("embedding, peak PSS", memory)
    yield Row("Chroma's child, peak PSS", f"{memory.chroma:.0f} MB")


def _memory_row(what: str, memory: Memory) -> Row:
    return Row(what, f"{memory.tree:.0f} MB", "700 MB", memory.tree < 700)


def _counts(index: Index) -> Counts:
    with index.reader().catalog() as (catalog, _):
        sql = catalog.connection.execute
        files, lines, size = sql(
            "SELECT count(*), sum(lines), sum(size) FROM files WHERE status IN ('indexed', 'plain')"
        ).fetchone()
        (chunks,) = sql("SELECT count(*) FROM chunks").fetchone()
        (symbols,) = sql("SELECT count(*) FROM symbols").fetchone()
        return Counts(files, chunks, symbols, lines or 0, (size or 0) / MEGABYTE)


def _quiet_sync(index: Index, *, structure_only: bool) -> Iterator[Row]:
    time.sleep(RACY_SECONDS)
    index.sync(structure_only=structure_only)
    found = repeated(lambda: index.sync(structure_only=structure_only), QUIET_SYNCS)
    budget = 0.060 * max(_counts(index).files / 1000, 1)
    yield Row("no-change sync", str(found), "60 ms a 1,000 files", found.median < budget)


def _edit(index: Index) -> Iterator[Row]:
    """Edit one file of middling size again and again; each edit must be found."""
    with index.reader().catalog() as (catalog, _):
        paths = catalog.connection.execute(
            "SELECT path FROM files WHERE status = 'indexed' ORDER BY size"
        ).fetchall()
    file = index.root / paths[len(paths) // 2][0]
    original = file.read_bytes()
    index.sync(structure_only=True)
    time.sleep(RACY_SECONDS)
    index.search("one before the edits")
    edits = range(EDITS + 1)
    asked = [_edited(index, file, original, number, by_sync=False) for number in edits]
    synced = [_edited(index, file, original, number, by_sync=True) for number in edits[1:]]
    file.write_bytes(original)
    index.sync(structure_only=True)
    found = Timings(tuple(asked[1:]))  # the first one starts the worker
    yield Row("one-file edit to answer", str(found), "150 ms", found.median < 0.150)
    yield Row("one-file edit, worker cold", str(Timings((asked[0],))))
    yield Row("one-file edit, whole sync", str(Timings(tuple(synced))))


def _edited(index: Index, file: Path, original: bytes, number: int, *, by_sync: bool) -> float:
    """Return the seconds until an edit is found: by the question itself, or by a sync before it."""
    word = f"quagga{number}{'zebra' if by_sync else 'okapi'}"
    file.write_bytes(original + f"\n// {word}\n".encode())
    synced = seconds_of(lambda: index.sync(structure_only=True)) if by_sync else 0.0
    answers: list[Answer] = []
    seconds = seconds_of(lambda: answers.append(index.search(word)))
    assert any(word in hit.text for hit in answers[0].hits), f"{word} is not found in {file}"
    return synced or seconds


def _own_queries(index: Index) -> Iterator[str]:
    """Make questions of four kinds out of names that the repository defines."""
    with index.reader().catalog() as (catalog, _):
        rows = catalog.connection.execute(
            "SELECT name FROM symbols WHERE length(name) > 5 GROUP BY folded ORDER BY folded"
        ).fetchall()
    names = [name for (name,) in rows[:: max(1, len(rows) // QUERIES)]][:QUERIES]
    shapes = ("{name}", "how does {words} work", "what calls {name}", "where is {words} handled")
    for at, name in enumerate(names):
        yield shapes[at % len(shapes)].format(name=name, words=" ".join(stemmed_parts(name)))


def _warm_queries(index: Index, queries: tuple[str, ...]) -> Iterator[Row]:
    for query in queries[:2]:
        index.search(query)
    whole = Timings(tuple(seconds_of(lambda one=one: index.search(one)) for one in queries))  # type: ignore[misc]
    yield _query_row("warm query", whole)
    with index.reader().corpus() as (_, corpus):
        encoder = index.encoder_of(corpus.generation.model)
    if encoder:
        encoder.embedder()
        own = [seconds_of(lambda one=one: encoder.dense_query(one)) for one in queries]  # type: ignore[misc]
        rest = tuple(max(a - b, 0.0) for a, b in zip(whole.seconds, own, strict=True))
        yield _query_row("warm query's own embedding", Timings(tuple(own)))
        whole = Timings(rest)
    ok = whole.median < 0.015
    yield _query_row("warm query besides its embedding", whole, "p50 15 ms", ok=ok)


def _query_row(what: str, found: Timings, budget: str = "", *, ok: bool | None = None) -> Row:
    low, high = found.quantile(0.5) * 1000, found.quantile(0.95) * 1000
    return Row(what, f"p50 {low:.1f} ms, p95 {high:.1f} ms", budget, ok)


def _cold(work: Path) -> Iterator[Row]:
    command = [sys.executable, "-m", "codeindex"]
    query = "how are options parsed and checked"
    search, usage, nothing = starts(
        [[*command, "search", query, str(work)], [*command, "--help"], [sys.executable, "-c", ""]],
        STARTS,
    )
    yield Row("cold search", str(search), "0.6 s", search.median < 0.6)
    yield Row("--help", str(usage), "0.15 s", usage.median < 0.15)
    yield Row("bare Python", str(nothing))
    yield Row("cold search, of bare Python", f"{search.median / nothing.median:.0f} times")


def _with_bytecode(patch: pytest.MonkeyPatch) -> None:
    """Let programs start from bytecode, as installed ones do, whatever the shell was told."""
    patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    compileall.compile_dir(Path(codeindex.__file__).parent, quiet=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", type=Path, nargs="+")
    parser.add_argument("--home", type=Path, help="keep clones and indexes here")
    parser.add_argument("--structure-only", action="store_true", help="embed nothing")
    parser.add_argument("--queries", type=Path, help="a file of queries, one a line")
    parser.add_argument("--sample", type=int, default=200, help="texts to compare embedding on")
    args = parser.parse_args()
    queries = tuple(args.queries.read_text("utf-8").splitlines()) if args.queries else ()
    wanted = Wanted(args.structure_only, args.sample, queries)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        home = (args.home or Path(folder)).absolute()
        patch.setenv("CODEINDEX_HOME", str(home / "data"))
        _with_bytecode(patch)
        for repository in args.repositories:
            print(f"\n{repository.name}")
            for row in measure(repository, home, wanted):
                print(f"  {row}", flush=True)


if __name__ == "__main__":
    main()
