"""Format matching lines as JSON for agents: as many `path:number:text` as a budget allows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, islice
from typing import TypedDict

from codeindex.search.exact.lines import MOST_NAMED_FILES, GrepLine, GrepResult
from codeindex.search.pack.agent_json import CHARACTERS_A_TOKEN, json_size

LONGEST = 240
"""Most characters that are shown of a line, around its first match. Under 1 % of code lines are
longer."""
_BEFORE = 80
"""Most characters shown before the first match of a long line."""


class AgentLinesDict(TypedDict, total=False):
    """The lines of an exact search: matches as `path:number:text`, context as `path-number-text`.

    `more` counts the remaining matches in each of the next ten files.
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
    gaps: list[str]
    unknown_paths: list[str]
    meta: dict[str, object]


def agent_lines(result: GrepResult, *, budget: int) -> AgentLinesDict:
    """Return as many lines of a result as fit into `budget` tokens, and the total counts.

    At least one match is returned. If matches are left out, a cursor continues after the last one.
    A budget of 0 means no limit.
    """
    lines = [_shown(line) for line in result.lines]
    last = _summary(result, len(result.matches), is_cut=result.has_more)
    kept = len(lines)
    if budget and json_size({"lines": lines, **last}) > budget * CHARACTERS_A_TOKEN:
        frame = json_size({"lines": [], **_summary(result, 0, is_cut=True)})
        kept = _fitting(lines, budget * CHARACTERS_A_TOKEN - frame)
    if kept == len(lines):
        return {"lines": lines, **last}
    kept = _end_at_match(result.lines, kept)
    page = _cut_off(result, lines, kept)
    while json_size(page) > budget * CHARACTERS_A_TOKEN:  # a later cursor can be longer
        fewer = _end_at_match(result.lines, kept - 1)
        if fewer == kept:
            break
        kept, page = fewer, _cut_off(result, lines, fewer)
    return page


def _cut_off(result: GrepResult, lines: Sequence[str], kept: int) -> AgentLinesDict:
    shown = sum(line.is_match for line in result.lines[:kept])
    return {"lines": list(lines[:kept]), **_summary(result, shown, is_cut=True)}


def _summary(result: GrepResult, shown: int, *, is_cut: bool) -> AgentLinesDict:
    """Return the answer without its lines: all other fields that are not empty.

    `shown` is the number of matches in the answer; `is_cut` tells that there are more.
    """
    summary: AgentLinesDict = {"total_count": result.total_count, "total_files": len(result.counts)}
    if is_cut:
        more = dict(islice(result.after(shown).items(), MOST_NAMED_FILES))
        summary |= {"cursor": result.cursor_after(shown), "truncated": True, "more": more}
    if hint := result.hint:
        summary["hint"] = hint
    if result.not_searched:
        summary["not_searched"] = dict(result.not_searched)
    if result.unread:
        summary["unread"] = list(result.unread[:MOST_NAMED_FILES])
    if result.mode == "ast" and (gaps := list(result.gaps())):
        summary["gaps"] = gaps
    if meta := result.refreshed.as_meta():
        summary["meta"] = meta
    return summary


def _fitting(lines: Sequence[str], room: int) -> int:
    """Return how many of the first lines fit into `room` characters as a JSON list; at least 1."""
    sums = accumulate(json_size(line) + 1 for line in lines)
    return max(1, sum(size <= room for size in sums))


def _end_at_match(lines: Sequence[GrepLine], kept: int) -> int:
    """Return how many lines to keep, at most `kept`, so that the last line kept is a match.

    If the first `kept` lines have no match, keep all lines up to the first match.
    """
    first = next(at for at, line in enumerate(lines) if line.is_match)
    while kept > first + 1 and not lines[kept - 1].is_match:
        kept -= 1
    return max(kept, first + 1)


def _shown(line: GrepLine) -> str:
    mark = ":" if line.is_match else "-"
    return f"{line.path}{mark}{line.line}{mark}{cut_line(line)}"


def cut_line(line: GrepLine) -> str:
    """Return the text of a line or, if it is long, the part around its first match."""
    text = line.text
    if len(text) <= LONGEST:
        return text
    start = max(0, min(line.spans[0][0] - _BEFORE if line.spans else 0, len(text) - LONGEST))
    end = start + LONGEST
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"
