"""Write and read the inverted index, which finds the live chunks that contain a word."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from codeindex.store.catalog.connection import Segment
from codeindex.store.segments.postings import Postings, read_postings, write_postings
from codeindex.store.segments.vectors import match_live
from codeindex.text.near_names import near_names
from codeindex.types.array_types import Counts, Flags, Ids


class ChunkWords(NamedTuple):
    """The words of one chunk by field.

    The words of a field are split, stemmed (`codeindex.text.words`) and joined by blanks. `names`
    has the words of every identifier in the chunk. The fields after `path` have the words of the
    symbol that the chunk defines.
    """

    chunk_id: int
    body: str
    names: str
    path: str
    name: str = ""
    owner: str = ""
    signature: str = ""
    doc: str = ""


MARKED_FIELDS = ("path", "name", "owner", "signature", "doc")
"""Fields that have a bit in each count; the bit says that the field contains the word."""
_WEIGHTS = np.array([1, 2, 2, 0, 0, 0, 0])
"""Weight of a word in each field of `ChunkWords`. Weights from 1 to 4 for names and path change the
scores of the dev benchmark by less than .003; the fields with weight 0 repeat words of the body.
Segments contain the weighted sums, so increase `catalog.FORMAT` when you change a weight."""
_COUNTED = 3
"""Number of leading fields whose words count for the length of a chunk: body, names and path."""
_FIELD_BITS = 3
_MOST = 16 - len(MARKED_FIELDS)
"""Number of low bits that hold the weighted count; the bits above mark the fields."""
_LARGEST = (1 << _MOST) - 1
_MARKS = np.array(
    [0, 0, *(1 << (_MOST + bit) for bit in range(len(MARKED_FIELDS)))], dtype=np.int64
)


def write_words(folder: Path, chunks: Sequence[ChunkWords]) -> Segment:
    """Write the words of chunks to disk as a new segment, and return it."""
    return write_postings(folder, invert_chunks(chunks))


def invert_chunks(chunks: Sequence[ChunkWords]) -> Postings:
    """Return the inverted index of chunks: for each word, the chunks that contain it."""
    width = len(_WEIGHTS)
    fields = zip(*(chunk[1:] for chunk in chunks), strict=True)  # in the order of `_WEIGHTS`
    texts = [text for field in fields for text in field]
    sizes = np.fromiter(map(_size, texts), dtype=np.int64).reshape(width, len(chunks))
    spelt, words = _numbered(texts)
    keys, counts = _counted(words, sizes)
    ids = np.array([chunk.chunk_id for chunk in chunks], dtype=np.int64)
    return Postings.of(ids, sizes[:_COUNTED].sum(axis=0), spelt, keys, counts)


def _size(text: str) -> int:
    return text.count(" ") + bool(text)


def _numbered(texts: Sequence[str]) -> tuple[list[bytes], Ids]:
    """Return (distinct words in byte order, numbers).

    `numbers` has an item for each word in `texts`, in their order: the index of the word in the
    first list.
    """
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__  # a word gets its number when it is first seen
    every = chain.from_iterable(map(str.split, texts))
    seen = np.fromiter(map(numbers.__getitem__, every), dtype=np.int64)
    ordered = sorted(numbers)  # also the order of their UTF-8 bytes
    rank = np.argsort([numbers[word] for word in ordered])
    return [word.encode() for word in ordered], rank[seen]


def _counted(words: Ids, sizes: Ids) -> tuple[Ids, Counts]:
    """Return (keys, counts) of the postings, sorted; `Postings.of` explains keys.

    `words` are the word numbers of all texts, field by field and chunk by chunk. `sizes[field,
    chunk]` is the number of words of one text. A count is the weighted number of a word's
    occurrences in a chunk, together with bits for the fields that contain the word.
    """
    columns, rows = np.indices(sizes.shape, dtype=np.int64)
    place = np.repeat(rows << _FIELD_BITS | columns, sizes.ravel())
    found = np.sort(words << (32 + _FIELD_BITS) | place)
    keys, first = np.unique(found >> _FIELD_BITS, return_index=True)
    field = found & ((1 << _FIELD_BITS) - 1)
    if not len(first):
        return keys, np.zeros(0, dtype=np.uint16)
    counts = np.minimum(np.add.reduceat(_WEIGHTS[field], first), _LARGEST)
    marks = np.bitwise_or.reduceat(_MARKS[field], first)
    return keys, (counts | marks).astype(np.uint16)


def merge_words(folder: Path, segments: Sequence[Segment], live: Ids) -> Segment:
    """Merge word segments into a new segment that has only the words of live chunks.

    `live` has the ids of the live chunks, which are those in the catalog.
    """
    ids = live[WordIndex(folder, segments, live).present]
    return write_postings(folder, WordIndex(folder, segments, ids).joined())


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """The chunks that contain a word, as arrays with an item for each chunk.

    `positions` are the positions of the chunks in `WordIndex.live`. `counts` are the numbers of
    occurrences, weighted by field.
    """

    positions: Ids
    counts: Counts
    marks: Counts
    """One bit for each field of `MARKED_FIELDS`, set if the field contains the word."""

    @property
    def in_path(self) -> Flags:
        return (self.marks & 1).astype(bool)


_MOST_FREQUENCIES, _MOST_OCCURRENCES = 65_536, 64
"""Number of words whose frequency and whose occurrences are cached, because a search needs the same
words in several steps."""


class WordIndex:
    """The inverted index over all word segments, restricted to the chunks in the catalog.

    These chunks are called live; `live` has their ids in ascending order. Arrays about chunks have
    one item per live chunk, in this order.
    """

    def __init__(self, folder: Path, segments: Iterable[Segment], live: Ids) -> None:
        self._live = live
        self._parts = [_Part(read_postings(folder, segment), live) for segment in segments]
        self.present = np.zeros(len(live), dtype=bool)
        self.lengths = np.zeros(len(live), dtype=np.uint32)
        for part in self._parts:
            self.present[part.positions] = True
            self.lengths[part.positions] = part.lengths
        self._frequencies: dict[str, int] = {}
        self._occurrences: dict[str, Occurrences] = {}

    def frequency(self, word: str) -> int:
        """Return the number of live chunks that contain a word."""
        known = self._frequencies.get(word)
        if known is None:
            spelt = word.encode()
            known = sum(part.frequency(spelt) for part in self._parts)
            if len(self._frequencies) < _MOST_FREQUENCIES:
                self._frequencies[word] = known
        return known

    def occurrences(self, word: str) -> Occurrences:
        """Return the live chunks that contain a word, each with a weighted count and its fields."""
        known = self._occurrences.get(word)
        if known is None:
            spelt = word.encode()
            places, counts = _chained(part.found(spelt) for part in self._parts)
            marks = counts >> np.uint16(_MOST)
            known = Occurrences(places, counts & np.uint16(_LARGEST), marks)
            if len(self._occurrences) >= _MOST_OCCURRENCES:
                self._occurrences.clear()
            self._occurrences[word] = known
        return known

    def chunks_with_all(self, words: Iterable[str]) -> list[int]:
        """Return ids of the live chunks that may contain all these words.

        Chunks whose words are not in any segment yet are included.
        """
        may = np.ones(len(self._live), dtype=bool)
        for word in words:
            has = ~self.present
            has[self.occurrences(word).positions] = True
            may &= has
        chunks: list[int] = self._live[may].tolist()
        return chunks

    def words_containing(self, part: str) -> set[str]:
        """Return the indexed words that contain `part`, including words of deleted chunks."""
        spelt = part.encode()
        found = chain.from_iterable(part.postings.words_containing(spelt) for part in self._parts)
        return {word.decode(errors="replace") for word in found}

    def words_near(self, word: str, *, slips: int) -> dict[str, int]:
        """Return {word: edit distance} of the indexed words within `slips` edits of `word`.

        An edit inserts, deletes or replaces a letter, or swaps two adjacent letters. Words that
        occur only in deleted chunks are left out.
        """
        size = len(word.encode())
        found = set(
            chain.from_iterable(
                part.postings.words_of_length(size - slips, size + slips) for part in self._parts
            )
        )
        spelt = sorted(word.decode(errors="replace") for word in found)
        near = near_names(spelt, word, slips=slips)
        return {key: far for key, far in near.items() if self.frequency(key)}

    def replacing(self, chunks: Iterable[ChunkWords]) -> WordIndex:
        """Return a copy of the index in which these live chunks have other words."""
        new = invert_chunks(sorted(chunks, key=lambda chunk: chunk.chunk_id))
        added, other = _Part(new, self._live), copy.copy(self)
        other._parts = [*(part.without(new.ids) for part in self._parts), added]  # noqa: SLF001 (own)
        other._frequencies, other._occurrences = {}, {}  # noqa: SLF001 (likewise)
        other.present, other.lengths = self.present.copy(), self.lengths.copy()
        other.present[added.positions] = True
        other.lengths[added.positions] = added.lengths
        return other

    def joined(self) -> Postings:
        """Return the inverted index of all live chunks as one object, merged from all segments."""
        spelt = sorted(set(chain.from_iterable(part.postings.spelt() for part in self._parts)))
        number = {word: at for at, word in enumerate(spelt)}
        keys, counts = _chained(part.numbered(number) for part in self._parts)
        order = np.argsort(keys, kind="stable")  # a stable sort of sorted runs is a merge
        return Postings.of(self._live, self.lengths, spelt, keys[order], counts[order])


def _chained(parts: Iterable[tuple[Ids, Counts]]) -> tuple[Ids, Counts]:
    found = [part for part in parts if len(part[0])]
    if not found:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint16)
    if len(found) == 1:
        return found[0]
    left, right = zip(*found, strict=True)
    return np.concatenate(left), np.concatenate(right)


class _Part:
    """One segment of the index: its inverted index, and where its chunks are in `live`."""

    def __init__(self, postings: Postings, live: Ids) -> None:
        self.postings = postings
        rows, self.positions = match_live(live, postings.ids)
        self.lengths = postings.lengths[rows]
        self._whole = len(rows) == len(postings.ids)
        self._place = np.full(len(postings.ids), -1, dtype=np.int64)
        self._place[rows] = self.positions

    def frequency(self, word: bytes) -> int:
        chosen = self.postings.slice_of(word)
        return chosen.stop - chosen.start if self._whole else len(self.found(word)[0])

    def found(self, word: bytes) -> tuple[Ids, Counts]:
        """Return (positions, counts) of the live chunks that contain a word.

        `positions` are the positions in `live`; counts include the bits for the fields.
        """
        chosen = self.postings.slice_of(word)
        places, counts = self._places(chosen), self.postings.counts[chosen]
        if self._whole:
            return places, counts
        alive = places >= 0
        return places[alive], counts[alive]

    def without(self, ids: Ids) -> _Part:
        """Return a copy of the segment in which the chunks with these ids count as deleted."""
        other = copy.copy(self)
        other._place = np.where(np.isin(self.postings.ids, ids), -1, self._place)  # noqa: SLF001 (own)
        other._whole = False  # noqa: SLF001 (likewise)
        return other

    def numbered(self, number: Mapping[bytes, int]) -> tuple[Ids, Counts]:
        """Return (keys, counts) of all postings of live chunks, as `Postings.of` takes them.

        `number` maps each word to its number. The row in a key is the position of the chunk in
        `live`.
        """
        numbers = np.fromiter(map(number.__getitem__, self.postings.spelt()), dtype=np.int64)
        words = np.repeat(numbers, np.diff(self.postings.starts))
        places = self._places(slice(None))
        alive = places >= 0
        return (words << 32 | places)[alive], self.postings.counts[alive]

    def _places(self, within: slice) -> Ids:
        # A damaged file may name rows that it lacks: clipping gives wrong results, but no crash.
        return self._place.take(self.postings.rows[within], mode="clip")
