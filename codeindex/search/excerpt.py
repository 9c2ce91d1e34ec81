"""Choose which lines of a long function to show: lines about the question, and conditions nearby.

In: the lines of a function and the weights of words. Out: numbers of lines. A line with words of
the question comes with the lines that it is indented under. Conditions and jumps near such lines
fill the remaining room.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from codeindex.search.pack.text_lines import has_content
from codeindex.text.control_lines import (
    ASSERTION,
    CONTROL,
    JUMP,
    LAST_BRANCH,
    indent_width,
    statement_lines,
)
from codeindex.text.words import query_words, stemmed_words

_SHORT = 60
"""Most lines of code that are shown in full whatever is looked for."""
_LEAST, _SHARE = 50, 0.5
"""Lines that are shown of longer code: a share of it, but at least so many. Agents that miss lines
read all again: of 821 lines that they cite of code which they read with `about`, .93 are shown
with .82 of the text; .69 with .59 if `_SHORT` is 40, `_SHARE` .3 and `_SMALLEST_GAP` 3. That is
one line for each 35 further tokens, where the calls that followed showed one for each 70."""
_WORDS = 0.6
"""Share of the room for lines with words of the question; conditions and jumps get the rest.
Without those, .80 of the places are shown with as much text."""
_AFTER = 2
"""Lines that are shown after a line with words of the question."""
_ASSERTIONS, _TEST_SHARE = 0.04, 0.4
"""Least share of assertions among the lines with content of a test, which are chosen first, and the
share of a test's lines that is shown. Of the assertions of six files of tests in Go and Ruby, .83
are shown; .46, in 4 % more lines, if these are chosen as in other code."""
_FARTHEST = 40
"""Most lines between a condition and its last branch. Of 806 lines that agents cite of code which
they read with `about`, .835 are shown with last branches and .825 without, for 1 % more text."""
_SMALLEST_GAP = 8
"""Least number of lines that are left out between two shown ones."""
_PART = 5
"""Lines of a part of a function; a word that is in few parts weighs more."""
Line = tuple[int, str]
"""The number and the text of a line."""


def telling_lines(lines: Sequence[Line], query: str) -> frozenset[int]:
    """Return the numbers of the lines to show to somebody who looks for `query`.

    `lines` are lines of a file, in order. If there are few, all are shown. Of a test, assertions
    are chosen first.
    """
    if len(lines) <= _SHORT:
        return frozenset(number for number, _ in lines)
    terms = frozenset(query_words(query))
    parts = ([text for _, text in lines[at : at + _PART]] for at in range(0, len(lines), _PART))
    weights = term_weights((stemmed_words("\n".join(part)) for part in parts), terms)
    size = sum(has_content(text) for _, text in lines)
    assertions = [number for number, text in lines if ASSERTION.match(text)]
    first = assertions if len(assertions) >= _ASSERTIONS * size else ()
    most = max(_LEAST, int((_TEST_SHARE if first else _SHARE) * size))
    chosen = frozenset(excerpt(lines, weights, most=most, first=first))
    numbers = sorted(chosen.union(_last_branches(lines, chosen)))
    return frozenset(numbers).union(*_small_gaps([*numbers, lines[-1][0] + 1]))


def _last_branches(lines: Sequence[Line], chosen: frozenset[int]) -> Iterator[int]:
    """Yield the numbers of lines like `else:` below chosen conditions, and of `_AFTER` lines after.

    Such a line counts as a branch of the last chosen condition above it with the same indent; code
    is not parsed, so it may be a branch of another one.
    """
    heads = dict[int, int]()  # the number of the last chosen condition, by its indent
    for at, (number, text) in enumerate(lines):
        indent = indent_width(text)
        if LAST_BRANCH.match(text) and number - heads.get(indent, -_FARTHEST) < _FARTHEST:
            yield from (after for after, _ in lines[at : at + 1 + _AFTER])
        if number in chosen and CONTROL.match(text):
            heads[indent] = number


def term_weights(texts: Iterable[Iterable[str]], terms: frozenset[str]) -> Mapping[str, float]:
    """Return {word: weight} for the words of a question; a word in few texts weighs more.

    Each of `texts` has the stemmed words of a text.
    """
    counts: Counter[str] = Counter()
    total = 0
    for words in texts:
        total += 1
        counts.update(terms.intersection(words))
    return {term: math.log(1 + total / (1 + counts[term])) for term in terms}


def excerpt(
    lines: Sequence[Line],
    weights: Mapping[str, float],
    *,
    most: int,
    first: Iterable[int] = (),
    with_control: bool = True,
) -> list[int]:
    """Return the numbers of the lines to show of a function, sorted; about `most` of them.

    The first line is always shown. The others are chosen in this order: those with numbers in
    `first`, those with words of the question (`weights` is {word: weight}), and, unless
    `with_control` is false, as for a document, conditions and jumps near them.
    """
    texts = [text for _, text in lines]
    parents = _parents(texts)
    selection = _Selection(texts)
    selection.add(statement_lines(texts, 0), room=math.inf)
    room = most * _WORDS if with_control else most
    for at in _by_words(lines, weights, frozenset(first)):
        last = at if ASSERTION.match(texts[at]) else at + _AFTER
        after = range(at, min(len(texts), last + 1))
        selection.add((*_with_parents(texts, parents, at), *after), room=room)
    for at in _control_lines(texts, selection.chosen) if with_control else ():
        selection.add(statement_lines(texts, at), room=most)
    chosen = selection.chosen
    gaps = _small_gaps([*sorted(chosen), len(lines)])
    return [lines[at][0] for at in sorted(chosen.union(*gaps))]


class _Selection:
    """The indexes of the chosen lines; lines without content do not count for its size."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.chosen: set[int] = set()
        self._sizes = [has_content(text) for text in texts]
        self._size = 0

    def add(self, lines: Iterable[int], *, room: float) -> None:
        """Choose `lines`, unless more than `room` lines with content would then be chosen."""
        new = set(lines) - self.chosen
        size = self._size + sum(self._sizes[at] for at in new)
        if size <= room:
            self.chosen |= new
            self._size = size


def _by_words(
    lines: Sequence[Line], weights: Mapping[str, float], first: frozenset[int]
) -> list[int]:
    """Return the indexes of the lines in `first` and of those with words, the best lines first."""
    totals: dict[int, float] = {}
    for at, (number, text) in enumerate(lines):
        words = weights.keys() & set(stemmed_words(text))
        total = sum(map(weights.__getitem__, words))
        if total or number in first:
            totals[at] = total
    return sorted(totals, key=lambda at: (lines[at][0] not in first, -totals[at], at))


def _parents(texts: Sequence[str]) -> Sequence[int]:
    """Return for each line the index of the line that it is indented under; -1 for none."""
    parents, open_lines = list[int](), list[tuple[int, int]]()
    for at, text in enumerate(texts):
        if not has_content(text):
            parents.append(-1)
            continue
        indent = indent_width(text)
        while open_lines and open_lines[-1][0] >= indent:
            open_lines.pop()
        parents.append(open_lines[-1][1] if open_lines else -1)
        open_lines.append((indent, at))
    return parents


def _with_parents(texts: Sequence[str], parents: Sequence[int], at: int) -> Iterator[int]:
    """Yield the indexes of a line and of all lines that it is indented under."""
    while at >= 0:
        yield from statement_lines(texts, at)
        at = parents[at]


def _control_lines(texts: Sequence[str], chosen: set[int]) -> list[int]:
    """Return the indexes of the other conditions and jumps, the nearest to chosen lines first."""
    others = [
        at
        for at, text in enumerate(texts)
        if at not in chosen and (CONTROL.match(text) or JUMP.match(text))
    ]
    return sorted(others, key=lambda at: min(abs(at - near) for near in chosen))


def _small_gaps(numbers: Sequence[int]) -> Iterator[range]:
    """Yield the gaps between shown lines that are too small to leave out.

    `numbers` are sorted: those of the shown lines, then the one after the last line. They may be
    line numbers or indexes. A gap is a range of them.
    """
    for before, after in pairwise(numbers):
        if after - before <= _SMALLEST_GAP:
            yield range(before + 1, after)
