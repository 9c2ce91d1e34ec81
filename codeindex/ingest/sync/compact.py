"""Merge small segments: each edit adds some, and each segment slows down every search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from codeindex.store.catalog.connection import Catalog, Generation, Segment
from codeindex.store.catalog.index_counts import count_files_and_chunks
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
    chosen = {}
    for kind, (open_segments, _) in _KINDS.items():
        of_kind = generation.of_kind(kind)
        present = int(open_segments(repository.segments, of_kind, live).present.sum())
        dead = sum(segment.rows for segment in of_kind) - present
        chosen[kind] = of_kind if _are_many(dead, len(live)) else segments_to_merge(of_kind)
    return _publish_merged(repository, catalog, generation, chosen, live)


def merge_small_segments(
    repository: Repository, catalog: Catalog, generation: Generation
) -> Generation:
    """Merge the small segments of each kind that has many; call it while a question waits.

    A large segment is not copied, which would take much longer, so it keeps the rows of deleted
    chunks. Publish and return a generation as `compact_segments` does.
    """
    chosen = {kind: segments_to_merge(generation.of_kind(kind)) for kind in _KINDS}
    return _publish_merged(repository, catalog, generation, chosen)


def has_many_dead_rows(catalog: Catalog, generation: Generation) -> bool:
    """Tell whether the segments of a kind certainly have many rows of deleted chunks.

    Only numbers of rows are compared, so the result may be False if live chunks lack a row.
    """
    _, live = count_files_and_chunks(catalog.connection)
    rows = (sum(segment.rows for segment in generation.of_kind(kind)) for kind in _KINDS)
    return any(_are_many(count - live, live) for count in rows)


def _are_many(dead: int, live: int) -> bool:
    return dead > _MAX_DEAD_SHARE * max(live, 1)


def _publish_merged(
    repository: Repository,
    catalog: Catalog,
    generation: Generation,
    chosen: Mapping[str, Sequence[Segment]],
    live: Ids | None = None,
) -> Generation:
    """Publish `generation` with the chosen segments of each kind merged into one.

    Return it as it is if no segment is chosen. `live` has the ids of all chunks if they are known.
    """
    if not any(chosen.values()):
        return generation
    segments = generation.segments
    live = live_chunk_ids(catalog) if live is None else live
    for kind, of_kind in chosen.items():
        if of_kind:
            _, merge = _KINDS[kind]
            merged = merge(repository.segments, of_kind, live)
            segments = (*(segment for segment in segments if segment not in of_kind), merged)
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
