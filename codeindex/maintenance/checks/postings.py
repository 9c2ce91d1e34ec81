"""Check the word segments: checksums, and postings against the stored texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

import numpy as np

from codeindex.errors import DamagedError
from codeindex.ingest.sync.chunk_words import words_from_catalog
from codeindex.maintenance.checks.context import REPAIR, CheckContext
from codeindex.store.catalog.chunks import stored_chunk
from codeindex.store.segments.checksums import verify_checksum
from codeindex.store.segments.postings import read_postings
from codeindex.store.segments.word_index import WordIndex, invert_chunks
from codeindex.text.truncate import name_some
from codeindex.types.array_types import Ids
from codeindex.types.verdicts import Verdict, ok, problem

_CHUNKS = 400
"""Number of sampled chunks; to check them takes about 0.2 s."""
_BATCH = 2000
"""Number of chunks whose words are in memory at once."""


def check_postings(context: CheckContext) -> Iterator[Verdict]:
    """Check the word segments against their checksums.

    Sampled postings are also compared with the texts of the chunks.
    """
    folder, segments = context.repository.segments, context.generation.of_kind("words")
    wrong = False
    for segment in segments:
        try:
            read_postings(folder, segment)
            verify_checksum(folder, segment)
        except DamagedError as error:
            wrong = True
            text = str(error).rstrip(".")
            yield problem("words", text, remedy=REPAIR, names=(segment.name,))
    if not wrong:
        yield from _compare_words(context, WordIndex(folder, segments, context.live))


def _compare_words(context: CheckContext, words: WordIndex) -> Iterator[Verdict]:
    missing = int((~words.present).sum())
    if missing:
        yield problem("words", f"{missing:,} chunks have no words", remedy=REPAIR)
    chosen = np.array(context.sample(context.live[words.present].tolist(), _CHUNKS), dtype=np.int64)
    parts = (chosen[start : start + _BATCH] for start in range(0, len(chosen), _BATCH))
    paths = sorted({path for part in parts for path in _differing_paths(context, part)})
    if paths:
        text = f"{name_some(paths)}: the indexed words differ from the stored text"
        yield problem("files", text, remedy=REPAIR, names=tuple(paths))
    else:
        chunks = f"{len(chosen):,} of {len(context.live):,} chunks"
        yield ok("words", f"{chunks} have the words of their text")


def _differing_paths(context: CheckContext, ids: Ids) -> Iterator[str]:
    """Yield the path of each chunk in `ids` whose words in the index differ from its text.

    The set of chunks is halved until single chunks are left.
    """
    if _is_same(context, ids):
        return
    if len(ids) > 1:
        for half in np.array_split(ids, 2):
            yield from _differing_paths(context, half)
        return
    path, _ = stored_chunk(context.connection, int(ids[0]))
    yield path


def _is_same(context: CheckContext, ids: Ids) -> bool:
    segments: Sequence[object] = context.generation.of_kind("words")
    known = WordIndex(
        context.repository.segments, context.generation.of_kind("words"), ids
    ).joined()
    again = invert_chunks(
        [words_from_catalog(context.connection, number) for number in ids.tolist()]
    )
    return bool(segments) and all(
        np.array_equal(getattr(known, column.name), getattr(again, column.name))
        for column in fields(known)
    )
