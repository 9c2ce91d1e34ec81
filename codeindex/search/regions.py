"""Choose the code that answers a question: the best functions, and their callees and callers.

In: the hits of a search, best first. Out: regions of code that fit into a budget. A short function
is shown in full; of a long function, `excerpt` chooses lines.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from codeindex.languages import LANGUAGES
from codeindex.query.identifiers import query_names
from codeindex.search.excerpt import excerpt, term_weights
from codeindex.search.neighbors import NeighborReader
from codeindex.search.pack.budget import lines_shown
from codeindex.search.pack.text_lines import (
    compact_lines,
    has_content,
    part_title,
    section_title,
)
from codeindex.search.unsearched_files import may_pass
from codeindex.store.catalog.files import stored_text
from codeindex.text.clauses import MOST_WHOLE_LINES, find_clauses
from codeindex.text.comments import comment_lines, surplus_comment_lines
from codeindex.text.short_names import shorten_name
from codeindex.text.words import query_words, stemmed_words
from codeindex.types import (
    CALLABLE_KINDS,
    OWNER_KINDS,
    AgentFormat,
    Answer,
    Filters,
    Hit,
    LineSpan,
    Node,
    SymbolKind,
)

_MAX_HITS = 10
"""Most hits whose code may be shown. Right answers to explored tasks name 239 places: 71 of them
are in the first three hits, 53 in the next five, and 9 in the next twelve."""
_MAX_PARENTS = 5
"""Most functions, the best ones, whose callees and callers may be shown; 52 of the 239 places are
in these."""
_NAMED = 1.2
"""The worth of a symbol that the question names; the best hit has 1."""
_MOST_NAMES, _MOST_MEANINGS = 8, 2
"""Most names of a question that are looked up, and most definitions that a name may have."""
_RANK = 0.95
"""The worth of a hit is multiplied by this for each rank."""
_CONSTRUCTOR = 0.3
"""Factor for a hit that is a constructor: with it, 2 of 993 lines that answers cite are not shown
in 15 explorations, for 290 tokens of 36,850."""
_CALLEE, _CALLER = 0.5, 0.25
"""Worth of a callee, as a share of the worth of the function that calls it; worth of a caller, as a
share of that of the function that it calls. Without callees and callers .53 of the places are
shown, with them .61 (`first_answer.py`, agents' calls of `explore_code`, 2,500 tokens)."""
_SAME_FILE = 1.3
"""Factor for a callee or caller in the function's own file; with 1, two hundredths fewer are
shown."""
_WORDLESS, _WITH_WORDS, _POWER = 0.1, 1.9, 1.5
"""Factor for a callee or caller: `_WORDLESS` plus up to `_WITH_WORDS` for the words of the question
in its code, by weight, as a share (to the power `_POWER`) of the most that any code has. Judged by
the words in its name instead, .35 of the lines that workers cited are shown on repositories of the
last blind rounds, not .39, and .51, not .60, of those of `first_answer.py` (five repositories)."""
_LEAST = 0.2
"""Code with less than this share of the best worth is not shown. With .35, .55 of the places are
shown in 1,660 tokens; with .2, .61 in 1,870."""
_MOST_LINES = MOST_WHOLE_LINES
"""Most lines that are shown of a function; a shorter one is shown in full, since an agent that has
seen a part of it reads all of it. With 40, .37 and .52 of the cited lines are shown (see
`_WORDLESS`), with 60 .38 and .55, with 80 .39 and .60, with 100 .37 and .59."""
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
        """Yield a title without the path, then the numbered lines. `…` stands for omitted lines."""
        remarks = [self.reason or self.kind, "" if self.lines else "shown before"]
        name = shorten_name(self.symbol, self.path)
        remark = f"({', '.join(filter(None, remarks))})"
        yield part_title(f"{self.start_line}-{self.end_line} {name} {remark}")
        yield from self._code()

    def size(self, sent_as: AgentFormat) -> int:
        """Return how many characters the region takes in an answer of the form `sent_as`.

        As text, its path is not counted.
        """
        if sent_as == "json":
            return len(json.dumps("\n".join(self._code()))) + _TITLE_SIZE_JSON
        return sum(len(line) + 1 for line in self.text())

    def _code(self) -> Iterator[str]:
        shown, before = {number for number, _ in self.lines}, 0
        for number, line in compact_lines(self.lines):
            if before and not shown.issuperset(range(before, number)):
                yield "…"
            yield line
            before = number
        if shown and max(shown) < self.end_line:
            yield "…"


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Code that may be shown; `worth` tells how useful it is.

    The line `line` is always shown, the lines in `focus` if there is room. `name` is the name of a
    function that may have several clauses, else "".
    """

    path: str
    symbol: str
    kind: str
    line: int
    start_line: int
    end_line: int
    worth: float
    reason: str = ""
    focus: frozenset[int] = frozenset()
    name: str = ""

    @property
    def place(self) -> tuple[str, int]:
        return self.path, self.line


class _Texts:
    """Reads the lines of files from the catalog, each file once."""

    def __init__(self, neighbors: NeighborReader) -> None:
        self._connection = neighbors.connection
        self._lines: dict[str, list[str]] = {}

    def lines(self, path: str) -> Sequence[str]:
        if path not in self._lines:
            self._lines[path] = stored_text(self._connection, path).split("\n")
        return self._lines[path]

    def code(self, candidate: _Candidate) -> str:
        lines = self.lines(candidate.path)
        return "\n".join(lines[candidate.start_line - 1 : candidate.end_line])


def find_regions(
    neighbors: NeighborReader,
    answer: Answer,
    *,
    room: int,
    seen: Sequence[LineSpan] = (),
    sent_as: AgentFormat = "text",
    filters: Filters,
) -> tuple[CodeRegion, ...]:
    """Return the code to show for an answer, in at most `room` characters.

    Code is shown of symbols that the question names (in files that pass `filters`), of hits, and of
    callees and callers. Regions of one file are adjacent and sorted by line; the file of the best
    region comes first. Lines in `seen`, which the client has received, are left out.
    """
    terms = frozenset(query_words(answer.query))
    texts = _Texts(neighbors)
    candidates, weights = _candidates(neighbors, answer, terms, filters, texts)
    shown: dict[str, set[int]] = {}
    regions: list[CodeRegion] = []
    for candidate in candidates:
        lines = texts.lines(candidate.path)
        numbers = _without_blank_edges(_excerpt(candidate, lines, weights), lines)
        new = [number for number in numbers if number not in shown.get(candidate.path, ())]
        if 2 * len(new) < len(numbers):
            continue
        before = lines_shown(candidate.path, {n: lines[n - 1] for n in new}, seen)
        left = [(n, lines[n - 1]) for n in new if n not in before]
        region = _region(candidate, left if any(has_content(text) for _, text in left) else ())
        if candidate.reason and not region.lines:
            continue
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
    neighbors: NeighborReader,
    answer: Answer,
    terms: frozenset[str],
    filters: Filters,
    texts: _Texts,
) -> tuple[list[_Candidate], Mapping[str, float]]:
    """Return the code of named symbols, of the hits, and of their callees and callers.

    The most useful code comes first. `terms` are the stemmed words of the question, whose weights
    are returned too; the file of a named symbol must pass `filters`.
    """
    found, related = _found(neighbors, answer, filters, texts)
    words = {
        one.place: terms.intersection(stemmed_words(texts.code(one)))
        for one in (*found.values(), *related)
    }
    weights = term_weights(words.values(), terms)
    for one in _by_words(related, words, weights):
        _keep(found, one)
    least = _LEAST * min(1.0, max((one.worth for one in found.values()), default=0.0))
    kept = (one for one in found.values() if one.worth >= least)
    return sorted(kept, key=lambda one: -one.worth), weights


def _found(
    neighbors: NeighborReader, answer: Answer, filters: Filters, texts: _Texts
) -> tuple[dict[tuple[str, int], _Candidate], list[_Candidate]]:
    """Return ({place: candidate} of named symbols and hits, further candidates).

    Further candidates are callees, callers, and the clauses of long functions. `_by_words`
    changes their worth.
    """
    found: dict[tuple[str, int], _Candidate] = {}
    parents: list[tuple[Node, float]] = []
    related: list[_Candidate] = []
    hits = answer.hits
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    for rank, named in enumerate(_named_symbols(neighbors, answer.query, filters)):
        worth = _NAMED * _RANK**rank
        related += _keep_whole(found, _of_node(named, worth), range(0), texts)
        if named.kind in CALLABLE_KINDS:
            parents.append((named, worth))
    for rank, hit in enumerate(hits[:_MAX_HITS]):
        worth = hit.score / best * _RANK**rank
        node = neighbors.defined_symbol(hit)
        if node is None or node.kind not in CALLABLE_KINDS:
            _keep(found, _of_hit(hit, worth))
            continue
        lines = range(hit.start_line, hit.end_line + 1)
        worth *= _CONSTRUCTOR if node.kind == SymbolKind.CONSTRUCTOR else 1
        related += _keep_whole(found, _of_node(node, worth), lines, texts)
        if not hit.is_test and len(parents) < _MAX_PARENTS:
            parents.append((node, worth))
    for node, worth in parents:
        for one in _related(neighbors, node, worth):
            related += _with_calls(one, texts)
    return found, related


def _by_words(
    related: Sequence[_Candidate],
    words: Mapping[tuple[str, int], Collection[str]],
    weights: Mapping[str, float],
) -> Iterator[_Candidate]:
    """Yield the candidates; the more words of the question their code has, the higher the worth.

    `words` maps the place of each candidate to the question's words in its code; `weights` is
    {word: weight}.
    """
    totals = {place: sum(map(weights.__getitem__, of)) for place, of in words.items()}
    most = max(totals.values(), default=0.0) or 1.0
    for one in related:
        share = (totals[one.place] / most) ** _POWER
        yield replace(one, worth=one.worth * (_WORDLESS + _WITH_WORDS * share))


def _named_symbols(neighbors: NeighborReader, query: str, filters: Filters) -> Iterator[Node]:
    """Yield the functions and constants that a question names, in its order.

    Constructors are left out: a question that names a class seldom asks how it is made. A name with
    more than `_MOST_MEANINGS` definitions yields none.
    """
    for name in list(dict.fromkeys(query_names(query)))[:_MOST_NAMES]:
        matching = [
            node
            for node in neighbors.named(name)
            if node.name in name
            and node.kind not in OWNER_KINDS | {SymbolKind.CONSTRUCTOR}
            and (node.has_body or node.kind not in CALLABLE_KINDS)
            and may_pass(node.path, filters)
        ]
        if len(matching) <= _MOST_MEANINGS:
            yield from matching


def _keep(found: dict[tuple[str, int], _Candidate], new: _Candidate) -> None:
    """Add a candidate to `found`, unless it has the same code already with at least this worth."""
    known = found.get(new.place)
    if known is None or known.worth < new.worth:
        found[new.place] = new


def _keep_whole(
    found: dict[tuple[str, int], _Candidate], new: _Candidate, lines: range, texts: _Texts
) -> Sequence[_Candidate]:
    """Add a candidate to `found`; for a long function with clauses, return the clauses instead.

    Clauses that contain none of `lines` have less worth.
    """
    clauses = _clauses(replace(new, focus=frozenset(lines)), texts)
    if not clauses:
        _keep(found, new)
    less = _CALLEE * _SAME_FILE
    return [
        replace(one, worth=one.worth * (1 if one.focus else less), focus=frozenset())
        for one in clauses
    ]


def _with_calls(neighbor: _Candidate, texts: _Texts) -> Sequence[_Candidate]:
    """Return a callee or caller, or its clauses if it is long.

    Of a long caller, only the clauses that contain its calls are returned.
    """
    clauses = _clauses(neighbor, texts)
    return [one for one in clauses if one.focus or not neighbor.focus] or [neighbor]


def _clauses(candidate: _Candidate, texts: _Texts) -> Sequence[_Candidate]:
    """Return a candidate for each clause of a long function; () for any other code.

    The `focus` of a clause has the focused lines of the function that are in the clause.
    """
    line, end = candidate.line, candidate.end_line
    if not candidate.name or end - line < MOST_WHOLE_LINES:
        return ()
    lines = texts.lines(candidate.path)
    return [
        replace(
            candidate,
            line=clause.line,
            start_line=clause.start_line,
            end_line=clause.end_line,
            focus=candidate.focus.intersection(range(clause.start_line, clause.end_line + 1)),
        )
        for clause in find_clauses(lines, candidate.name, line=line, end_line=end)
    ]


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
        name=node.name if LANGUAGES[node.language].has_clauses else "",
    )


def _related(neighbors: NeighborReader, node: Node, worth: float) -> Iterator[_Candidate]:
    """Yield the functions that `node` calls, then those that call it, as candidates.

    `worth` is the worth of `node`. The candidates have less; those in the file of `node` have
    more than those in other files.
    """
    for callee in filter(_is_function, neighbors.callees(node)):
        near = worth * _CALLEE * _nearness(callee, node)
        yield _of_node(callee, near, f"called by {node.name}")
    for user, lines in neighbors.callers(node):
        if _is_function(user):
            near = worth * _CALLER * _nearness(user, node)
            yield replace(_of_node(user, near, f"calls {node.name}"), focus=frozenset(lines))


def _is_function(found: Node) -> bool:
    return found.kind in CALLABLE_KINDS and not found.is_test


def _nearness(found: Node, node: Node) -> float:
    return _SAME_FILE if found.path == node.path else 1.0


def _excerpt(
    candidate: _Candidate, lines: Sequence[str], weights: Mapping[str, float]
) -> list[int]:
    """Return the sorted numbers of the lines to show of a candidate, about `_MOST_LINES` of them.

    `lines` are all lines of its file, `weights` those of the words of the question. Of a callee or
    caller, the comment above it is left out.
    """
    first, last = candidate.start_line, min(candidate.end_line, len(lines))
    is_function = candidate.kind in CALLABLE_KINDS
    if last - candidate.line < _MOST_LINES:
        above = [(number, lines[number - 1]) for number in range(first, candidate.line)]
        left_out = comment_lines(above) if candidate.reason else surplus_comment_lines(above)
        return sorted(set(range(first, last + 1)).difference(left_out))
    start = candidate.line if is_function else first
    body = [(number, lines[number - 1]) for number in range(start, last + 1)]
    wanted = candidate.focus if is_function else {candidate.line}
    return excerpt(body, weights, most=_MOST_LINES, first=wanted, with_control=is_function)


def _without_blank_edges(numbers: Sequence[int], lines: Sequence[str]) -> list[int]:
    """Return line numbers without those of blank lines at the start or end of adjacent lines."""
    chosen = frozenset(numbers)
    return [
        number
        for number in numbers
        if lines[number - 1].strip() or {number - 1, number + 1} <= chosen
    ]
