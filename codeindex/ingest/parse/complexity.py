"""How complex functions are, counted from what a language's `complexity` query catches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from codeindex.ingest.parse.nesting import PlacedSymbol
from codeindex.types import Symbol, SymbolKind

ByteSpan = tuple[int, int]
"""Where a node starts and ends, in bytes."""

_MEASURED = frozenset(
    {
        SymbolKind.FUNCTION,
        SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR,
        SymbolKind.TEST,
        SymbolKind.PROPERTY,
    }
)
_BRACKETS = re.compile(rb"[^\w\"']*(?:begin|do|end)?[^\w\"']*")
"""A line around a body that says nothing: `{`, `})`, `do`, `end`."""


def measure_complexity(
    placed: Sequence[PlacedSymbol], caught: Mapping[str, Sequence[ByteSpan]], source: bytes
) -> tuple[Symbol, ...]:
    """Return the symbols, those of functions that have a body with their measures.

    What stands in a function with a name counts for it alone; what stands in one without a name
    counts for the one around it.
    """
    functions = [
        number
        for number, one in enumerate(placed)
        if one.body >= 0 and one.symbol.kind in _MEASURED
    ]
    extents = [(placed[number].start, placed[number].end) for number in functions]
    branches = _inside(_without(caught, "branch", "default"), extents)
    levels = _inside(_without(caught, "nest", "flat"), extents)
    clauses = _inside(caught.get("clause", ()), extents)
    parameters = _parameters(caught, extents, [placed[number].body for number in functions])
    symbols = [one.symbol for one in placed]
    for at, number in enumerate(functions):
        one = placed[number]
        count = parameters[at]
        if one.symbol.kind is SymbolKind.PROPERTY and count is None and not branches[at]:
            continue  # a value, or one handed through: nothing is computed
        symbols[number] = replace(
            one.symbol,
            cyclomatic=max(1, len(clauses[at])) + len(branches[at]),
            max_nesting=_depth(levels[at]),
            param_count=count or 0,
            body_lines=_lines(source[one.body : one.end]),
        )
    return tuple(symbols)


def _without(caught: Mapping[str, Sequence[ByteSpan]], name: str, exception: str) -> set[ByteSpan]:
    return set(caught.get(name, ())) - set(caught.get(exception, ()))


def _inside(spans: Iterable[ByteSpan], extents: Sequence[ByteSpan]) -> list[list[ByteSpan]]:
    """Give each span to the innermost extent around it; extents are nested and in order."""
    given: list[list[ByteSpan]] = [[] for _ in extents]
    around: list[int] = []
    following = 0
    for span in sorted(set(spans), key=lambda one: (one[0], -one[1])):
        while following < len(extents) and extents[following][0] <= span[0]:
            _leave(around, extents, extents[following][0])
            around.append(following)
            following += 1
        _leave(around, extents, span[0])
        if around:
            given[around[-1]].append(span)
    return given


def _leave(around: list[int], extents: Sequence[ByteSpan], position: int) -> None:
    while around and extents[around[-1]][1] <= position:
        around.pop()


def _parameters(
    caught: Mapping[str, Sequence[ByteSpan]], extents: Sequence[ByteSpan], bodies: Sequence[int]
) -> list[int | None]:
    """Count the parameters of each function, in the first list before its body, if it has one."""
    lists = sorted(set(caught.get("parameters", ())), key=lambda one: (one[0], -one[1]))
    inside = _inside(_without(caught, "parameter", "receiver"), lists)
    counts = {one: len(found) for one, found in zip(lists, inside, strict=True)}
    return [
        next((counts[one] for one in own if one[0] < body), None)
        for own, body in zip(_inside(lists, extents), bodies, strict=True)
    ]


def _depth(levels: Iterable[ByteSpan]) -> int:
    """Return how many of these spans, in order, are inside each other at most."""
    deepest, ends = 0, list[int]()
    for start, end in levels:
        while ends and ends[-1] <= start:
            ends.pop()
        ends.append(end)
        deepest = max(deepest, len(ends))
    return deepest


def _lines(body: bytes) -> int:
    """Count the lines of a body, without brackets that have a line to themselves."""
    lines = body.rstrip().split(b"\n")
    edges = [_BRACKETS.fullmatch(lines[at].strip()) is not None for at in (0, -1)]
    return max(1, len(lines) - sum(edges)) if len(lines) > 1 else int(not edges[0])
