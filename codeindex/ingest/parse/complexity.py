"""Measure complexity and size of functions by a language's `complexity` query."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from codeindex.ingest.parse.nesting import PlacedSymbol
from codeindex.types import BODY_KINDS, Symbol, SymbolKind

ByteSpan = tuple[int, int]
"""Start and end of a node in bytes."""

_BRACKET_LINE = re.compile(rb"[^\w\"']*(?:begin|do|end)?[^\w\"']*")
"""A line that only opens or closes a body: `{`, `})`, `do`, `end`."""


def measure_complexity(
    placed: Sequence[PlacedSymbol], spans: Mapping[str, Sequence[ByteSpan]], source: bytes
) -> tuple[Symbol, ...]:
    """Return the symbols of `placed`, and add complexity measures to functions with a body.

    A nested function with a name is measured on its own; an anonymous one counts for the function
    around it. `spans` maps capture names of the complexity query to byte ranges.
    """
    functions = [
        index
        for index, definition in enumerate(placed)
        if definition.body >= 0 and definition.symbol.kind in BODY_KINDS
    ]
    extents = [(placed[index].start, placed[index].end) for index in functions]
    branches = _group_by_extent(_without(spans, "branch", "default"), extents)
    levels = _group_by_extent(_without(spans, "nest", "flat"), extents)
    clauses = _group_by_extent(spans.get("clause", ()), extents)
    parameters = _count_parameters(spans, extents, [placed[index].body for index in functions])
    symbols = [definition.symbol for definition in placed]
    for number, index in enumerate(functions):
        definition, count = placed[index], parameters[number]
        is_property = definition.symbol.kind is SymbolKind.PROPERTY
        if is_property and count is None and not branches[number]:
            continue  # a value, not a computed property
        symbols[index] = replace(
            definition.symbol,
            cyclomatic=max(1, len(clauses[number])) + len(branches[number]),
            max_nesting=_max_depth(levels[number]),
            param_count=count or 0,
            body_lines=_count_body_lines(source[definition.body : definition.end]),
        )
    return tuple(symbols)


def _without(spans: Mapping[str, Sequence[ByteSpan]], capture: str, excluded: str) -> set[ByteSpan]:
    return set(spans.get(capture, ())) - set(spans.get(excluded, ()))


def _outer_first(span: ByteSpan) -> tuple[int, int]:
    return span[0], -span[1]


def _group_by_extent(
    spans: Iterable[ByteSpan], extents: Sequence[ByteSpan]
) -> list[list[ByteSpan]]:
    """Assign each byte range in `spans` to the innermost extent around it.

    Return one list of spans for each extent, in the same order. The extents are sorted and may be
    nested.
    """
    groups: list[list[ByteSpan]] = [[] for _ in extents]
    around: list[int] = []
    following = 0
    for span in sorted(set(spans), key=_outer_first):
        while following < len(extents) and extents[following][0] <= span[0]:
            _pop_ended(around, extents, extents[following][0])
            around.append(following)
            following += 1
        _pop_ended(around, extents, span[0])
        if around:
            groups[around[-1]].append(span)
    return groups


def _pop_ended(around: list[int], extents: Sequence[ByteSpan], position: int) -> None:
    while around and extents[around[-1]][1] <= position:
        around.pop()


def _count_parameters(
    spans: Mapping[str, Sequence[ByteSpan]], extents: Sequence[ByteSpan], bodies: Sequence[int]
) -> list[int | None]:
    """Return the number of parameters of each function; None if it has no parameter list.

    `extents` are the byte ranges of the functions, `bodies` the offsets of their bodies. Only the
    first parameter list before the body counts.
    """
    lists = sorted(set(spans.get("parameters", ())), key=_outer_first)
    parameters = _group_by_extent(_without(spans, "parameter", "receiver"), lists)
    counts = {span: len(inside) for span, inside in zip(lists, parameters, strict=True)}
    return [
        next((counts[span] for span in own if span[0] < body), None)
        for own, body in zip(_group_by_extent(lists, extents), bodies, strict=True)
    ]


def _max_depth(levels: Iterable[ByteSpan]) -> int:
    """Return the maximum nesting depth of spans, which must be sorted, outer ones first."""
    deepest, ends = 0, list[int]()
    for start, end in levels:
        while ends and ends[-1] <= start:
            ends.pop()
        ends.append(end)
        deepest = max(deepest, len(ends))
    return deepest


def _count_body_lines(body: bytes) -> int:
    """Return the number of lines of a function body.

    A first and a last line that have only brackets are not counted.
    """
    lines = body.rstrip().split(b"\n")
    edges = [_BRACKET_LINE.fullmatch(lines[index].strip()) is not None for index in (0, -1)]
    return max(1, len(lines) - sum(edges)) if len(lines) > 1 else int(not edges[0])
