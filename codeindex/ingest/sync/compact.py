"""Many small segments made one: each edit adds a few, and each costs every search a little."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.store.catalog.connection import Catalog, Segment
from codeindex.store.datadir.home import Repository
from codeindex.store.segments.vectors import Vectors, live_chunk_ids, merge_vectors
from codeindex.store.segments.word_index import WordIndex, merge_words

if TYPE_CHECKING:
    from codeindex.store.segments.postings import Ids

_See = Callable[[Path, Sequence[Segment], "Ids"], Vectors | WordIndex]
_Merge = Callable[[Path, Sequence[Segment], "Ids"], Segment]

_KINDS: Mapping[str, tuple[_See, _Merge]] = {
    "dense": (Vectors, merge_vectors),
    "token": (Vectors, merge_vectors),
    "words": (WordIndex, merge_words),
}
_MOST = 8
"""Small segments of a kind that are left beside a large one."""
_DEAD = 0.2
"""As many dead rows, as a share of the live chunks, are worth writing everything anew."""


def compact_segments(repository: Repository, catalog: Catalog) -> None:
    """Merge segments of a kind when there are many, or when many of their rows are dead."""
    generation = catalog.generation()
    live = live_chunk_ids(catalog)
    segments = generation.segments
    for kind, (see, merge) in _KINDS.items():
        mine = generation.of_kind(kind)
        present = see(repository.segments, mine, live).present
        dead = sum(one.rows for one in mine) - int(present.sum())
        chosen = mine if dead > _DEAD * max(len(live), 1) else segments_to_merge(mine)
        if chosen:
            merged = merge(repository.segments, chosen, live)
            segments = (*(one for one in segments if one not in chosen), merged)
    if segments != generation.segments:
        with catalog.writing():
            catalog.publish(replace(generation, segments=segments))


def segments_to_merge(segments: Sequence[Segment]) -> list[Segment]:
    """Return all if none has most of the rows; else the others, once they are many.

    An edit costs what it writes, and now and then a copy of some others, never one of everything.
    """
    rows = sum(one.rows for one in segments)
    small = [one for one in segments if one.rows * 2 <= rows]
    most = 1 if len(small) == len(segments) else _MOST
    return small if len(small) > most else []
