"""Remove a docstring from the index, so that the docstring can be used as a query.

The words, the token vector and the dense vector of its chunks are computed again without the
docstring. Document frequencies of words exclude the docstring; document frequencies of tokens and
the mean vector still include it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from codeindex.store.segments.vectors import Vectors
from codeindex.text.words import stemmed_words
from codeindex.types.array_types import Floats

_TRIPLE = re.compile(r"\"{3}|'{3}")
_COMMENT = re.compile(r"\s*(?://|/?\*|#|--|;|%|\{-)")


def mask_docstring(lines: Sequence[str], doc: str) -> list[str] | None:
    """Return `lines` with the lines of a docstring made blank; None if it is not found.

    `doc` is the beginning of the docstring.
    """
    place = _find_words(lines, stemmed_words(doc))
    if place is None:
        return None
    first, last = _extend_span(lines, *place)
    return ["" if first <= at <= last else line for at, line in enumerate(lines)]


def _find_words(lines: Sequence[str], wanted: Sequence[str]) -> tuple[int, int] | None:
    """Return the indices of the first and last line of the words `wanted`; None if absent."""
    words_of_lines = [(word, at) for at, line in enumerate(lines) for word in stemmed_words(line)]
    size = len(wanted)
    for start in range(len(words_of_lines) - size + 1 if size else 0):
        if words_of_lines[start][0] == wanted[0]:
            run = words_of_lines[start : start + size]
            if [word for word, _ in run] == list(wanted):
                return run[0][1], run[-1][1]
    return None


def _extend_span(lines: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Return the line indices of the whole comment or string that contains a span of lines."""
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


class MaskedVectors(Vectors):
    """The vectors of an index, some of them replaced by those of chunks with a masked docstring."""

    def __init__(self, whole: Vectors, anew: Mapping[int, Floats]) -> None:
        self._whole = whole
        self._anew = {at: row for at, row in anew.items() if whole.present[at]}
        self.present = whole.present

    def empty(self) -> Vectors:
        return self._whole.empty()

    @property
    def dimension(self) -> int:
        return self._whole.dimension

    def scores(self, query: Floats) -> Floats:
        """Return what `Vectors.scores` returns, with the cosines of the replaced vectors."""
        out = self._whole.scores(query)
        for at, row in self._anew.items():
            out[at] = row @ query
        return out

    def row(self, position: int) -> Floats:
        """Return the vector of the live chunk at `position`, which must have a vector."""
        return self._anew[position] if position in self._anew else self._whole.row(position)
