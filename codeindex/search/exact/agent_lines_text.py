"""Render matching lines as text for agents, grouped by file and symbol."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from codeindex.search.exact.agent_lines import cut_line
from codeindex.search.exact.lines import MOST_NAMED_FILES, GrepLine, GrepResult
from codeindex.search.pack.agent_json import CHARACTERS_A_TOKEN
from codeindex.text.sanitize import escape_line
from codeindex.types import format_reasons


def agent_lines_text(found: GrepResult, *, budget: int) -> str:
    """Return the lines that `budget` tokens hold, one at least; 0 is no limit."""
    notes = [*_notes(found)]
    room = budget * CHARACTERS_A_TOKEN - sum(len(one) + 1 for one in notes) if budget else 0
    lines = _fitting(found, room) if budget else list(found.lines)
    shown = sum(one.is_match for one in lines)
    is_cut = shown < len(found.matches) or found.has_more
    parts = [_header(found, shown), *_grouped(lines), *notes]
    return "\n".join([*parts, *_rest(found, shown)] if is_cut else parts)


def _header(found: GrepResult, shown: int) -> str:
    files = f"{found.total_count:,} lines in {len(found.counts):,} files"
    return files if shown == found.total_count else f"{shown:,} of {files}"


def _grouped(lines: Sequence[GrepLine]) -> Iterator[str]:
    """Yield each file and symbol once, above its lines."""
    before = ("", "")
    for one in lines:
        place = (one.path, one.symbol)
        if place != before:
            yield escape_line(" ".join(part for part in place if part))
        before = place
        yield _line(one)


def _line(one: GrepLine) -> str:
    return f"  {one.line}{':' if one.is_match else '-'} {cut_line(one).strip()}"


def _fitting(found: GrepResult, room: int) -> list[GrepLine]:
    """Return the first lines that fit; the last is a match, since the next page starts after it."""
    kept: list[GrepLine] = []
    left, before = room, ("", "")
    for one in found.lines:
        place = (one.path, one.symbol)
        left -= len(_line(one)) + 1 + (sum(map(len, place)) + 2 if place != before else 0)
        before = place
        if left < 0 and any(line.is_match for line in kept):
            break
        kept.append(one)
    if len(kept) < len(found.lines):
        while not kept[-1].is_match:
            kept.pop()
    return kept


def _notes(found: GrepResult) -> Iterator[str]:
    """Yield a hint for an empty result, and which files were not searched."""
    if hint := found.hint:
        yield f"note: {hint}"
    if found.unread:
        more = (
            f" and {len(found.unread) - MOST_NAMED_FILES:,} more"
            if len(found.unread) > MOST_NAMED_FILES
            else ""
        )
        named = escape_line(", ".join(found.unread[:MOST_NAMED_FILES]))
        yield f"note: not searched, as they could not be read: {named}{more}"
    if found.not_searched and not found.counts:
        yield f"note: not searched: {format_reasons(found.not_searched)}"


def _rest(found: GrepResult, shown: int) -> Iterator[str]:
    """Yield the number of lines left by file, and the cursor of the next page."""
    left = found.after(shown)
    named = ", ".join(f"{path} {count}" for path, count in islice(left.items(), MOST_NAMED_FILES))
    more = f" and {len(left) - MOST_NAMED_FILES} more files" if len(left) > MOST_NAMED_FILES else ""
    yield f"left: {escape_line(named)}{more}"
    yield f"more: cursor {found.cursor_after(shown)}"
