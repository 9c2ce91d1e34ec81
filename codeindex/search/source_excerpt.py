"""Choose which lines of a section of source code are shown, and print them with marks.

The text leaves out lines that the reader does not need: licences, the rest of long comments,
imports above other code, lines that were shown before and, if `about` is given, lines on other
subjects. A mark replaces each run of such lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from codeindex.search.excerpt import telling_lines, term_weights
from codeindex.search.pack.text_lines import compact_lines, part_title, section_title
from codeindex.text.comments import licence_lines, surplus_comment_lines
from codeindex.text.import_lines import long_imports
from codeindex.text.sanitize import escape_line
from codeindex.text.short_names import shorten_name
from codeindex.text.words import query_words, stemmed_words
from codeindex.types import LineSpan
from codeindex.types.report import plural
from codeindex.types.source import SourceClause, SourceSection

_LEAST_RUN = 4
"""Fewest lines in a row that are left out because they were shown: a mark takes as much as two."""
_LEAST_RUN_OF_LINES = 12
"""The same in lines that were asked for by number, since they are read together. So 33 of 47 marks
in the answers to thirty tasks are not made, for 214 lines more (1.3 % of the tokens)."""
_MOST_CLAUSE_LINES = 80
"""Most lines of the clauses that are shown in full of a long function, beside the heads of all."""
_LEAST_CLAUSE = 0.5
"""A clause is shown in full if its words weigh at least this share of those of the best one."""
_GAP = "…"


@dataclass(frozen=True, slots=True)
class SourceExcerpt:
    """A section of source code as an answer shows it.

    `lines` are the lines to show; `left_out` maps each other line to the reason. A section that was
    cut ends before the line `rest`; `rest` is 0 if it is whole. `note` is a line below the code.
    """

    path: str
    title: str
    end_line: int
    lines: Sequence[tuple[int, str]]
    left_out: Mapping[int, str] = field(default_factory=dict)
    rest: int = 0
    note: str = ""

    def text(self, below: str = "") -> Iterator[str]:
        """Yield the title, the lines, and a mark for each run of lines that is left out.

        `below` is the path of the section above in the answer: the title does not repeat it.
        """
        lines = self.title.removeprefix(f"{below}:") if below else self.title
        yield section_title(lines) if lines == self.title else part_title(lines)
        marks = [*self._marks()]
        for number, line in compact_lines(self.lines):
            while marks and marks[0][0] < number:
                yield marks.pop(0)[1]
            yield line
        yield from (mark for number, mark in marks if not self.rest or number < self.rest)
        if self.rest:
            yield escape_line(f"… left out: read_code {self.path}:{self.rest}-{self.end_line}")
        if self.note:
            yield escape_line(self.note)

    def size(self) -> int:
        """Return the number of characters of the text, with line ends."""
        return sum(len(line) + 1 for line in self.text())

    def within(self, room: int) -> SourceExcerpt:
        """Return the section cut so that its text has at most `room` characters.

        Whole lines at the end are dropped, but never the first one.
        """
        counts = range(1, len(self.lines))
        if self.size() <= room or not counts:
            return self
        fitting = bisect_right(counts, room, key=lambda count: self._cut(count).size())
        return self._cut(max(1, fitting))

    def _cut(self, count: int) -> SourceExcerpt:
        """Return the section with its first `count` lines."""
        kept = self.lines[:count]
        return replace(self, lines=kept, rest=kept[-1][0] + 1)

    def _marks(self) -> Iterator[tuple[int, str]]:
        """Yield (first line, mark) for each run of lines that is left out.

        A mark says which lines are missing and why.
        """
        numbers = sorted(self.left_out)
        runs = groupby(enumerate(numbers), key=lambda it: (it[1] - it[0], self.left_out[it[1]]))
        for (_, why), run in runs:
            of = [number for _, number in run]
            yield of[0], f"{_GAP} {of[0]}-{of[-1]} {why}" if why else _GAP


def excerpt_section(
    section: SourceSection, path: str, seen: Sequence[LineSpan], about: str, *, again: bool
) -> SourceExcerpt:
    """Decide which lines of a section are shown, and why others are left out.

    A line is left out if it belongs to a licence, a long comment or the imports above other code of
    a file, is not related to `about`, or was shown before (`seen`). If all lines are in `seen`, the
    reader asks to see them once more: with `again` they are shown.
    """
    symbol = shorten_name(section.symbol, path)
    name = f" {symbol} ({section.kind})" if symbol else ""
    left_out = dict.fromkeys(_licence(section), "licence")
    left_out |= dict.fromkeys(_long_comment(section), "comment")
    left_out |= dict.fromkeys(_imports(section), "imports")
    lines = [line for line in section.lines if line[0] not in left_out]
    if about:
        telling = telling_lines(lines, about)
        left_out |= {number: "" for number, _ in lines if number not in telling}
    lines = [line for line in lines if line[0] not in left_out]
    before = set(_shown_before(path, lines, seen, is_symbol=bool(section.symbol)))
    if not again or len(before) < len(lines):
        left_out |= dict.fromkeys(before, "shown before")
    last = section.lines[-1][0] if section.lines else section.start_line - 1
    return SourceExcerpt(
        path,
        f"{path}:{section.start_line}-{section.end_line}{name}",
        section.end_line,
        [line for line in lines if line[0] not in left_out],
        left_out,
        last + 1 if section.truncated else 0,
    )


def excerpt_clauses(section: SourceSection, path: str, query: str) -> SourceExcerpt:
    """Show the head of each clause of a function, and the code of clauses that match `query`."""
    symbol = shorten_name(section.symbol, path)
    remarks = f"{section.kind}, {plural(len(section.clauses), 'clause')}"
    code = _clauses_about(section.clauses, query)
    lines, left_out = list[tuple[int, str]](), dict[int, str]()
    for clause in section.clauses:
        own = code.get(clause.line)
        lines += own or [(clause.line, clause.head)]
        left_out |= {line[0]: "" for line in clause.lines if own and line not in own}
    return SourceExcerpt(
        path,
        f"{path}:{section.start_line}-{section.end_line} {symbol} ({remarks})",
        section.end_line,
        lines,
        left_out,
        note=f"{_GAP} a clause: read_code {symbol}:LINE",
    )


def _clauses_about(
    clauses: Sequence[SourceClause], query: str
) -> Mapping[int, Sequence[tuple[int, str]]]:
    """Return {line of a clause's head: lines to show} for the clauses that match a query best.

    A clause matches by the weight of the query's words in it. The total number of lines is limited.
    """
    terms = frozenset(query_words(query))
    words = [stemmed_words("\n".join(text for _, text in clause.lines)) for clause in clauses]
    found = [terms.intersection(own) for own in words]
    weights = term_weights(found, terms)
    totals = [sum(map(weights.__getitem__, own)) for own in found]
    least, room = _LEAST_CLAUSE * max(totals), _MOST_CLAUSE_LINES
    code: dict[int, Sequence[tuple[int, str]]] = {}
    for total, clause in sorted(zip(totals, clauses, strict=True), key=lambda it: -it[0]):
        if not total or total < least:
            break
        telling = telling_lines(clause.lines, query)
        room -= len(telling)
        if code and room < 0:
            break
        code[clause.line] = [line for line in clause.lines if line[0] in telling]
    return code


def _licence(section: SourceSection) -> Sequence[int]:
    """Return the numbers of the lines of a licence at the top of a file.

    Return () if the file has no other lines.
    """
    if section.symbol or section.start_line != 1:
        return ()
    licence = licence_lines("\n".join(text for _, text in section.lines))
    return [number for number, _ in section.lines[:licence]] if section.lines[licence:] else ()


def _long_comment(section: SourceSection) -> Sequence[int]:
    """Return the numbers of the comment lines above a symbol that are too many to show."""
    return surplus_comment_lines([line for line in section.lines if line[0] < section.line])


def _imports(section: SourceSection) -> Sequence[int]:
    """Return the numbers of the import lines above other code.

    Return () for a range of lines that consists mostly of imports, since its reader wants these. A
    range from line 1 counts as the whole file.
    """
    imports = () if section.symbol else long_imports(section.lines)
    is_whole_file = section.start_line == 1
    return imports if is_whole_file or 2 * len(imports) < len(section.lines) else ()


def _shown_before(
    path: str, lines: Sequence[tuple[int, str]], seen: Sequence[LineSpan], *, is_symbol: bool
) -> Iterator[int]:
    """Yield the numbers of the lines that are in `seen` in a long run.

    If all lines of a symbol are in `seen`, all are yielded. Lines that were asked for by number
    (not `is_symbol`) need a longer run.
    """
    from codeindex.search.pack.budget import lines_shown  # loads numpy

    shown = lines_shown(path, dict(lines), seen)
    least = _LEAST_RUN if is_symbol else _LEAST_RUN_OF_LINES
    if is_symbol and len(shown) == len(lines):
        least = 0
    for is_shown, run in groupby(lines, key=lambda line: line[0] in shown):
        numbers = [number for number, _ in run]
        if is_shown and len(numbers) >= least:
            yield from numbers
