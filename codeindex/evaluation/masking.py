"""Taking a documentation text out of what an index holds of it, so that it can be asked for.

The chunk that has it is scored as if it had been indexed without it: its words, its token vector
and its model's vector are made again from the other lines. What was learned of the whole corpus
(document frequencies of tokens, their mean) still knows of the text; of words it does not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from codeindex.store.words import Occurrences, Words
from codeindex.words import words

if TYPE_CHECKING:
    import numpy.typing as npt

    from codeindex.store.words import ChunkWords

    Lengths = npt.NDArray[np.uint32]

_TRIPLE = re.compile(r"\"{3}|'{3}")
_COMMENT = re.compile(r"\s*(?://|/?\*|#|--|;|%|\{-)")
_WORTH = (1, 2, 2)
"""What a word counts in a body, in names and in a path, as in `store.words`."""


def without_doc(lines: Sequence[str], doc: str) -> list[str] | None:
    """Blank the documentation that begins as `doc` does, all of it; None if it is not there."""
    place = _place(lines, words(doc))
    if place is None:
        return None
    first, last = _whole(lines, *place)
    return ["" if first <= at <= last else line for at, line in enumerate(lines)]


def _place(lines: Sequence[str], wanted: Sequence[str]) -> tuple[int, int] | None:
    """Return the lines in which these words stand one after another."""
    said = [(word, at) for at, line in enumerate(lines) for word in words(line)]
    size = len(wanted)
    for start in range(len(said) - size + 1 if size else 0):
        if said[start][0] == wanted[0]:
            run = said[start : start + size]
            if [word for word, _ in run] == list(wanted):
                return run[0][1], run[-1][1]
    return None


def _whole(lines: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Extend a text to the comment or the string that it is the beginning of."""
    if _COMMENT.match(lines[first]):
        while first and _COMMENT.match(lines[first - 1]):
            first -= 1
        while last + 1 < len(lines) and _COMMENT.match(lines[last + 1]):
            last += 1
        return first, last
    if not _TRIPLE.search(lines[first]) and first and _TRIPLE.search(lines[first - 1]):
        first -= 1
    quotes = sum(len(_TRIPLE.findall(line)) for line in lines[first : last + 1])
    while quotes == 1 and last + 1 < len(lines):
        last += 1
        quotes += len(_TRIPLE.findall(lines[last]))
    return first, last


@dataclass(frozen=True, slots=True)
class _Said:
    counts: Mapping[str, int]
    in_path: frozenset[str]
    length: int


def _said(chunk: ChunkWords) -> _Said:
    fields = [text.split() for text in (chunk.body, chunk.names, chunk.path)]
    counts: Counter[str] = Counter()
    for field, worth in zip(fields, _WORTH, strict=True):
        for word in field:
            counts[word] += worth
    return _Said(counts, frozenset(fields[-1]), len(list(chain(*fields))))


class MaskedWords(Words):
    """The words of all chunks, of which a few are said anew."""

    def __init__(self, whole: Words, anew: Mapping[int, ChunkWords]) -> None:
        self._whole = whole
        self._anew = {at: _said(one) for at, one in anew.items()}
        self.present = whole.present
        self.lengths: Lengths = whole.lengths.copy()
        for at, one in self._anew.items():
            self.lengths[at] = one.length

    def occurrences(self, word: str) -> Occurrences:
        """Return which chunks have a word, those that are said anew by what they say now."""
        found = self._whole.occurrences(word)
        kept = ~np.isin(found.positions, list(self._anew))
        now = [(at, one) for at, one in self._anew.items() if one.counts.get(word)]
        counts = np.array([one.counts[word] for _, one in now], dtype=found.counts.dtype)
        in_path = np.array([word in one.in_path for _, one in now], dtype=bool)
        return Occurrences(
            np.append(found.positions[kept], np.array([at for at, _ in now], dtype=np.int64)),
            np.append(found.counts[kept], counts),
            np.append(found.in_path[kept], in_path),
        )

    def frequency(self, word: str) -> int:
        """Return how many chunks have a word."""
        return len(self.occurrences(word).positions)

    def near(self, word: str, *, slips: int) -> dict[str, int]:
        """Return the words that so many slips of the finger make of this one, with their number."""
        near = self._whole.near(word, slips=slips)
        return {one: far for one, far in near.items() if self.frequency(one)}

    def holding(self, part: str) -> set[str]:
        """Return the words that have these letters in them, those of dead chunks too."""
        return self._whole.holding(part)
