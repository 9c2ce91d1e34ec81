"""Render matching lines as JSON for agents: `path:number:text`, as many as a budget allows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, islice
from typing import TypedDict

from codeindex.search.exact.lines import MOST_NAMED_FILES, GrepLine, GrepResult
from codeindex.search.pack.agent_json import CHARACTERS_A_TOKEN, json_size

LONGEST = 240
"""Characters of a line around its first match; under 1 % of the lines of code are longer."""
_BEFORE = 80
"""Characters of those before the match."""


class AgentLinesDict(TypedDict, total=False):
    """Matching lines as `path:number:text`, lines around them as `path-number-text`.

    `more` counts the matches that are left in each of the next ten files.
    """

    lines: list[str]
    total_count: int
    total_files: int
    cursor: str | None
    truncated: bool
    more: dict[str, int]
    hint: str | None
    not_searched: dict[str, int]
    unread: list[str]
    meta: dict[str, object]


def agent_lines(found: GrepResult, *, budget: int) -> AgentLinesDict:
    """Return the lines that `budget` tokens hold, one at least; 0 is no limit."""
    lines = [_shown(one) for one in found.lines]
    last = _summary(found, len(found.matches), is_cut=found.has_more)
    kept = len(lines)
    if budget and json_size({"lines": lines, **last}) > budget * CHARACTERS_A_TOKEN:
        frame = json_size({"lines": [], **_summary(found, 0, is_cut=True)})
        kept = _fitting(lines, budget * CHARACTERS_A_TOKEN - frame)
    if kept == len(lines):
        return {"lines": lines, **last}
    kept = _whole(found.lines, kept)
    page = _cut_off(found, lines, kept)
    while json_size(page) > budget * CHARACTERS_A_TOKEN:  # a later cursor can be longer
        fewer = _whole(found.lines, kept - 1)
        if fewer == kept:
            break
        kept, page = fewer, _cut_off(found, lines, fewer)
    return page


def _cut_off(found: GrepResult, lines: Sequence[str], kept: int) -> AgentLinesDict:
    shown = sum(one.is_match for one in found.lines[:kept])
    return {"lines": list(lines[:kept]), **_summary(found, shown, is_cut=True)}


def _summary(found: GrepResult, shown: int, *, is_cut: bool) -> AgentLinesDict:
    """Return the fields beside the lines, without empty ones."""
    told: AgentLinesDict = {"total_count": found.total_count, "total_files": len(found.counts)}
    if is_cut:
        more = dict(islice(found.after(shown).items(), MOST_NAMED_FILES))
        told |= {"cursor": found.cursor_after(shown), "truncated": True, "more": more}
    if hint := found.hint:
        told["hint"] = hint
    if found.not_searched:
        told["not_searched"] = dict(found.not_searched)
    if found.unread:
        told["unread"] = list(found.unread[:MOST_NAMED_FILES])
    if meta := found.refreshed.as_meta():
        told["meta"] = meta
    return told


def _fitting(lines: Sequence[str], room: int) -> int:
    """Return how many lines fit into a number of characters, with commas between them."""
    sums = accumulate(json_size(one) + 1 for one in lines)
    return max(1, sum(size <= room for size in sums))


def _whole(lines: Sequence[GrepLine], kept: int) -> int:
    """Return how many lines to keep so that a match is last: the next page starts after it."""
    first = next(at for at, one in enumerate(lines) if one.is_match)
    while kept > first + 1 and not lines[kept - 1].is_match:
        kept -= 1
    return max(kept, first + 1)


def _shown(line: GrepLine) -> str:
    mark = ":" if line.is_match else "-"
    return f"{line.path}{mark}{line.line}{mark}{cut_line(line)}"


def cut_line(line: GrepLine) -> str:
    """Return a line's text; of a long line the part around its first match."""
    text = line.text
    if len(text) <= LONGEST:
        return text
    start = max(0, min(line.spans[0][0] - _BEFORE if line.spans else 0, len(text) - LONGEST))
    end = start + LONGEST
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"
