"""Choose the code that answers a question: the best functions, and their callees and callers.

In: the hits of a search, best first. Out: regions of code that fit into a budget. A short function
is shown in full; of a long function, `excerpt` chooses lines.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, dropwhile
from typing import TypedDict

from codeindex.search.excerpt import excerpt
from codeindex.search.neighbors import NeighborReader
from codeindex.search.pack.budget import lines_shown
from codeindex.search.pack.text_lines import (
    compact_lines,
    has_content,
    part_title,
    section_title,
    unusual_kind,
)
from codeindex.search.region_candidates import Candidate, rank_regions
from codeindex.store.catalog.file_lines import FileLines
from codeindex.text.clauses import MOST_WHOLE_LINES
from codeindex.text.comments import comment_lines, surplus_comment_lines
from codeindex.text.control_lines import CONTROL
from codeindex.text.short_names import shorten_name
from codeindex.types import (
    CALLABLE_KINDS,
    VALUE_KINDS,
    AgentFormat,
    Answer,
    Filters,
    LineSpan,
    SymbolKind,
)

_MOST_LINES = MOST_WHOLE_LINES
"""Most lines that are shown of a function; a shorter one is shown in full, since an agent that has
seen a part of it reads all of it. With 40, .37 and .52 of the cited lines are shown (see
`region_candidates`), with 60 .38 and .55, with 80 .39 and .60, with 100 .37 and .59."""
_MOST_USE_LINES = 25
"""Most lines of a function of more than `_MOST_LINES` that calls or uses a symbol: a table of all
options or a dispatcher would take the whole answer. With this and users of constants, .612 of the
places are shown on aria2, teslamate and Sonarr, without both .596."""
_MOST_OTHER_LINES = 12
"""Most lines that are shown of code outside of functions, such as a list of constants: as many
places are shown on aria2, teslamate and Sonarr as with all of it, in 1 % fewer tokens."""
_WHOLE_KINDS = CALLABLE_KINDS | {SymbolKind.SECTION, "file", "page", "cell"}
"""Kinds of code of which more than `_MOST_OTHER_LINES` are shown: functions and documents."""
_TRIVIAL_LINES = 2
"""Most lines with content of a declaration or function without conditions that is shown in one
line: the head, and a statement. As many places are shown, in 1 % fewer tokens."""
_TRIVIAL_KINDS = CALLABLE_KINDS | VALUE_KINDS
_WIDEST = 120
"""Most characters of such a line."""
_CHARACTERS_A_WORTH = 4_000
"""Most characters of a region for each unit of its worth; the best region may be longer. With this
limit, .71 of the functions that 206 commits of seven repositories changed are shown in 1,730
tokens, without it .73 in 2,240; of 150 commits of five repositories that did not serve to choose
it, .61 in 1,810, not .63 in 2,440 (agents.md)."""
_FEW_LINES = 12
"""Lines that are shown of a function that is too long for its worth. Of the places of 35 questions
on six repositories, .67 are shown in 2,020 tokens, not .62 in 1,830, and of those of 20 first calls
of agents on four others .59 in 2,100, not .55 in 2,000; with 8 lines, .65 and .57 (agents.md)."""
_ROOM_SHARE = 1 / 3
"""A region may have this share of the room for each unit of its worth, if that is more characters
than `_CHARACTERS_A_WORTH`."""
_MOST_NAMED = 6
"""Most candidates that are named without their code. With more, no further functions that a commit
changed are named."""
_NAME_SIZE = 16
"""Most characters of such a name besides path and symbol: `also: `, blanks, the line number."""
_TITLE_SIZE_JSON = 160
"""Estimate of the characters that a region takes in JSON beside its code: paths, lines, names."""


class CodeRegionDict(TypedDict):
    """JSON form of a `CodeRegion`; `code` has numbered lines."""

    file_path: str
    start_line: int
    end_line: int
    symbol: str
    kind: str
    reason: str
    code: str


@dataclass(frozen=True, slots=True)
class CodeRegion:
    """Lines of a function or of another part of a file.

    `lines` are the shown lines from `start_line` to `end_line`, each with its number; empty if the
    client has seen all of them. `reason` says how a callee or caller is related to a hit; else it
    is "".
    """

    path: str
    symbol: str
    kind: str
    start_line: int
    end_line: int
    reason: str
    lines: tuple[tuple[int, str], ...]
    is_generated: bool = False

    def as_dict(self) -> CodeRegionDict:
        """Return the JSON form."""
        return {
            "file_path": self.path,
            "start_line": self.start_line,
            "end_line": self.end_line,
            "symbol": self.symbol,
            "kind": self.kind,
            "reason": self.reason,
            "code": "\n".join(self._code()),
        }

    def text(self) -> Iterator[str]:
        """Yield a title without the path, then the numbered lines. `…` stands for omitted lines.

        A declaration or a short function that decides nothing takes one line: its title.
        """
        if line := self._in_one_line():
            yield part_title(line)
            return
        all_remarks = (self.reason or unusual_kind(self.kind), "" if self.lines else "shown before")
        remarks = ", ".join(filter(None, all_remarks))
        remark = f" ({remarks})" if remarks else ""
        name = shorten_name(self.symbol, self.path)
        yield part_title(f"{self.start_line}-{self.end_line} {name}{remark}")
        yield from self._code()

    def size(self, sent_as: AgentFormat) -> int:
        """Return how many characters the region takes in an answer of the form `sent_as`.

        As text, its path is not counted.
        """
        if sent_as == "json":
            return len(json.dumps("\n".join(self._code()))) + _TITLE_SIZE_JSON
        return sum(len(line) + 1 for line in self.text())

    def lines_sent(self, sent_as: AgentFormat) -> Sequence[tuple[int, str]]:
        """Return the lines whose code is in an answer of the form `sent_as`."""
        return self._code_lines() if sent_as == "text" and self._in_one_line() else self.lines

    def _in_one_line(self) -> str:
        """Return the region as one line if it is all code of a short symbol without conditions.

        Return "" for any other region.
        """
        code = self._code_lines()
        texts = [text for _, text in code]
        own_name = self.symbol.rpartition(".")[2]
        if (
            not 0 < sum(map(has_content, texts)) <= _TRIVIAL_LINES
            or self.kind not in _TRIVIAL_KINDS
            or any(map(CONTROL.match, texts))
            or not any(own_name in text for text in texts)
        ):
            return ""
        first, last = code[0][0], code[-1][0]
        shown = {number for number, _ in code}
        joined = " ".join(filter(None, map(str.strip, texts)))
        line = f"{first}{f'-{last}' if last > first else ''}: {joined}"
        is_whole = shown.issuperset(range(first, self.end_line + 1))
        return line if is_whole and len(line) <= _WIDEST else ""

    def _code_lines(self) -> Sequence[tuple[int, str]]:
        """Return the lines without the comment above the code.

        Lines that look like comments below the first line of code, such as `*value = 1;`, stay.
        """
        comments = comment_lines(self.lines)
        return list(dropwhile(lambda line: line[0] in comments, self.lines))

    def _code(self) -> Iterator[str]:
        shown, before = {number for number, _ in self.lines}, 0
        for number, line in compact_lines(self.lines):
            if before and not shown.issuperset(range(before, number)):
                yield "…"
            yield line
            before = number
        if shown and max(shown) < self.end_line:
            yield "…"


def find_regions(
    neighbors: NeighborReader,
    answer: Answer,
    *,
    room: int,
    seen: Sequence[LineSpan] = (),
    sent_as: AgentFormat = "text",
    filters: Filters,
) -> tuple[Sequence[CodeRegion], Sequence[Candidate]]:
    """Return (the code to show for an answer, the best of the other candidates).

    Code is shown of symbols that the question names (in files that pass `filters`), of hits, and of
    callees and callers: the best in any case, others if they are short for their worth. With the
    names of the other candidates it takes at most `room` characters; hits, which the answer names,
    are none of them. Of functions that are too long for their worth, few lines are shown. Regions
    of one file are adjacent, and the best one comes first. Lines in `seen`, which the client has
    received, are left out.
    """
    texts = FileLines(neighbors.connection)
    candidates, weights = rank_regions(neighbors, answer, filters=filters, texts=texts)
    longest = max(_CHARACTERS_A_WORTH, room * _ROOM_SHARE)
    shown: dict[str, set[int]] = {}
    regions: list[CodeRegion] = []
    others: list[Candidate] = []
    for candidate in candidates:
        lines, above = texts.lines(candidate.path), shown.get(candidate.path, frozenset[int]())
        title = 0 if above else len(section_title(candidate.path)) + 1
        most = room if not regions else min(room, int(longest * candidate.worth))
        is_function = candidate.kind in CALLABLE_KINDS
        for count in (0, _FEW_LINES) if regions and is_function else (0,):
            part = _part(candidate, lines, weights, above, seen, most=count)
            if part is None:
                break
            region, new = part
            if (size := region.size(sent_as) + title) <= most:
                room -= size
                shown.setdefault(candidate.path, set()).update(new)
                regions.append(region)
                break
        else:
            others.append(candidate)
    files = list(shown)
    known = {(hit.path, hit.symbol) for hit in answer.hits}
    known |= {(region.path, region.symbol) for region in regions}
    named = [one for one in others if (one.path, one.symbol) not in known][:_MOST_NAMED]
    sizes = accumulate(len(one.path) + len(one.symbol) + _NAME_SIZE for one in named)
    return (
        sorted(regions, key=lambda one: files.index(one.path)),
        [one for one, size in zip(named, sizes, strict=True) if size <= room],
    )


def _part(
    candidate: Candidate,
    lines: Sequence[str],
    weights: Mapping[str, float],
    known: Collection[int],
    seen: Sequence[LineSpan],
    *,
    most: int,
) -> tuple[CodeRegion, Sequence[int]] | None:
    """Return (region, its lines) of a candidate without the lines `known` and `seen`.

    `most` is as for `_excerpt`. Return None if most lines are known, or if all lines of a callee or
    caller were seen.
    """
    numbers = _without_blank_edges(_excerpt(candidate, lines, weights, most=most), lines)
    new = [number for number in numbers if number not in known]
    if 2 * len(new) < len(numbers):
        return None
    before = lines_shown(candidate.path, {n: lines[n - 1] for n in new}, seen)
    left = [(n, lines[n - 1]) for n in new if n not in before]
    region = _region(candidate, left if any(has_content(text) for _, text in left) else ())
    return None if candidate.reason and not region.lines else (region, new)


def _region(candidate: Candidate, lines: Sequence[tuple[int, str]]) -> CodeRegion:
    return CodeRegion(
        candidate.path,
        candidate.symbol,
        candidate.kind,
        candidate.start_line,
        candidate.end_line,
        candidate.reason,
        tuple(lines),
        candidate.is_generated,
    )


def _excerpt(
    candidate: Candidate, lines: Sequence[str], weights: Mapping[str, float], *, most: int = 0
) -> list[int]:
    """Return the sorted numbers of the lines to show of a candidate.

    Of a function, these are about `most` lines; 0 means as many as are usual. `lines` are all lines
    of its file, `weights` those of the words of the question. Of a callee or caller, the comment
    above it is left out.
    """
    first, last = candidate.start_line, min(candidate.end_line, len(lines))
    body = [(number, lines[number - 1]) for number in range(first, last + 1)]
    if candidate.kind not in _WHOLE_KINDS and len(body) > _MOST_OTHER_LINES:
        most = _MOST_OTHER_LINES
        return excerpt(body, weights, most=most, first={candidate.line}, with_control=False)
    is_function = candidate.kind in CALLABLE_KINDS
    if last - candidate.line < (most or _MOST_LINES):
        above = body[: candidate.line - first]
        left_out = comment_lines(above) if candidate.reason else surplus_comment_lines(above)
        return sorted({number for number, _ in body}.difference(left_out))
    body = body[candidate.line - first :] if is_function else body
    wanted = candidate.focus if is_function else {candidate.line}
    most = most or (_MOST_USE_LINES if candidate.focus else _MOST_LINES)
    return excerpt(body, weights, most=most, first=wanted, with_control=is_function)


def _without_blank_edges(numbers: Sequence[int], lines: Sequence[str]) -> list[int]:
    """Return line numbers without those of blank lines at the start or end of adjacent lines."""
    chosen = frozenset(numbers)
    return [
        number
        for number in numbers
        if lines[number - 1].strip() or {number - 1, number + 1} <= chosen
    ]
