"""Write and read posting lists: one immutable, memory-mapped file per segment.

A segment has its words in byte order, and for each word the rows of the chunks that contain it. A
word is found by bisection; its postings are one slice of the parallel arrays `rows` and `counts`.
"""

from __future__ import annotations

import mmap
import os
import struct
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from codeindex.errors import DamagedError, refuse_shortage
from codeindex.files.write import write_private_file
from codeindex.store.catalog.connection import Segment
from codeindex.store.segments.checksums import with_checksum
from codeindex.types.array_types import Counts, Ids

if TYPE_CHECKING:
    import numpy.typing as npt

    Sizes = npt.NDArray[np.int64] | npt.NDArray[np.uint32]


_MAGIC = b"codeindex words\n"
_HEADER = struct.Struct("<16s7q")
"""Magic bytes, and the number of items of each column."""
_MOST_SHORT = 1 << 16
"""Most rows of a segment that stores the row of a posting in 2 bytes instead of 4."""


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The inverted index of one segment, as arrays: for each word, the chunks that contain it.

    A row stands for a chunk. A posting is a (word, row) pair: the chunk contains the word.
    """

    ids: Ids
    """The chunk id of each row."""
    ends: Sizes
    """End offset in `letters` of each word, with a 0 before the first."""
    starts: Sizes
    """Start offset in `rows` of each word's postings, then the end of the last word's postings."""
    lengths: npt.NDArray[np.uint32]
    """Number of words in the chunk of each row."""
    rows: npt.NDArray[np.uint32] | npt.NDArray[np.uint16]
    """The row of each posting, sorted by word."""
    counts: Counts
    """The weighted count and field marks of each posting (see `word_index`)."""
    letters: npt.NDArray[np.uint8]
    """The UTF-8 bytes of all words in byte order, without separators."""

    @classmethod
    def of(
        cls, ids: Ids, lengths: Sizes, spelt: Sequence[bytes], keys: Ids, counts: Counts
    ) -> Self:
        """Build the inverted index of chunks from sorted postings.

        A row stands for a chunk: `ids` and `lengths` have the id and the number of words of each.
        `spelt` has all words in byte order. `keys` and `counts` have one item per posting; a key is
        `word number << 32 | row`. Words without postings are left out.
        """
        used, sizes = np.unique(keys >> 32, return_counts=True)
        kept = [spelt[item] for item in used.tolist()]
        return cls(
            ids=ids,
            ends=np.array([0, *accumulate(map(len, kept))], dtype=np.int64),
            starts=np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]),
            lengths=lengths.astype(np.uint32),
            rows=(keys & 0xFFFF_FFFF).astype(np.uint32),
            counts=counts,
            letters=np.frombuffer(b"".join(kept), dtype=np.uint8),
        )

    def spelt(self) -> Iterator[bytes]:
        """Yield every word, in byte order."""
        letters = self.letters.tobytes()
        return (letters[start:end] for start, end in pairwise(self.ends.tolist()))

    def slice_of(self, word: bytes) -> slice:
        """Return the slice of a word in `rows` and `counts`, empty if no chunk has it."""
        ends, letters = self.ends.data, self.letters.data  # three times as fast as array items

        def spelt(at: int) -> bytes:
            return letters[ends[at] : ends[at + 1]].tobytes()

        count = len(ends) - 1
        at = bisect_left(range(count), word, key=spelt)
        found = at < count and spelt(at) == word
        return slice(int(self.starts[at]), int(self.starts[at + found]))

    def words_containing(self, part: bytes) -> Iterator[bytes]:
        """Yield every word that contains the bytes `part`, in byte order."""
        letters = self.letters.tobytes()
        at = letters.find(part)
        while 0 <= at < len(letters):
            number = int(np.searchsorted(self.ends, at, side="right"))
            end = int(self.ends[number])
            fits = at + len(part) <= end  # else it spans two words
            if fits:
                yield letters[self.ends[number - 1] : end]
            at = letters.find(part, end if fits else at + 1)

    def words_of_length(self, smallest: int, largest: int) -> list[bytes]:
        """Return every word whose length is `smallest` to `largest` bytes, in byte order."""
        sizes = np.diff(self.ends)
        fitting = np.flatnonzero((smallest <= sizes) & (sizes <= largest))
        letters = self.letters.data
        bounds = zip(self.ends[fitting].tolist(), self.ends[fitting + 1].tolist(), strict=True)
        return [letters[start:end].tobytes() for start, end in bounds]


def _types(rows: int) -> Sequence[str]:
    """Return the types of the columns of a segment with so many rows, in the order of the fields.

    Wide types come first, so that all columns are aligned.
    """
    return ("<i8", "<u4", "<u4", "<u4", "<u2" if rows <= _MOST_SHORT else "<u4", "<u2", "<u1")


def write_postings(folder: Path, postings: Postings) -> Segment:
    """Write an inverted index to disk as a new segment, and return the segment.

    Its file may be deleted until a published generation lists the segment.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    segment = Segment("words", f"words-{os.urandom(6).hex()}", len(postings.ids))
    columns = [getattr(postings, field_.name) for field_ in fields(postings)]
    with write_private_file(folder / f"{segment.name}.words") as file:
        file.write(_HEADER.pack(_MAGIC, *map(len, columns)))
        for column, kind in zip(columns, _types(len(postings.ids)), strict=True):
            file.write(np.ascontiguousarray(column, dtype=kind).data)
    return with_checksum(folder, segment)


def read_postings(folder: Path, segment: Segment) -> Postings:
    """Map the file of a word segment into memory.

    Raise DamagedError if it is missing or not of the recorded shape.
    """
    try:
        with (folder / f"{segment.name}.words").open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        magic, *sizes = _HEADER.unpack_from(data)
        postings = Postings(*_columns(data, sizes))
    except (OSError, ValueError, struct.error) as error:
        refuse_shortage(error)
        raise DamagedError(f"Words {segment.name} cannot be read ({error}).") from error
    if magic != _MAGIC or not _is_sound(postings, segment.rows):
        raise DamagedError(f"Words {segment.name} have the wrong shape.")
    return postings


def _columns(data: mmap.mmap, sizes: Sequence[int]) -> Iterator[npt.NDArray[Any]]:
    """Yield the arrays of a segment's file; `sizes` are their numbers of items.

    Raise ValueError unless they fill the file exactly.
    """
    at = _HEADER.size
    for size, kind in zip(sizes, map(np.dtype, _types(sizes[0])), strict=True):
        if size < 0 or at + size * kind.itemsize > len(data):
            raise ValueError("it is cut off")
        yield np.ndarray(size, kind, data, at)
        at += size * kind.itemsize
    if at != len(data):
        raise ValueError("it goes on after its end")


def _is_sound(postings: Postings, rows: int) -> bool:
    """Tell whether the arrays of an inverted index fit together, without reading every posting.

    `rows` is the number of chunks that it should have.
    """
    return (
        len(postings.ids) == len(postings.lengths) == rows
        and len(postings.rows) == len(postings.counts)
        and len(postings.ends) == len(postings.starts)
        and _parts(postings.ends, len(postings.letters))
        and _parts(postings.starts, len(postings.rows))
    )


def _parts(bounds: Sizes, whole: int) -> bool:
    """Tell whether `bounds` divide a column of length `whole` into parts.

    They must ascend from 0 to `whole`.
    """
    return bool(
        len(bounds) and bounds[0] == 0 and bounds[-1] == whole and (bounds[1:] >= bounds[:-1]).all()
    )
