"""When segments are merged, and that nothing is lost by it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.ingest.sync.chunk_words import words_of_file
from codeindex.ingest.sync.compact import (
    compact_segments,
    has_many_dead_rows,
    merge_small_segments,
    segments_to_merge,
)
from codeindex.secrets import mark_as_safe
from codeindex.store.catalog.connection import Catalog, Generation, Segment
from codeindex.store.catalog.files import known_files
from codeindex.store.catalog.write_files import delete_files
from codeindex.store.datadir.home import Repository
from codeindex.store.segments.vectors import Vectors, live_chunk_ids, write_segment
from codeindex.store.segments.word_index import WordIndex, write_words
from codeindex.types import Chunk, PreparedChunk, PreparedFile
from tests.prepared_files import prepared_file, store_file


def file(path: str, chunks: int) -> PreparedFile:
    return prepared_file(
        path,
        chunks=tuple(
            PreparedChunk(Chunk(n, n, "file", mark_as_safe("text")), f"{path} w{n}", "", b"")
            for n in range(chunks)
        ),
    )


class Shelf:
    """A catalog whose every file has a segment of each kind."""

    def __init__(self, folder: Path) -> None:
        self.repository = Repository("shop", folder, folder)
        self.catalog = Catalog.create(self.repository.catalog)
        self.segments: tuple[Segment, ...] = ()

    def add(self, path: str, chunks: int) -> None:
        one = file(path, chunks)
        with self.catalog.writing():
            ids = store_file(self.catalog.connection, one, module="", is_navigation=False).chunks
            folder = self.repository.segments
            rows = np.array([[chunk, 1] for chunk in ids], dtype=np.float32).reshape(-1, 2)
            self.segments += (
                write_words(folder, list(words_of_file(one, ids))),
                write_segment(folder, "dense", np.array(ids, dtype=np.int64), rows),
            )
            self.catalog.publish(Generation(segments=self.segments))

    def remove(self, path: str) -> None:
        with self.catalog.writing():
            known = known_files(self.catalog.connection)
            delete_files(self.catalog.connection, [known[path].id])

    def compact(self) -> list[int]:
        """Return the rows of the segments that are left of words, which vectors have too."""
        compact_segments(self.repository, self.catalog, self.catalog.generation())
        left = self.catalog.generation()
        rows = [one.rows for one in left.of_kind("words")]
        assert sorted(rows) == sorted(one.rows for one in left.of_kind("dense"))
        self.segments = left.segments
        return rows

    def seen(self) -> list[tuple[int, list[str]]]:
        """Return what the vector and the words of each live chunk say."""
        live = live_chunk_ids(self.catalog)
        generation = self.catalog.generation()
        words = WordIndex(self.repository.segments, generation.of_kind("words"), live)
        vectors = Vectors(self.repository.segments, generation.of_kind("dense"), live)
        firsts = vectors.scores(np.array([1, 0], dtype=np.float32)).astype(int).tolist()
        said: list[list[str]] = [[] for _ in live]
        for word in sorted(words.words_containing("")):
            for at in words.occurrences(word).positions.tolist():
                said[at].append(word)
        return list(zip(firsts, said, strict=True))


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path)
    yield shelf
    shelf.catalog.close()


def test_small_segments_are_merged_into_one(shelf: Shelf) -> None:
    for path, chunks in (("a", 3), ("b", 2), ("c", 2)):
        shelf.add(path, chunks)
    before = shelf.seen()
    assert shelf.compact() == [7]
    assert shelf.seen() == before


def test_a_large_segment_is_left_alone_and_small_ones_are_merged_once_they_are_many(
    shelf: Shelf,
) -> None:
    shelf.add("large", 40)
    for number in range(8):
        shelf.add(f"small{number}", 1)
        assert shelf.compact() == [40] + [1] * (number + 1)
    large = shelf.segments[0]
    shelf.add("last", 1)
    before = shelf.seen()
    assert shelf.compact() == [40, 9]
    assert shelf.segments[0] == large
    assert shelf.seen() == before


def test_dead_rows_are_dropped_once_they_are_a_fifth(shelf: Shelf) -> None:
    shelf.add("large", 10)
    shelf.add("gone", 2)
    shelf.remove("gone")
    assert shelf.compact() == [10, 2]
    shelf.add("more", 1)
    shelf.remove("more")
    before = shelf.seen()
    assert shelf.compact() == [10]
    assert shelf.seen() == before


def test_before_a_question_dead_rows_stay_where_they_are(shelf: Shelf) -> None:
    shelf.add("large", 10)
    for number in range(9):
        shelf.add(f"small{number}", 1)
    assert not has_many_dead_rows(shelf.catalog, shelf.catalog.generation())
    for number in range(5):
        shelf.remove(f"small{number}")
    before = shelf.seen()
    generation = merge_small_segments(shelf.repository, shelf.catalog, shelf.catalog.generation())
    assert [one.rows for one in generation.of_kind("words")] == [10, 4]
    assert shelf.seen() == before
    shelf.remove("large")
    generation = shelf.catalog.generation()
    assert has_many_dead_rows(shelf.catalog, generation)
    assert merge_small_segments(shelf.repository, shelf.catalog, generation) == generation
    assert shelf.compact() == [4]


def test_an_index_that_lost_all_files_keeps_nothing(shelf: Shelf) -> None:
    shelf.add("only", 3)
    shelf.remove("only")
    assert shelf.compact() == [0]
    assert shelf.compact() == [0]


@given(st.lists(st.integers(0, 500), max_size=40))
def test_what_was_merged_is_not_merged_again_at_once(sizes: list[int]) -> None:
    segments = [Segment("words", str(at), rows) for at, rows in enumerate(sizes)]
    chosen = segments_to_merge(segments)
    left = [one for one in segments if one not in chosen]
    if chosen:
        left.append(Segment("words", "merged", sum(one.rows for one in chosen)))
    assert segments_to_merge(left) == []
    assert len(left) <= 9
