"""Check the trigram index against the chunk texts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from codeindex.maintenance.checks.context import REPAIR, CheckContext
from codeindex.store.catalog.chunks import stored_chunk
from codeindex.store.catalog.trigrams import (
    TRIGRAM_OBJECTS,
    count_trigram_objects,
    has_chunk_trigrams,
    recount_trigrams,
    trigram_counts,
)
from codeindex.text.truncate import name_some
from codeindex.types.verdicts import Verdict, note, ok, problem

_CHUNKS, _RUNS = 100, 24
"""Numbers of sampled chunks, and of trigrams of each; the check takes 0.6 s for terraform, which
has 32,000 chunks."""


def check_trigrams(context: CheckContext) -> Iterator[Verdict]:
    """Check that the trigram index finds sampled chunks by the trigrams of their text.

    A deep check builds the whole index again and compares both: 6 s for terraform.
    """
    parts = count_trigram_objects(context.connection)
    if not parts:
        yield note("trigrams", "this SQLite supports no trigrams; exact searches read every chunk")
        return
    if parts < TRIGRAM_OBJECTS:
        yield problem("trigrams", "a part of the table is missing", remedy=REPAIR)
        return
    try:
        yield _compare_counts(context) if context.deep else _query_samples(context)
    except sqlite3.DatabaseError as error:
        yield problem("trigrams", f"SQLite finds it damaged: {error}", remedy=REPAIR)


def _compare_counts(context: CheckContext) -> Verdict:
    known, again = trigram_counts(context.connection), recount_trigrams(context.connection)
    differing = {run for run, _ in known.items() ^ again.items()}
    if differing:
        text = f"{len(differing):,} trigrams have a wrong number of chunks"
        return problem("trigrams", text, remedy=REPAIR)
    return ok("trigrams", f"{len(known):,} trigrams have the right number of chunks")


def _query_samples(context: CheckContext) -> Verdict:
    chosen = context.sample(context.live.tolist(), _CHUNKS)
    paths = sorted({path for chunk in chosen for path in _path_if_missing(context, chunk)})
    if paths:
        text = f"{name_some(paths)}: exact searches would miss lines"
        return problem("trigrams", text, remedy=REPAIR, names=tuple(paths))
    return ok(
        "trigrams", f"{len(chosen):,} of {len(context.live):,} chunks are found by their text"
    )


def _path_if_missing(context: CheckContext, chunk: int) -> Iterator[str]:
    """Yield the path of a chunk if the index does not find the chunk by its own trigrams."""
    path, stored = stored_chunk(context.connection, chunk)
    if not has_chunk_trigrams(context.connection, chunk, stored.text, most=_RUNS):
        yield path
