"""The inverted index: words of chunks, written as posting lists, read through live chunks."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from codeindex.store.catalog.connection import Segment
from codeindex.store.segments.postings import Postings, read_postings, write_postings
from codeindex.store.segments.vectors import match_live
from codeindex.text.near_names import near_names

if TYPE_CHECKING:
    import numpy.typing as npt

    from codeindex.store.segments.postings import Counts, Ids

    Flags = npt.NDArray[np.bool_]


class ChunkWords(NamedTuple):
    """The words of one chunk, split and stemmed (`codeindex.text.words`), joined by single blanks.

    `names` holds every identifier in the chunk. The fields after `path` are words of the symbol
    that the chunk defines: its name, owners, signature and documentation.
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
"""Fields whose words are marked by one bit of a count each."""
_WEIGHTS = np.array([1, 2, 2, 0, 0, 0, 0])
"""Weight of a word in each field of `ChunkWords`. For names and path, dev scores differ by less
than .003 between 1 and 4; the other fields repeat words of the body. Files hold the sums: raise
`catalog.FORMAT` to change them."""
_COUNTED = 3
"""Fields whose words make up the length of a chunk."""
_FIRST_MARKED = 2
_FIELD_BITS = 3
_MOST = 16 - len(MARKED_FIELDS)
"""Bits of a count; the bits above mark the fields that have the word."""
_LARGEST = (1 << _MOST) - 1
_MARKS = np.array(
    [0, 0, *(1 << (_MOST + bit) for bit in range(len(MARKED_FIELDS)))], dtype=np.int64
)


def write_words(folder: Path, chunks: Sequence[ChunkWords]) -> Segment:
    """Write the words of chunks as a segment; it is on disk when this returns."""
    return write_postings(folder, invert_chunks(chunks))


def invert_chunks(chunks: Sequence[ChunkWords]) -> Postings:
    """Invert chunks to posting lists."""
    width = len(_WEIGHTS)
    fields = zip(*(_fields(chunk) for chunk in chunks), strict=True)
    texts = [text for field in fields for text in field]
    sizes = np.fromiter(map(_size, texts), dtype=np.int64).reshape(width, len(chunks))
    spelt, words = _numbered(texts)
    keys, counts = _counted(words, sizes)
    ids = np.array([chunk.chunk_id for chunk in chunks], dtype=np.int64)
    return Postings.of(ids, sizes[:_COUNTED].sum(axis=0), spelt, keys, counts)


def _fields(words: ChunkWords) -> tuple[str, ...]:
    """Return the texts of a chunk in the order of `_WEIGHTS`."""
    return (
        words.body,
        words.names,
        words.path,
        words.name,
        words.owner,
        words.signature,
        words.doc,
    )


def _size(text: str) -> int:
    return text.count(" ") + bool(text)


def _numbered(texts: Sequence[str]) -> tuple[list[bytes], Ids]:
    """Return each word once, in order, and all of the texts' words by their place in it."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__  # a word gets its number when it is first seen
    every = chain.from_iterable(map(str.split, texts))
    seen = np.fromiter(map(numbers.__getitem__, every), dtype=np.int64)
    ordered = sorted(numbers)  # which is the order of their bytes too, as UTF-8 was made
    rank = np.argsort([numbers[word] for word in ordered])
    return [word.encode() for word in ordered], rank[seen]


def _counted(words: Ids, sizes: Ids) -> tuple[Ids, Counts]:
    """Sort the words of all texts, and weigh together those that are the same in one chunk.

    `sizes` has a row for each column of texts and says how many of the words are whose.
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
    """Merge the live rows of segments into one."""
    ids = live[WordIndex(folder, segments, live).present]
    return write_postings(folder, WordIndex(folder, segments, ids).joined())


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """Positions of the live chunks that have a word, weighted counts, and marks of fields."""

    positions: Ids
    counts: Counts
    marks: Counts
    """A bit for each of `MARKED_FIELDS` that has the word."""

    @property
    def in_path(self) -> Flags:
        return (self.marks & 1).astype(bool)


_MOST_FREQUENCIES, _MOST_OCCURRENCES = 65_536, 64
"""Words whose frequency and occurrences are remembered: a question asks for the same ones at
several steps."""


class WordIndex:
    """The words of all segments, limited to live chunks.

    `live` holds their ids in ascending order; arrays about chunks use the same order.
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
        """Return the live chunks that contain a word, with weighted counts and field marks."""
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

    def having(self, words: Iterable[str]) -> list[int]:
        """Return the chunks that contain all these words, and those that have no postings yet."""
        may = np.ones(len(self._live), dtype=bool)
        for word in words:
            has = ~self.present
            has[self.occurrences(word).positions] = True
            may &= has
        chunks: list[int] = self._live[may].tolist()
        return chunks

    def holding(self, part: str) -> set[str]:
        """Return the words that contain a substring, those of deleted chunks included."""
        spelt = part.encode()
        found = chain.from_iterable(part.postings.holding(spelt) for part in self._parts)
        return {word.decode(errors="replace") for word in found}

    def near(self, word: str, *, slips: int) -> dict[str, int]:
        """Return the words within this edit distance, each with its distance."""
        size = len(word.encode())
        found = set(
            chain.from_iterable(
                part.postings.of_size(size - slips, size + slips) for part in self._parts
            )
        )
        spelt = sorted(word.decode(errors="replace") for word in found)
        near = near_names(spelt, word, slips=slips)
        return {key: far for key, far in near.items() if self.frequency(key)}

    def replacing(self, chunks: Iterable[ChunkWords]) -> WordIndex:
        """Return a copy in which these live chunks have new words."""
        new = invert_chunks(sorted(chunks, key=lambda chunk: chunk.chunk_id))
        added, other = _Part(new, self._live), copy.copy(self)
        other._parts = [*(part.without(new.ids) for part in self._parts), added]  # noqa: SLF001 (own)
        other._frequencies, other._occurrences = {}, {}  # noqa: SLF001 (likewise)
        other.present, other.lengths = self.present.copy(), self.lengths.copy()
        other.present[added.positions] = True
        other.lengths[added.positions] = added.lengths
        return other

    def joined(self) -> Postings:
        """Merge the postings of live chunks into one segment."""
        spelt = sorted(set(chain.from_iterable(part.postings.spelt() for part in self._parts)))
        number = {word: at for at, word in enumerate(spelt)}
        keys, counts = _chained(part.numbered(number) for part in self._parts)
        order = np.argsort(keys, kind="stable")  # of runs that are in order, which is a merge
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
    """One segment, and the positions of its rows among the live chunks."""

    def __init__(self, postings: Postings, live: Ids) -> None:
        self.postings = postings
        rows, self.positions = match_live(live, postings.ids)
        self.lengths = postings.lengths[rows]
        self._whole = len(rows) == len(postings.ids)
        self._place = np.full(len(postings.ids), -1, dtype=np.int64)
        self._place[rows] = self.positions

    def frequency(self, word: bytes) -> int:
        under = self.postings.under(word)
        return under.stop - under.start if self._whole else len(self.found(word)[0])

    def found(self, word: bytes) -> tuple[Ids, Counts]:
        """Return positions of the live chunks that contain a word, and their counts."""
        under = self.postings.under(word)
        places, counts = self._places(under), self.postings.counts[under]
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
        """Return keys and counts of all postings of live chunks, with these word numbers."""
        numbers = np.fromiter(map(number.__getitem__, self.postings.spelt()), dtype=np.int64)
        words = np.repeat(numbers, np.diff(self.postings.starts))
        places = self._places(slice(None))
        alive = places >= 0
        return (words << 32 | places)[alive], self.postings.counts[alive]

    def _places(self, within: slice) -> Ids:
        # A damaged file may name rows that it lacks: clipping gives wrong results, but no crash.
        return self._place.take(self.postings.rows[within], mode="clip")
