"""Whether the index of runs of three characters, by which lines are found, knows the chunks."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from codeindex.store.catalog.trigrams import (
    ALL_PARTS,
    counted_again,
    counts_of_runs,
    is_held,
    parts_of_trigrams,
)
from codeindex.types.verdicts import Verdict, note, ok, problem
from codeindex.upkeep.examined import REPAIR, Examined, few

_CHUNKS, _RUNS = 100, 24
"""Chunks of a quick look, and runs that are asked for of each: 0.6 s of terraform's 32,000."""


def check_trigrams(one: Examined) -> Iterator[Verdict]:
    """Ask for runs of the text of chunks: what the index does not name, no search would find.

    A deep check makes the whole index again and compares: 6 s for terraform.
    """
    parts = parts_of_trigrams(one.connection)
    if not parts:
        yield note("trigrams", "this SQLite keeps none; exact searches read every chunk")
        return
    if parts < ALL_PARTS:
        yield problem("trigrams", "a part of the table is gone", remedy=REPAIR)
        return
    try:
        yield _counted(one) if one.deep else _sampled(one)
    except sqlite3.DatabaseError as error:
        yield problem("trigrams", f"SQLite finds it damaged: {error}", remedy=REPAIR)


def _counted(one: Examined) -> Verdict:
    known, again = counts_of_runs(one.connection), counted_again(one.connection)
    differing = {run for run, _ in known.items() ^ again.items()}
    if differing:
        text = f"{len(differing):,} runs are not in as many chunks as it says"
        return problem("trigrams", text, remedy=REPAIR)
    return ok("trigrams", f"{len(known):,} runs in as many chunks as it says")


def _sampled(one: Examined) -> Verdict:
    chosen = one.sample(one.live.tolist(), _CHUNKS)
    paths = sorted({path for chunk in chosen for path in _missing(one, chunk)})
    if paths:
        text = f"{few(paths)}: exact searches would miss lines"
        return problem("trigrams", text, remedy=REPAIR, names=tuple(paths))
    return ok("trigrams", f"name {len(chosen):,} chunks for their text, of {len(one.live):,}")


def _missing(one: Examined, chunk: int) -> Iterator[str]:
    path, text = one.connection.execute(
        "SELECT f.path, c.text FROM chunks c JOIN files f ON f.id = c.file_id WHERE c.id = ?",
        (chunk,),
    ).fetchone()
    if not is_held(one.connection, chunk, text, most=_RUNS):
        yield path
