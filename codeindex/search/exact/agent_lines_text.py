"""Format matching lines as text for agents, grouped by file and symbol."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, groupby, islice

from codeindex.search.exact.agent_lines import cut_line
from codeindex.search.exact.lines import MOST_NAMED_FILES, GrepLine, GrepResult
from codeindex.search.pack.agent_json import CHARACTERS_A_TOKEN
from codeindex.text.sanitize import escape_line
from codeindex.text.short_names import shorten_name
from codeindex.types import format_reasons

AROUND = 5
"""Most context lines before and after a match."""
_SMALL = 2_400
_WIDENED = 1.5
"""Context lines may fill an answer up to `_SMALL` characters, or up to `_WIDENED` times the size of
the matches. In `first_answer.py`, .54 of the places of settings and of things to add are then
shown, in 1,310 tokens; with 1,600 characters .44 in 1,120; without context .36 in 940."""
_NAMES = 1 / 8
"""Largest share of the budget for the names of files with further matches: eight names in the
default budget."""


def agent_lines_text(result: GrepResult, *, budget: int, around: int = AROUND) -> str:
    """Format an exact search as text for agents: matching lines below their file and symbol.

    As many matches are shown as fit into `budget` tokens, at least one; 0 means no limit. If all
    fit and the text stays short, up to `around` context lines before and after each match are
    added, as far as the result contains them and they are in the same symbol.
    """
    most = budget * CHARACTERS_A_TOKEN
    notes = [*_notes(result)]
    room = most - sum(len(line) + 1 for line in (*notes, _header(result, 0)))
    whole, result = result, _near_matches(result, 0)
    lines = _fitting(result, room) if budget else list(result.lines)
    rest: list[str] = []
    if _is_cut(result, lines):
        names = int(most * _NAMES) if budget else None
        if budget:
            room -= sum(len(line) + 1 for line in _rest(result, _count_matches(lines), names))
            lines = _fitting(result, room)
        rest = [*_rest(result, _count_matches(lines), names)]
    else:
        lines = _widened(whole, lines, room if budget else sys.maxsize, around)
    return "\n".join([_header(result, _count_matches(lines)), *_grouped(lines), *notes, *rest])


def _widened(result: GrepResult, lines: list[GrepLine], room: int, around: int) -> list[GrepLine]:
    """Return the lines with as much context around each match as `room` characters allow."""
    room = min(room, max(_SMALL, int(_WIDENED * _size(lines))))
    for radius in range(around, 0, -1):
        wider = list(_near_matches(result, radius).lines)
        if _size(wider) <= room:
            return wider
    return lines


def _size(lines: Sequence[GrepLine]) -> int:
    return sum(len(line) + 1 for line in _grouped(lines))


def _near_matches(result: GrepResult, radius: int) -> GrepResult:
    """Return the result with context lines only within `radius` of a match in the same symbol.

    Blank lines are dropped. In mode `ast` all lines stay, because they are parts of matches.
    """
    if result.mode == "ast":
        return result
    near = {
        (line.path, number, line.symbol)
        for line in result.lines
        if line.is_match
        for number in range(line.line - radius, line.line + radius + 1)
    }
    lines = (
        line
        for line in result.lines
        if line.is_match or (line.text.strip() and (line.path, line.line, line.symbol) in near)
    )
    return replace(result, lines=tuple(lines))


def _count_matches(lines: Sequence[GrepLine]) -> int:
    return sum(line.is_match for line in lines)


def _is_cut(result: GrepResult, lines: Sequence[GrepLine]) -> bool:
    return _count_matches(lines) < len(result.matches) or result.has_more


def _header(result: GrepResult, shown: int) -> str:
    files = f"{result.total_count:,} lines in {len(result.counts):,} files"
    return files if shown == result.total_count else f"{shown:,} of {files}"


def _grouped(lines: Sequence[GrepLine]) -> Iterator[str]:
    """Yield the lines as text, with a line for file and symbol above each group."""
    for place, own in groupby(lines, key=_place):
        yield escape_line(" ".join(part for part in place if part))
        yield from map(_line, own)


def _place(line: GrepLine) -> tuple[str, str]:
    return line.path, shorten_name(line.symbol, line.path)


def _line(line: GrepLine) -> str:
    return f"  {line.line}{':' if line.is_match else '-'} {cut_line(line).strip()}"


def _fitting(result: GrepResult, room: int) -> list[GrepLine]:
    """Return the first lines that fit into `room` characters; at least one match.

    The last line is a match, because the next page starts after a match.
    """
    kept: list[GrepLine] = []
    left, before = room, ("", "")
    for line in result.lines:
        place = _place(line)
        left -= len(_line(line)) + 1 + (sum(map(len, place)) + 2 if place != before else 0)
        before = place
        if left < 0 and any(line.is_match for line in kept):
            break
        kept.append(line)
    if len(kept) < len(result.lines):
        while not kept[-1].is_match:
            kept.pop()
    return kept


def _notes(result: GrepResult) -> Iterator[str]:
    """Yield notes: a hint for an empty result, and which files were not searched."""
    if hint := result.hint:
        yield f"note: {hint}"
    yield from (f"note: {escape_line(gap)}" for gap in result.gaps())
    if result.not_searched and not result.counts:
        yield f"note: not searched: {format_reasons(result.not_searched)}"


def _rest(result: GrepResult, shown: int, most: int | None) -> Iterator[str]:
    """Yield the number of remaining matches per file, and the cursor of the next page.

    File names take at most `most` characters, but at least one file is named.
    """
    left = result.after(shown)
    names = [f"{path} {count}" for path, count in islice(left.items(), MOST_NAMED_FILES)]
    ends = accumulate(len(name) + 2 for name in names)
    named = max(1, sum(most is None or end <= most for end in ends))
    more = f" and {len(left) - named:,} more files" if len(left) > named else ""
    yield f"left: {escape_line(', '.join(names[:named]))}{more}"
    yield f"more: cursor {result.cursor_after(shown)}"
