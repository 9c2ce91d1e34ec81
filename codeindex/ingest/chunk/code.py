"""Cut a file into drafts: one per function, one per type header, the lines between, or windows.

A draft is what search ranks and shows, so that each function that can be an answer has one of its
own. Drafts hold no text. Drafts of a file cover every line exactly once and in order (a property
test checks this).
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
    ChunkSpan,
    Symbol,
    SymbolKind,
)

WHOLE_TOKENS = 500
"""A smaller file with at most one function is one chunk."""
DEFINITION_TOKENS = 2000
"""In files of at most so many tokens, functions are not cut by windows."""
WINDOW_TOKENS = 600
"""Most tokens of a chunk that has no finer structure: about 2,500 characters of code, the chunk
size that the retrieval figures in docs/quality.md were made with."""
SUMMARY_METHODS = 50
"""A type with more methods has them listed in the context of its first chunk (seed design)."""
MAX_RELATED_NAMES = 8
"""How many neighbouring members a context names."""
FRAGMENT_TOKENS = 30
"""Lines between definitions that are fewer tokens join a neighbour: blank lines, a brace."""
_DEEPEST = 30
"""Types nested deeper are cut by windows: the call stack is not the input's to grow."""

_MINOR = frozenset(
    {
        SymbolKind.ENUM_MEMBER,
        SymbolKind.PROPERTY,
        SymbolKind.FIELD,
        SymbolKind.CONSTANT,
        SymbolKind.VARIABLE,
    }
)
"""Kinds that share a chunk with their neighbours while they are small."""


@dataclass(frozen=True, slots=True)
class LineTokens:
    """How many tokens each line of a file has, summed up for quick questions."""

    sums: tuple[int, ...]

    @classmethod
    def of(cls, tokens: Iterable[int]) -> LineTokens:
        return cls((0, *accumulate(tokens)))

    @property
    def count(self) -> int:
        return len(self.sums) - 1

    def tokens(self, start: int, end: int) -> int:
        """Tokens of lines `start`..`end`, 1-based, both included."""
        return self.sums[end] - self.sums[start - 1]


def code_drafts(symbols: Sequence[Symbol], lines: LineTokens) -> list[ChunkSpan]:
    """Cut a file of code by its definitions."""
    if lines.count == 0:
        return []
    total = lines.tokens(1, lines.count)
    tops = _outermost(symbols, 1, lines.count)
    if total < WHOLE_TOKENS and sum(one.kind in CALLABLE_KINDS for one in symbols) <= 1:
        return [ChunkSpan(1, lines.count, symbol=_main(symbols, tops))]
    budget = DEFINITION_TOKENS if total <= DEFINITION_TOKENS else WINDOW_TOKENS
    return _tidied(_cut(_Region(1, lines.count, None, symbols, budget), lines), lines)


def window_drafts(lines: LineTokens, start: int = 1, end: int | None = None) -> list[ChunkSpan]:
    """Cut lines into windows of at most `WINDOW_TOKENS`, a longer single line standing alone."""
    drafts, first = [], start
    last = lines.count if end is None else end
    for line in range(start, last + 1):
        if line > first and lines.tokens(first, line) > WINDOW_TOKENS:
            drafts.append(ChunkSpan(first, line - 1))
            first = line
    return [*drafts, ChunkSpan(first, last)] if first <= last else drafts


def _tidied(drafts: Iterable[ChunkSpan], lines: LineTokens) -> list[ChunkSpan]:
    """Join each fragment to the draft before it; the first lines of a type speak for it alone."""
    out: list[ChunkSpan] = []
    opening: ChunkSpan | None = None
    for draft in drafts:
        one = draft.symbol
        opens = (
            one is not None
            and one.kind not in NAMESPACE_KINDS
            and draft.start_line == one.start_line
        )
        joined = replace(draft, start_line=opening.start_line) if opening else draft
        opening = None
        if opens or not _is_fragment(joined, lines):
            out.append(joined)
        elif not out:
            opening = joined
        else:
            out[-1] = replace(out[-1], end_line=joined.end_line)
    return [*out, opening] if opening else out


def _is_fragment(draft: ChunkSpan, lines: LineTokens) -> bool:
    one = draft.symbol
    whole = one and draft.start_line <= one.start_line and draft.end_line >= one.end_line
    return not whole and lines.tokens(draft.start_line, draft.end_line) < FRAGMENT_TOKENS


def _outermost(symbols: Iterable[Symbol], start: int, end: int) -> list[Symbol]:
    """Return the symbols inside the lines that no other one contains, in order, not overlapping."""
    out: list[Symbol] = []
    for one in sorted(symbols, key=lambda s: (s.start_line, -s.end_line)):
        inside = one.start_line >= start and one.end_line <= end
        if inside and (not out or one.start_line > out[-1].end_line):
            out.append(one)
    return out


def _main(symbols: Sequence[Symbol], tops: Sequence[Symbol]) -> Symbol | None:
    """Return the definition that a whole file is about: its only one of any weight.

    Of a namespace that is what is in it, unless that is several things.
    """
    major = [one for one in tops if one.kind not in _MINOR]
    if len(major) != 1 or major[0].kind not in NAMESPACE_KINDS:
        return major[0] if len(major) == 1 else None
    space = major[0]
    rest = [one for one in symbols if one is not space]
    return _main(rest, _outermost(rest, space.start_line, space.end_line)) or space


def _start(symbol: Symbol) -> int:
    return symbol.start_line


@dataclass(frozen=True, slots=True)
class _Region:
    """Lines to be cut, the definition they are the inside of, and what is defined in them."""

    start: int
    end: int
    owner: Symbol | None
    symbols: Sequence[Symbol]
    budget: int
    depth: int = 0

    def inside(self, child: Symbol) -> _Region:
        first = bisect_left(self.symbols, child.start_line, key=_start)
        last = bisect_right(self.symbols, child.end_line, key=_start)
        within = self.symbols[first:last]  # in the order of their first lines
        symbols = [one for one in within if one is not child and one.end_line <= child.end_line]
        return _Region(
            child.start_line, child.end_line, child, symbols, WINDOW_TOKENS, self.depth + 1
        )


def _cut(region: _Region, lines: LineTokens) -> Iterator[ChunkSpan]:
    """Cut a region at the definitions directly inside it; what lies between goes together."""
    children = _outermost(region.symbols, region.start, region.end)
    majors = [one for one in children if not _is_small(one, lines)]
    loose = region.start
    for at, child in enumerate(majors):
        yield from _loose(loose, child.start_line - 1, region.owner, majors, lines)
        yield from _definition(child, region, lines, _context(region.owner, majors, at))
        loose = child.end_line + 1
    yield from _loose(loose, region.end, region.owner, majors, lines)


def _is_small(symbol: Symbol, lines: LineTokens) -> bool:
    size = lines.tokens(symbol.start_line, symbol.end_line)
    return symbol.kind in _MINOR and size <= WINDOW_TOKENS


def _definition(
    child: Symbol, region: _Region, lines: LineTokens, context: str
) -> Iterator[ChunkSpan]:
    """Cut namespaces, types with functions and long functions with inner ones by their members.

    Anything else is one chunk if it fits, else windows.
    """
    inner = region.inside(child)
    has_functions = any(one.kind in CALLABLE_KINDS for one in inner.symbols)
    is_owner = child.kind in OWNER_KINDS
    fits = lines.tokens(child.start_line, child.end_line) <= region.budget
    is_cut = (
        child.kind in NAMESPACE_KINDS
        or (is_owner and (has_functions or not fits))
        or (has_functions and not fits)
    )
    if is_cut and region.depth < _DEEPEST:
        yield from _cut(inner, lines)
    elif fits:
        yield ChunkSpan(child.start_line, child.end_line, symbol=child, context=context)
    else:
        for draft in window_drafts(lines, child.start_line, child.end_line):
            yield replace(draft, symbol=child, context=context)


def _loose(
    start: int, end: int, owner: Symbol | None, members: Sequence[Symbol], lines: LineTokens
) -> Iterator[ChunkSpan]:
    """Lines between members; the first ones of a type speak for it and list its members."""
    for draft in window_drafts(lines, start, end):
        head = owner is not None and draft.start_line == owner.start_line
        context = _context(owner, members, None if head else 0)
        yield replace(draft, symbol=owner, context=context)


def _context(owner: Symbol | None, members: Sequence[Symbol], at: int | None) -> str:
    """Name the type that lines were cut out of and the members around `at` (None: all of many)."""
    if owner is None:
        return ""
    if at is not None or len(members) <= SUMMARY_METHODS:
        first = max(0, (at or 0) - MAX_RELATED_NAMES // 2)
        near = enumerate(members[first : first + MAX_RELATED_NAMES + 1], first)
        names = [member.name for place, member in near if place != at]
    else:
        names = [member.name for member in members]
    related = f"\n# Related: {', '.join(names)}" if names else ""
    return f"# {owner.kind.capitalize()}: {owner.qualified}{related}"
