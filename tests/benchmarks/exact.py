"""What finding every line costs: an index of three-letter runs against a scan, on real trees.

    python -m tests.benchmarks.exact REPO...

Each repository is a work tree; what has no index is indexed into CODEINDEX_HOME, its structure
alone. Sizes are bytes of a database that holds nothing else; times are milliseconds of processor
time, the median over 50 literals and 20 regular expressions, drawn and listed as `tests.soak.exact`
does. "Whole" is `Index.exact.grep` with all it does: the scan of the tree, the check of what is
cited, the page. "Cold" is a process of `codeindex search -F` from start to end, and `grep -rn`.
"""

from __future__ import annotations

import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from codeindex import Index
from codeindex.search.exact.matchers import InProcessMatcher, TextBlock
from codeindex.search.exact.pattern import LinePattern, PatternRequest
from codeindex.search.exact.texts import stored_texts
from tests.soak.exact import OWN, SHARED, literals, texts_of

LITERALS, REGEXES, COLD = 50, 20, 9
Find = Callable[[Sequence[LinePattern]], Any]


def built(rows: Sequence[tuple[int, str]], detail: str) -> tuple[int, float]:
    """Build an index of runs by itself; return its bytes, and seconds of processor time."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "runs.sqlite")
        connection = sqlite3.connect(path)
        began = time.process_time()
        connection.execute(
            "CREATE VIRTUAL TABLE runs USING fts5(text, content='', columnsize=0,"
            f" detail='{detail}', tokenize='trigram')"
        )
        connection.executemany("INSERT INTO runs (rowid, text) VALUES (?, ?)", rows)
        connection.commit()
        seconds = time.process_time() - began
        connection.close()
        return path.stat().st_size, seconds


def processor() -> float:
    """Return the processor time of this process and of the children that have ended."""
    used = (resource.getrusage(one) for one in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def median_ms(ask: Callable[[Any], Any], asked: Sequence[Any]) -> tuple[float, float]:
    """Return the medians of processor and elapsed time; the first is asked once before."""
    own, elapsed = [], []
    ask(asked[0])
    for one in asked:
        began, start = processor(), time.perf_counter()
        ask(one)
        own.append(processor() - began)
        elapsed.append(time.perf_counter() - start)
    return statistics.median(own) * 1e3, statistics.median(elapsed) * 1e3


def found_in(connection: sqlite3.Connection, *, by_index: bool) -> Find:
    """Return what finds lines, matched in this process so that its time is counted."""

    def find(patterns: Sequence[LinePattern]) -> list[tuple[TextBlock, list[int]]]:
        asked = patterns if by_index else [replace(one, needles=()) for one in patterns]
        texts = stored_texts(connection, asked, (), is_all=True)
        return list(InProcessMatcher(patterns).lines(texts))

    return find


def cold(index: Index, texts: Sequence[str]) -> None:
    program = (sys.executable, "-P", "-m", "codeindex", "search", "-c", "-F")
    for name, command in (
        ("codeindex search -F", program),
        ("grep -rn", ("grep", "-rnI", "--exclude-dir=.git", "-F")),
    ):

        def ask(text: str, command: tuple[str, ...] = command) -> None:
            subprocess.run([*command, text, "."], cwd=index.root, capture_output=True, check=False)

        own, elapsed = median_ms(ask, texts)
        print(f"    cold {name}: {own:.0f} ms of processor time, {elapsed:.0f} ms elapsed")


def measured(index: Index) -> None:
    chance = random.Random(3)
    texts = texts_of(index, index.files())
    drawn = [one for _ in range(2) for one in literals(texts, chance) if "-F" in one.flags]
    plain = [PatternRequest((one.text,)).patterns() for one in drawn if one.text.strip()][:LITERALS]
    regexes = [PatternRequest((one,), mode="regex").patterns() for one in (*SHARED, *OWN)][:REGEXES]
    with index.reader().catalog() as (catalog, _):
        connection = catalog.connection
        rows = connection.execute("SELECT id, text FROM chunks").fetchall()
        print(
            f"{index.repository.name}: {len(texts):,} files, {len(rows):,} chunks,"
            f" {sum(len(text.encode()) for _, text in rows) / 1e6:.1f} MB of text"
        )
        for detail in ("none", "full"):
            size, seconds = built(rows, detail)
            print(f"    FTS5, detail={detail}: {size / 1e6:.1f} MB, built in {seconds:.1f} s")
        for name, asked in (("literals", plain), ("regexes", regexes)):
            for how, by_index in (("scan", False), ("index", True)):
                own, elapsed = median_ms(found_in(connection, by_index=by_index), asked)
                print(f"    {len(asked)} {name}, {how}: {own:.1f} ms, elapsed {elapsed:.1f}")
    own, elapsed = median_ms(index.exact.grep, [one.text for one in drawn[:LITERALS]])
    print(f"    whole, literals: {own:.1f} ms, elapsed {elapsed:.1f}")
    sources = [one.source for (one,) in regexes]
    own, elapsed = median_ms(partial(index.exact.grep, mode="regex"), sources)
    print(f"    whole, regexes: {own:.1f} ms without the child's, elapsed {elapsed:.1f}")
    cold(index, [one.text for one in drawn[:COLD]])


def main(roots: list[str]) -> None:
    for root in roots:
        with Index.open(root) as index:
            if not index.is_indexed:
                index.sync(structure_only=True)
            measured(index)


if __name__ == "__main__":
    main(sys.argv[1:])
