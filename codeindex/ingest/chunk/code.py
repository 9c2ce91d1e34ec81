"""Split a file of code into spans: functions, type headers, the lines between, or windows.

Each span becomes a chunk, which search ranks and returns; each function has its own span. The spans
of a file cover every line exactly once and in order (a property test checks this).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from codeindex.types import (
    CALLABLE_KINDS,
    NAMESPACE_KINDS,
    OWNER_KINDS,
    VALUE_KINDS,
    ChunkSpan,
    Symbol,
)

WHOLE_TOKENS = 500
"""Tokens below which a file with at most one function is one chunk."""
DEFINITION_TOKENS = 2000
"""Functions in files of at most this many tokens are not split into windows."""
WINDOW_TOKENS = 600
"""Maximum tokens of a chunk without finer structure: about 2,500 characters of code. The retrieval
figures in docs/quality.md were measured with this size."""
SUMMARY_METHODS = 50
"""A type with more methods lists them all in the context of its first chunk: a choice of the first
design."""
MAX_RELATED_NAMES = 8
"""Most neighbouring members that a context lists."""
FRAGMENT_TOKENS = 30
"""Tokens below which lines between definitions join a neighbour: blank lines, a brace."""
_MAX_DEPTH = 30
"""Depth below which nested types are split into windows: input must not exhaust the call stack."""


@dataclass(frozen=True, slots=True)
class LineTokens:
    """Prefix sums of the token counts of a file's lines: `sums[n]` counts the first n lines."""

    sums: tuple[int, ...]

    @classmethod
    def of(cls, tokens: Iterable[int]) -> LineTokens:
        return cls((0, *accumulate(tokens)))

    @property
    def count(self) -> int:
        return len(self.sums) - 1

    def tokens(self, start: int, end: int) -> int:
        """Return the tokens of lines `start`..`end`, 1-based, both included."""
        return self.sums[end] - self.sums[start - 1]


def code_spans(symbols: Sequence[Symbol], lines: LineTokens) -> list[ChunkSpan]:
    """Split a file of code at its definitions; return the spans, [] without lines.

    A small file with at most one function is one span.
    """
    if lines.count == 0:
        return []
    total = lines.tokens(1, lines.count)
    tops = _outermost(symbols, 1, lines.count)
    if total < WHOLE_TOKENS and sum(symbol.kind in CALLABLE_KINDS for symbol in symbols) <= 1:
        return [ChunkSpan(1, lines.count, symbol=_main_symbol(symbols, tops))]
    budget = DEFINITION_TOKENS if total <= DEFINITION_TOKENS else WINDOW_TOKENS
    spans = _split_region(_Region(1, lines.count, None, symbols, budget), lines)
    return _join_fragments(spans, lines)


def window_spans(lines: LineTokens, start: int = 1, end: int | None = None) -> list[ChunkSpan]:
    """Split lines `start`..`end`, by default all, into windows of at most `WINDOW_TOKENS` tokens.

    `lines` has the token counts. A single line with more tokens is a window of its own.
    """
    spans, first = [], start
    last = lines.count if end is None else end
    for line in range(start, last + 1):
        if line > first and lines.tokens(first, line) > WINDOW_TOKENS:
            spans.append(ChunkSpan(first, line - 1))
            first = line
    return [*spans, ChunkSpan(first, last)] if first <= last else spans


def _join_fragments(spans: Iterable[ChunkSpan], lines: LineTokens) -> list[ChunkSpan]:
    """Join each small span to the span before it, but never the first lines of a type.

    A small span at the start of the file is joined to the span after it.
    """
    joined: list[ChunkSpan] = []
    leading: ChunkSpan | None = None  # a fragment at the start joins the span after it
    for following in spans:
        symbol = following.symbol
        is_header = (
            symbol is not None
            and symbol.kind not in NAMESPACE_KINDS
            and following.start_line == symbol.start_line
        )
        span = replace(following, start_line=leading.start_line) if leading else following
        leading = None
        if is_header or not _is_fragment(span, lines):
            joined.append(span)
        elif not joined:
            leading = span
        else:
            joined[-1] = replace(joined[-1], end_line=span.end_line)
    return [*joined, leading] if leading else joined


def _is_fragment(span: ChunkSpan, lines: LineTokens) -> bool:
    symbol = span.symbol
    is_whole = symbol and span.start_line <= symbol.start_line and span.end_line >= symbol.end_line
    return not is_whole and lines.tokens(span.start_line, span.end_line) < FRAGMENT_TOKENS


def _outermost(symbols: Iterable[Symbol], start: int, end: int) -> list[Symbol]:
    """Return the outermost symbols within lines `start`..`end`, in the order of the file.

    None of them overlaps another one.
    """
    outermost: list[Symbol] = []
    for symbol in sorted(symbols, key=lambda symbol: (symbol.start_line, -symbol.end_line)):
        inside = symbol.start_line >= start and symbol.end_line <= end
        if inside and (not outermost or symbol.start_line > outermost[-1].end_line):
            outermost.append(symbol)
    return outermost


def _main_symbol(symbols: Sequence[Symbol], tops: Sequence[Symbol]) -> Symbol | None:
    """Return the only major definition of a file; None if there are several.

    `tops` are the outermost definitions. If the only one is a namespace with one major definition,
    that inner definition is returned instead.
    """
    major = [symbol for symbol in tops if symbol.kind not in VALUE_KINDS]
    if len(major) != 1 or major[0].kind not in NAMESPACE_KINDS:
        return major[0] if len(major) == 1 else None
    namespace = major[0]
    rest = [symbol for symbol in symbols if symbol is not namespace]
    inner = _outermost(rest, namespace.start_line, namespace.end_line)
    return _main_symbol(rest, inner) or namespace


def _start_line(symbol: Symbol) -> int:
    return symbol.start_line


@dataclass(frozen=True, slots=True)
class _Region:
    """A range of lines to split into spans.

    `owner` is the definition that contains the lines, and `symbols` are the definitions inside
    them.
    """

    start: int
    end: int
    owner: Symbol | None
    symbols: Sequence[Symbol]
    budget: int
    depth: int = 0

    def inside(self, child: Symbol) -> _Region:
        first = bisect_left(self.symbols, child.start_line, key=_start_line)
        last = bisect_right(self.symbols, child.end_line, key=_start_line)
        within = self.symbols[first:last]  # `symbols` is in the order of first lines
        symbols = [
            symbol for symbol in within if symbol is not child and symbol.end_line <= child.end_line
        ]
        return _Region(
            child.start_line, child.end_line, child, symbols, WINDOW_TOKENS, self.depth + 1
        )


def _split_region(region: _Region, lines: LineTokens) -> Iterator[ChunkSpan]:
    """Split a region at the definitions directly in it; lines between them get their own spans."""
    children = _outermost(region.symbols, region.start, region.end)
    members = [child for child in children if not _is_small(child, lines)]
    next_line = region.start
    for index, child in enumerate(members):
        yield from _split_between(next_line, child.start_line - 1, region.owner, members, lines)
        context = _context(region.owner, members, index)
        yield from _split_definition(child, region, lines, context)
        next_line = child.end_line + 1
    yield from _split_between(next_line, region.end, region.owner, members, lines)


def _is_small(symbol: Symbol, lines: LineTokens) -> bool:
    size = lines.tokens(symbol.start_line, symbol.end_line)
    return symbol.kind in VALUE_KINDS and size <= WINDOW_TOKENS


def _split_definition(
    child: Symbol, region: _Region, lines: LineTokens, context: str
) -> Iterator[ChunkSpan]:
    """Split the definition `child` at its members, or else yield it as one span or as windows.

    Namespaces and types with functions are split. Types that do not fit into the token budget are
    split too, and so are functions with inner functions that do not fit.
    """
    inner = region.inside(child)
    has_functions = any(symbol.kind in CALLABLE_KINDS for symbol in inner.symbols)
    is_owner = child.kind in OWNER_KINDS
    fits = lines.tokens(child.start_line, child.end_line) <= region.budget
    is_split = (
        child.kind in NAMESPACE_KINDS
        or (is_owner and (has_functions or not fits))
        or (has_functions and not fits)
    )
    if is_split and region.depth < _MAX_DEPTH:
        yield from _split_region(inner, lines)
    elif fits:
        yield ChunkSpan(child.start_line, child.end_line, symbol=child, context=context)
    else:
        for span in window_spans(lines, child.start_line, child.end_line):
            yield replace(span, symbol=child, context=context)


def _split_between(
    start: int, end: int, owner: Symbol | None, members: Sequence[Symbol], lines: LineTokens
) -> Iterator[ChunkSpan]:
    """Yield the lines `start`..`end` between the members of a type (`owner`) as windows.

    The context lines of the window with the type's first line list the members.
    """
    for span in window_spans(lines, start, end):
        is_header = owner is not None and span.start_line == owner.start_line
        context = _context(owner, members, None if is_header else 0)
        yield replace(span, symbol=owner, context=context)


def _context(owner: Symbol | None, members: Sequence[Symbol], index: int | None) -> str:
    """Return comment lines that name the definitions around a chunk, to put before its text.

    They name the owner, and the members next to the member number `index`. If `index` is None, the
    chunk is the owner's header. If the owner has more members than `SUMMARY_METHODS`, each of them
    has a chunk of its own, and the header names all; else it names the first ones.
    """
    if owner is None:
        return ""
    if index is not None or len(members) <= SUMMARY_METHODS:
        first = max(0, (index or 0) - MAX_RELATED_NAMES // 2)
        near = enumerate(members[first : first + MAX_RELATED_NAMES + 1], first)
        names = [member.name for number, member in near if number != index]
    else:
        names = [member.name for member in members]
    related = f"\n# Related: {', '.join(names)}" if names else ""
    return f"# {owner.kind.capitalize()}: {owner.qualified}{related}"
