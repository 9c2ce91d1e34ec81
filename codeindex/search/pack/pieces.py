"""The pieces of an answer that is being packed, and the steps by which it grows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from codeindex.types import Hit, HitDetail, SafeText

_WORTH: dict[HitDetail, float] = {"seen": 0.2, "pointer": 0.5, "skeleton": 0.8, "full": 1.0}
"""How much of a hit's score each form is worth: knowing the place is half of the answer."""
_NEXT_OF_FILE = 0.5
"""For each earlier piece of the same file, the gain of a piece is multiplied by this."""
_LEAST = 0.01
"""The score that is assumed for a hit without a score."""


@dataclass(frozen=True, slots=True)
class HitForm:
    """One way to show a hit, and its size in characters.

    A hit is shown in full, as a skeleton (its main lines) or as a pointer (its place).
    """

    hit: Hit
    size: int


HitForms = Callable[[Hit], tuple[HitForm, ...]]
"""Returns the useful forms of a hit, shortest first."""


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """A part of the answer: one hit, or adjacent hits of a file joined into the hit `whole`.

    `first` is the rank of the first joined hit. `forms` are the ways to show `whole`, shortest
    first; `level` is the index of the chosen form.
    """

    whole: Hit
    first: int
    forms: tuple[HitForm, ...]
    level: int = 0

    @property
    def form(self) -> HitForm:
        return self.forms[self.level]

    @property
    def worth(self) -> float:
        return max(self.whole.score, _LEAST) * _WORTH[self.form.hit.shown]


AnswerPieces = tuple[AnswerPiece, ...]


@dataclass(frozen=True, slots=True)
class PackStep:
    """A possible next step in filling the answer: it adds a hit, or shows a piece more fully.

    `cites` is true if the step adds a hit. `pieces` are the parts of the answer after the step.
    `cost` is in characters; `gain` is the worth that the step adds.
    """

    pieces: AnswerPieces
    cost: int
    gain: float
    cites: bool


def expand_steps(pieces: AnswerPieces) -> Iterator[PackStep]:
    """Yield each step that shows one piece more fully, such as in full instead of a skeleton."""
    for at, piece in enumerate(pieces):
        for level in range(piece.level + 1, len(piece.forms)):
            more = replace(piece, level=level)
            cost, gain = more.form.size - piece.form.size, more.worth - piece.worth
            shown = (*pieces[:at], more, *pieces[at + 1 :])
            yield PackStep(shown, cost, gain * _faded(pieces[:at], piece.whole), cites=False)


def cite_step(
    pieces: AnswerPieces, hit: Hit, place: int, forms: HitForms, *, room: int
) -> PackStep:
    """Return the step that adds `hit` to the answer; `place` is its rank.

    It is joined with adjacent pieces if that costs at most `room` characters. `forms` gives the
    forms of a hit.
    """
    new = AnswerPiece(hit, place, forms(hit))
    faded = _faded(pieces, hit)
    joined = _joined(pieces, new, forms)
    if len(joined) > len(pieces):
        return PackStep(joined, new.form.size, new.worth * faded, cites=True)
    around = next(piece for piece in joined if piece not in pieces)
    cost = _size(joined) - _size(pieces)
    if cost <= room:
        worth = max(hit.score, _LEAST) * _WORTH[around.form.hit.shown]
        return PackStep(joined, cost, worth * faded, cites=True)
    alone = replace(new, forms=new.forms[:1])  # the other piece may contain its text
    return PackStep((*pieces, alone), alone.form.size, alone.worth * faded, cites=True)


def _faded(before: AnswerPieces, hit: Hit) -> float:
    """Return the factor, at most 1, by which a hit counts less after pieces of the same file.

    `before` are the pieces that come first in the answer.
    """
    same = sum((piece.whole.repo, piece.whole.path) == (hit.repo, hit.path) for piece in before)
    return float(_NEXT_OF_FILE**same)


def _size(pieces: AnswerPieces) -> int:
    return sum(piece.form.size for piece in pieces)


def _joined(pieces: AnswerPieces, new: AnswerPiece, forms: HitForms) -> AnswerPieces:
    """Return the pieces with a new one, joined with those that it touches or overlaps."""
    touching = next((piece for piece in pieces if _touch(piece.whole, new.whole)), None)
    if touching is None:
        return tuple(sorted((*pieces, new), key=lambda piece: piece.first))
    rest = tuple(piece for piece in pieces if piece is not touching)
    better, other = sorted((touching, new), key=lambda piece: piece.first)
    union = _union(better.whole, other.whole)
    ways = forms(union)
    fullest = max(touching.form.hit.shown, new.form.hit.shown, key=_WORTH.__getitem__)
    levels = [at for at, way in enumerate(ways) if _WORTH[way.hit.shown] <= _WORTH[fullest]]
    return _joined(rest, AnswerPiece(union, better.first, ways, levels[-1]), forms)


def _touch(first: Hit, second: Hit) -> bool:
    """Tell whether two hits overlap or are adjacent in one file, when both are shown in full."""
    return (
        (first.repo, first.path) == (second.repo, second.path)
        and all(
            hit.shown == "full" and 1 < _count(hit) == len(hit.lines) for hit in (first, second)
        )
        and first.start_line <= second.end_line + 1
        and second.start_line <= first.end_line + 1
    )


def _count(hit: Hit) -> int:
    return hit.end_line - hit.start_line + 1


def _union(first: Hit, second: Hit) -> Hit:
    """Join two adjacent hits; the result has the first hit's score and the larger rank number."""
    lines = dict(enumerate(second.lines, second.start_line))
    lines |= dict(enumerate(first.lines, first.start_line))
    names = dict.fromkeys(name for hit in (first, second) if (name := hit.symbol))
    return replace(
        first,
        start_line=min(lines),
        end_line=max(lines),
        text=SafeText("\n".join(lines[number] for number in sorted(lines))),
        symbol=", ".join(names),
        has_secrets=first.has_secrets or second.has_secrets,
        page=min(first.page, second.page),
        rank=max(first.rank, second.rank),
    )
