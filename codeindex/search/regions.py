"""Choose the code that answers a question: the best functions, their callees and callers, in parts.

In: the hits of a search, best first. Out: regions of code that fit into a budget. A short function
is shown whole, a long one by the lines around words of the question.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypedDict

from codeindex.search.pack.budget import lines_shown
from codeindex.search.pack.text_lines import numbered_lines, section_title
from codeindex.store.catalog.files import stored_text
from codeindex.store.graph.adjacency import incoming_links
from codeindex.store.graph.links import links_from
from codeindex.store.symbols.nodes import symbols_by_name
from codeindex.text.sanitize import escape_line
from codeindex.text.short_names import shorten_name
from codeindex.text.words import query_words, stemmed_words
from codeindex.types import CALLABLE_KINDS, AgentFormat, Answer, Hit, LineSpan, Node

if TYPE_CHECKING:
    import sqlite3

_MAX_HITS = 10
"""Hits whose code may be shown: of 239 places that right answers to explored tasks name, 71 are in
the first three hits, 53 in the next five, and 9 in the next twelve."""
_MAX_PARENTS = 5
"""Best functions whose callees and callers may be shown: 52 of the 239 places are in these."""
_RANK = 0.95
"""Factor on the worth of a hit for each rank."""
_CALLEE, _CALLER = 0.5, 0.35
"""Worth of a callee, as a share of the worth of the function that calls it, and of a caller, as a
share of that of the function which it calls. Without callees and callers, .53 of the places are
shown (`first_answer.py`, agents' calls of `explore_code`, 2,500 tokens), with them .61."""
_SAME_FILE = 1.3
"""Factor for a callee or caller in the function's file; with 1, two hundredths fewer are shown."""
_NAME, _NAME_WORD = 0.7, 0.4
"""Factor for the name of a callee or caller: `_NAME`, and `_NAME_WORD` more for each word of the
question in it, twice at most."""
_TRIVIAL = 4
_TRIVIAL_FACTOR = 0.5
"""Factor for a callee or caller of fewer than `_TRIVIAL` lines whose name has no word of the
question: most are accessors. With 1, .59 are shown, not .61, in 25 tokens more."""
_LEAST = 0.2
"""Share of the best worth below which nothing is shown: with .35, .55 of the places are shown in
1,660 tokens, with .2 .61 in 1,870."""
_WHOLE = 25
"""Lines of the longest function that is shown whole: with any length, .53 of the places are shown;
18 and 40 lines are as good as 25."""
_DOC = 3
"""Lines of the comment above a short function that are shown at most: whole comments take 50 tokens
of an answer."""
_MOST_LINES = 25
"""Lines that are shown of a longer function; with 18 and 35, .01 fewer of the places are shown."""
_BEFORE, _AFTER = 2, 5
"""Lines shown before and after a line with words of the question."""
_SMALLEST_GAP = 3
"""Lines left out between two shown ones are at least so many."""
_HEAD = 8
"""Lines shown from the head of a long function without a word of the question."""
_TITLE_SIZE_JSON = 160
"""Characters of the fields of a region in JSON besides its code."""


class CodeRegionDict(TypedDict):
    """A `CodeRegion` in JSON; `code` has numbered lines."""

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

    `lines` are those of `start_line` to `end_line` that are shown, each with its number; none if
    all were shown before. `reason` says how a callee or caller is related to a hit, else it is "".
    """

    path: str
    symbol: str
    kind: str
    start_line: int
    end_line: int
    reason: str
    lines: tuple[tuple[int, str], ...]

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
        """Yield a title without the path, then the numbered lines; `…` stands for lines between."""
        remarks = [self.reason or self.kind, "" if self.lines else "shown before"]
        name = shorten_name(self.symbol, self.path)
        remark = f"({', '.join(filter(None, remarks))})"
        yield escape_line(f"-- {self.start_line}-{self.end_line} {name} {remark}")
        yield from self._code()

    def size(self, sent_as: AgentFormat) -> int:
        """Return the characters that the region takes in an answer, without its path in text."""
        if sent_as == "json":
            return len(json.dumps("\n".join(self._code()))) + _TITLE_SIZE_JSON
        return sum(len(line) + 1 for line in self.text())

    def _code(self) -> Iterator[str]:
        before = 0
        for line in numbered_lines(self.lines):
            number = int(line.partition(":")[0])
            if before and number > before + 1:
                yield "…"
            yield line
            before = number


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Code that may be shown, and its worth; `line` is always shown, `focus` if there is room."""

    path: str
    symbol: str
    kind: str
    line: int
    start_line: int
    end_line: int
    worth: float
    reason: str = ""
    focus: frozenset[int] = frozenset()


def find_regions(
    connection: sqlite3.Connection,
    answer: Answer,
    *,
    room: int,
    seen: Sequence[LineSpan] = (),
    sent_as: AgentFormat = "text",
) -> tuple[CodeRegion, ...]:
    """Return the code to show for an answer, in at most `room` characters.

    Regions of one file stand together, in the order of their lines; the file of the best region
    comes first. Lines of `seen` are left out.
    """
    terms = frozenset(query_words(answer.query))
    candidates = _candidates(connection, answer.hits, terms)
    texts = {one.path: stored_text(connection, one.path).split("\n") for one in candidates}
    weights = _term_weights(candidates, texts, terms)
    shown: dict[str, set[int]] = {}
    regions: list[CodeRegion] = []
    for candidate in candidates:
        lines = texts[candidate.path]
        numbers = _without_blank_edges(_excerpt(candidate, lines, weights), lines)
        new = [number for number in numbers if number not in shown.get(candidate.path, ())]
        if 2 * len(new) < len(numbers):
            continue
        before = lines_shown(candidate.path, {n: lines[n - 1] for n in new}, seen)
        region = _region(candidate, [(n, lines[n - 1]) for n in new if n not in before])
        size = region.size(sent_as)
        size += 0 if candidate.path in shown else len(section_title(candidate.path)) + 1
        if size > room:
            continue
        room -= size
        shown.setdefault(candidate.path, set()).update(new)
        regions.append(region)
    files = list(shown)
    return tuple(sorted(regions, key=lambda one: (files.index(one.path), one.start_line)))


def _region(candidate: _Candidate, lines: Sequence[tuple[int, str]]) -> CodeRegion:
    return CodeRegion(
        candidate.path,
        candidate.symbol,
        candidate.kind,
        candidate.start_line,
        candidate.end_line,
        candidate.reason,
        tuple(lines),
    )


def _candidates(
    connection: sqlite3.Connection, hits: Sequence[Hit], terms: frozenset[str]
) -> list[_Candidate]:
    """Return the code of the hits, of their callees and of their callers, best first."""
    found: dict[tuple[str, int], _Candidate] = {}
    parents: list[tuple[Node, float]] = []
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    for rank, hit in enumerate(hits[:_MAX_HITS]):
        worth = hit.score / best * _RANK**rank
        node = defined_symbol(connection, hit)
        if node is None or node.kind not in CALLABLE_KINDS:
            _keep(found, _of_hit(hit, worth))
            continue
        _keep(found, _of_node(node, worth))
        if not hit.is_test and len(parents) < _MAX_PARENTS:
            parents.append((node, worth))
    for node, worth in parents:
        for related in _related(connection, node, worth, terms):
            _keep(found, related)
    least = _LEAST * max((one.worth for one in found.values()), default=0.0)
    kept = (one for one in found.values() if one.worth >= least)
    return sorted(kept, key=lambda one: -one.worth)


def _keep(found: dict[tuple[str, int], _Candidate], new: _Candidate) -> None:
    """Add a candidate, unless the same code is known with more worth."""
    known = found.get((new.path, new.line))
    if known is None or known.worth < new.worth:
        found[new.path, new.line] = new


def defined_symbol(connection: sqlite3.Connection, hit: Hit) -> Node | None:
    """Return the symbol of a hit, for a prototype the function with the body; None without one."""
    if not hit.symbol:
        return None
    own = symbols_by_name(connection, f"{hit.path}::{hit.symbol.partition(', ')[0]}")[:1]
    if not own or own[0].has_body or own[0].kind not in CALLABLE_KINDS:
        return own[0] if own else None
    bodies = symbols_by_name(connection, own[0].qualified)
    return next((body for body in bodies if body.has_body), own[0])


def _of_hit(hit: Hit, worth: float) -> _Candidate:
    line = hit.line if hit.start_line <= hit.line <= hit.end_line else hit.start_line
    name = hit.symbol or hit.heading_path
    return _Candidate(hit.path, name, hit.kind, line, hit.start_line, hit.end_line, worth)


def _of_node(node: Node, worth: float, reason: str = "") -> _Candidate:
    return _Candidate(
        node.path,
        node.qualified,
        node.kind,
        node.line,
        node.start_line,
        node.end_line,
        worth,
        reason,
    )


def _related(
    connection: sqlite3.Connection, node: Node, worth: float, terms: frozenset[str]
) -> Iterator[_Candidate]:
    """Yield the functions that a function certainly calls, then its certain callers."""
    for link in links_from(connection, node, "calls"):
        if link.node and link.certainty == "resolved" and _is_other(link.node, node):
            near = worth * _CALLEE * _relevance(link.node, node, terms)
            yield _of_node(link.node, near, f"called by {node.name}")
    for arrow in incoming_links(connection, [node.id]):
        user = arrow.link.node
        is_certain = arrow.link.kind == "calls" and arrow.link.certainty == "resolved"
        if is_certain and user and _is_other(user, node):
            near = worth * _CALLER * _relevance(user, node, terms)
            caller = _of_node(user, near, f"calls {node.name}")
            yield replace(caller, focus=frozenset(arrow.link.lines))


def _is_other(found: Node, node: Node) -> bool:
    return found.kind in CALLABLE_KINDS and found.id != node.id and not found.is_test


def _relevance(found: Node, node: Node, terms: frozenset[str]) -> float:
    """Return a factor for the file, the name and the size of a callee or caller."""
    words = len(terms.intersection(stemmed_words(found.name)))
    near = _SAME_FILE if found.path == node.path else 1.0
    if not words and found.end_line - found.line < _TRIVIAL:
        near *= _TRIVIAL_FACTOR
    return near * (_NAME + _NAME_WORD * min(words, 2))


def _term_weights(
    candidates: Iterable[_Candidate], texts: Mapping[str, Sequence[str]], terms: frozenset[str]
) -> Mapping[str, float]:
    """Return a weight for each word of the question: the fewer candidates have it, the higher."""
    counts: Counter[str] = Counter()
    total = 0
    for one in candidates:
        total += 1
        code = "\n".join(texts[one.path][one.start_line - 1 : one.end_line])
        counts.update(terms.intersection(stemmed_words(code)))
    return {term: math.log(1 + total / (1 + counts[term])) for term in terms}


def _excerpt(
    candidate: _Candidate, lines: Sequence[str], weights: Mapping[str, float]
) -> list[int]:
    """Return the numbers of the lines to show of a candidate, in order."""
    first, last = candidate.start_line, min(candidate.end_line, len(lines))
    if last - candidate.line < _WHOLE:
        return list(range(max(first, candidate.line - _DOC), last + 1))
    chosen = {candidate.line}
    for number in _telling(candidate, lines, weights):
        near = range(max(first, number - _BEFORE), min(last, number + _AFTER) + 1)
        if len(chosen.union(near)) <= _MOST_LINES:
            chosen.update(near)
    if len(chosen) < _HEAD:
        chosen.update(range(candidate.line, min(last, candidate.line + _HEAD) + 1))
    return sorted(chosen.union(*_small_gaps(sorted(chosen))))


def _small_gaps(numbers: Sequence[int]) -> Iterator[range]:
    """Yield the gaps between sorted numbers that are too small to be left out."""
    for before, after in pairwise(numbers):
        if after - before <= _SMALLEST_GAP:
            yield range(before + 1, after)


def _without_blank_edges(numbers: Sequence[int], lines: Sequence[str]) -> list[int]:
    """Return the numbers of lines without blank lines at the ends of each run."""
    chosen = frozenset(numbers)
    return [
        number
        for number in numbers
        if lines[number - 1].strip() or {number - 1, number + 1} <= chosen
    ]


def _telling(
    candidate: _Candidate, lines: Sequence[str], weights: Mapping[str, float]
) -> list[int]:
    """Return the numbers of the lines with words of the question, those with most first."""
    totals: dict[int, float] = {}
    for number in range(candidate.start_line, min(candidate.end_line, len(lines)) + 1):
        words = frozenset(stemmed_words(lines[number - 1]))
        total = sum(weights[word] for word in words & weights.keys())
        if total or number in candidate.focus:
            totals[number] = total
    ordered = sorted(totals, key=lambda number: (-totals[number], number))
    return sorted(ordered, key=lambda number: number not in candidate.focus)
