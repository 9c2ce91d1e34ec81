"""Extract from a regular expression's parse tree the literals that every match contains."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from codeindex.store.catalog.trigrams import Needles

parser: Any = vars(re)["_parser"]
"""The private parser of `re`: only its trees interpret a pattern exactly as `re` does."""
_REPEATS = {parser.MAX_REPEAT, parser.MIN_REPEAT, parser.POSSESSIVE_REPEAT}
_LOOKING = {parser.AT, parser.ASSERT, parser.ASSERT_NOT}
"""Zero-width operations: literal characters before and after them stay adjacent."""
_MOST_CHOICES = 32
"""Most alternatives of a clause: almost every text contains one of more, so a look-up saves
nothing."""


def required_literals(tree: Sequence[Any]) -> Needles:
    """Return sets of texts ("clauses"): every match contains at least one text of each clause.

    `foo(bar|baz)` gives the clauses `("foo",)` and `("bar", "baz")`. `tree` is a pattern as parsed
    by the parser of `re`.
    """
    return tuple(_clauses(_Runs(), tree).ended())


def spells_out(tree: Sequence[Any], character: str) -> bool:
    """Tell whether a pattern contains `character` as a literal; negated sets do not count.

    `tree` is the pattern as parsed by `re`.
    """
    return ord(character) in _letters(tree, negated=False)


def has_capitals(tree: Sequence[Any]) -> bool:
    """Tell whether a pattern contains a capital letter; if so, smart case is case-sensitive.

    `tree` is the pattern as parsed by `re`.
    """
    return any(chr(letter).isupper() for letter in _letters(tree))


class _Runs:
    """The clauses of `required_literals` found so far, and the literal text that is being read."""

    def __init__(self) -> None:
        self.clauses: list[tuple[str, ...]] = []
        self.run = ""

    def ended(self) -> list[tuple[str, ...]]:
        if self.run:
            self.clauses.append((self.run,))
            self.run = ""
        return self.clauses


def _clauses(runs: _Runs, tree: Sequence[Any]) -> _Runs:
    for operation, given in tree:
        if operation is parser.LITERAL:
            runs.run += chr(given)
        elif operation is parser.SUBPATTERN:
            _clauses(runs, given[-1])
        elif operation is parser.ATOMIC_GROUP:
            _clauses(runs, given)
        elif operation in _REPEATS and given[0] > 0:
            runs.ended()
            _clauses(runs, given[2]).ended()
        elif operation is parser.BRANCH:
            runs.ended().extend(_either(given[1]))
        elif operation not in _LOOKING:
            runs.ended()
    return runs


def _either(branches: Sequence[Any]) -> Iterator[tuple[str, ...]]:
    """Yield a clause with a literal of each alternative, so that every match contains one of them.

    Yield nothing if an alternative has no literal, or if there are too many alternatives.
    """
    longest = []
    for branch in branches:
        texts = [
            text for clause in required_literals(branch) if len(clause) == 1 for text in clause
        ]
        longest.append(max(texts, key=len, default=""))
    if all(longest) and len(longest) <= _MOST_CHOICES:
        yield tuple(longest)


def _letters(tree: Any, *, negated: bool = True) -> Iterator[int]:
    """Yield the code points of a pattern's literal characters, including those in sets.

    `negated` includes characters that must not match, as in `[^a]`.
    """
    for operation, given in tree:
        if operation is parser.RANGE:
            yield from given
        elif operation is parser.LITERAL or (operation is parser.NOT_LITERAL and negated):
            yield given
        elif operation is not parser.IN or negated or given[0][0] is not parser.NEGATE:
            for part in (given,) if operation is parser.IN else subexpressions(operation, given):
                yield from _letters(part, negated=negated)


def subexpressions(operation: Any, given: Any) -> Sequence[Any]:
    """Return the parse trees inside an operation of a pattern; () if it contains none.

    `given` is the argument of the operation as `re` has parsed it. A conditional on a group,
    `(?(1)a|b)`, also returns ().
    """
    if operation is parser.BRANCH:
        parts: Sequence[Any] = given[1]
        return parts
    if operation is parser.ATOMIC_GROUP:
        return (given,)
    around = operation in _REPEATS or operation in {parser.SUBPATTERN, *_LOOKING - {parser.AT}}
    return (given[-1],) if around else ()
