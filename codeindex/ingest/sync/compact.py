"""Merge small segments: each edit adds some, and each segment slows down every search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from codeindex.store.catalog.connection import Catalog, Generation, Segment
from codeindex.store.datadir.home import Repository
from codeindex.store.segments.vectors import Vectors, live_chunk_ids, merge_vectors
from codeindex.store.segments.word_index import WordIndex, merge_words
from codeindex.types.array_types import Ids

_Open = Callable[[Path, Sequence[Segment], Ids], Vectors | WordIndex]
_Merge = Callable[[Path, Sequence[Segment], Ids], Segment]

_KINDS: Mapping[str, tuple[_Open, _Merge]] = {
    "dense": (Vectors, merge_vectors),
    "token": (Vectors, merge_vectors),
    "words": (WordIndex, merge_words),
}
_MAX_SMALL_SEGMENTS = 8
"""Most small segments of a kind that stay beside a large segment: more would slow searches."""
_MAX_DEAD_SHARE = 0.2
"""Share of dead rows, in relation to live chunks, above which a full rewrite is worth its time."""


def compact_segments(
    repository: Repository, catalog: Catalog, generation: Generation
) -> Generation:
    """Merge the segments of each kind that has many, or many rows of deleted chunks.

    Publish `generation` with the merged segments and return it; if nothing is merged, return it as
    it is.
    """
    live = live_chunk_ids(catalog)
    segments = generation.segments
    for kind, (open_segments, merge) in _KINDS.items():
        of_kind = generation.of_kind(kind)
        present = open_segments(repository.segments, of_kind, live).present
        dead = sum(segment.rows for segment in of_kind) - int(present.sum())
        is_mostly_dead = dead > _MAX_DEAD_SHARE * max(len(live), 1)
        chosen = of_kind if is_mostly_dead else segments_to_merge(of_kind)
        if chosen:
            merged = merge(repository.segments, chosen, live)
            segments = (*(segment for segment in segments if segment not in chosen), merged)
    if segments == generation.segments:
        return generation
    with catalog.writing():
        return catalog.publish(replace(generation, segments=segments))


def segments_to_merge(segments: Sequence[Segment]) -> list[Segment]:
    """Return the segments to merge into one; [] if merging would gain too little.

    If no segment has more than half of the rows, all segments are merged. Otherwise only the small
    segments are merged, once there are many of them. So an edit never copies the large segment.
    """
    rows = sum(segment.rows for segment in segments)
    small = [segment for segment in segments if segment.rows * 2 <= rows]
    most = 1 if len(small) == len(segments) else _MAX_SMALL_SEGMENTS
    return small if len(small) > most else []
