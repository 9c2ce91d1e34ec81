"""Answer the tool `read_code` with the code of symbols, files and lines.

The text leaves out lines that the agent does not need: licences, the rest of long comments, imports
above other code, lines that it has seen before and, if `about` is given, lines on other subjects. A
mark replaces each run of such lines.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from codeindex.errors import QueryError
from codeindex.mcp.multi_call import answer_each
from codeindex.mcp.output_limits import MAX_CHARACTERS
from codeindex.mcp.reply import MultiReply, Reply, fair_shares
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import ReadCodeRequest
from codeindex.mcp.response_pruning import prune_response
from codeindex.mcp.session import AgentSession, note_read, note_sections
from codeindex.search.excerpt import telling_lines, term_weights
from codeindex.search.pack.text_lines import compact_lines, part_title, section_title
from codeindex.text.comments import licence_lines, surplus_comment_lines
from codeindex.text.import_lines import long_imports
from codeindex.text.sanitize import escape_line
from codeindex.text.short_names import shorten_name
from codeindex.text.words import query_words, stemmed_words
from codeindex.types import LineSpan
from codeindex.types.report import plural

if TYPE_CHECKING:
    from codeindex.analysis.outline.source_sections import (
        SourceClause,
        SourceSection,
        SourceSections,
    )
    from codeindex.api.index import Index

_MAX_PLACES = 20
"""Most places in one call: more do not fit into `output_limits.MAX_CHARACTERS`."""
_MAX_TEXT = int(MAX_CHARACTERS * 0.95)
"""Characters of all places together; the rest is for notes and for titles in a batch."""
_LEAST_ROOM = 200
"""Characters that a place gets at least: a title, a line and a note."""
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
_LINES = re.compile(r":\d+(?:-\d+)?$")
"""The lines after a name, as in `Cart.add:81` or `Cart.add:10-20`."""
_NAME_SEPARATOR = re.compile(r"::|[.#]")


@dataclass(frozen=True)  # no slots: the sections are cached
class SourceReply(Reply[Any]):
    """A reply with source lines; each section has a header with its path and line numbers.

    `seen` are lines that the agent was shown before. A section of which all lines are in `seen` is
    shown again only with `again`. `about` is what the agent looks for: other lines are left out;
    "" shows all lines. For a long function that consists of clauses, the reply shows the head of
    each clause, and the code of the clauses that match `query`. The text takes about `room`
    characters; 0 means no limit. `below` is the file that the answer showed before; sections of
    this file have no path in their titles.
    """

    source: SourceSections
    seen: Sequence[LineSpan] = ()
    about: str = ""
    query: str = ""
    room: int = 0
    below: str = ""
    again: bool = True

    def data(self) -> Mapping[str, Any]:
        """Return the report of `Index.source.read`, pruned for agents."""
        return prune_response(self.source.as_dict(), {})

    def text(self) -> str:
        """Return the code with line numbers, under a title for each section."""
        return "\n".join(self._lines())

    def text_within(self, most: int) -> str:
        """Return the text in about `most` characters; a section that is cut ends with a note."""
        return replace(self, room=max(most, _LEAST_ROOM)).text()

    @property
    def has_titles(self) -> bool:
        """True: each section has a title."""
        return True

    @property
    def last_path(self) -> str:
        """The file of the last section."""
        sections = self.source.sections
        return (sections[-1].file if sections else "") or self.source.file

    @property
    def has_news(self) -> bool:
        """Whether the reply shows code. Without `again`, it shows none if all was shown before."""
        return any(section.lines for section in self._sections)

    def note_shown(self, session: AgentSession, repo: str) -> None:
        """Record in the session the lines that the text shows."""
        for section in self._sections:
            session.note_shown(repo, section.path, section.lines)

    def _lines(self) -> Iterator[str]:
        if self.source.spelt_otherwise:
            names = ", ".join(self.source.spelt_otherwise)
            yield escape_line(f"note: there is no exact match: this is {names}")
        below = self.below
        for section in self._sections:
            yield from section.text(below)
            below = section.path
        if self.source.elsewhere:
            yield escape_line(f"also: {', '.join(self.source.elsewhere)}")
        if self.source.implementers:
            yield escape_line(f"implemented by: {self.source.implemented_by}")

    @functools.cached_property
    def _sections(self) -> list[_ShownSection]:
        room = self.room
        sections = []
        for section in self.source.sections:
            path = section.file or self.source.file
            if section.clauses:
                shown = _shown_clauses(section, path, self.query)
            else:
                shown = _shown_section(section, path, self.seen, self.about, again=self.again)
            if self.room:
                shown = shown.within(room)
                room -= sum(len(line) + 1 for line in shown.text())
            sections.append(shown)
        return sections


@dataclass(frozen=True, slots=True)
class _ShownSection:
    """A section of source code as a reply shows it.

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

        The title has no path if the answer showed the same file before (`below`).
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

    def within(self, room: int) -> _ShownSection:
        """Return the section cut so that its text has at most `room` characters.

        Whole lines at the end are dropped, but never the first one.
        """
        excess = sum(len(line) + 1 for line in self.text()) - room
        kept = list(self.lines)
        while excess > 0 and len(kept) > 1:
            _, text = kept.pop()
            excess -= len(text.strip()) + 1
        if len(kept) == len(self.lines):
            return self
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


def _shown_section(
    section: SourceSection, path: str, seen: Sequence[LineSpan], about: str, *, again: bool
) -> _ShownSection:
    """Decide which lines of a section are shown, and why others are left out.

    A line is left out if it belongs to a licence, a long comment or the imports above other code of
    a file, is not related to `about`, or was shown to the agent before (`seen`). If all lines are
    in `seen`, the agent asks to see them once more: with `again` they are shown.
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
    return _ShownSection(
        path,
        f"{path}:{section.start_line}-{section.end_line}{name}",
        section.end_line,
        [line for line in lines if line[0] not in left_out],
        left_out,
        last + 1 if section.truncated else 0,
    )


def _shown_clauses(section: SourceSection, path: str, query: str) -> _ShownSection:
    """Show the head of each clause of a function, and the code of clauses that match `query`."""
    symbol = shorten_name(section.symbol, path)
    remarks = f"{section.kind}, {plural(len(section.clauses), 'clause')}"
    code = _clauses_about(section.clauses, query)
    lines, left_out = list[tuple[int, str]](), dict[int, str]()
    for clause in section.clauses:
        own = code.get(clause.line)
        lines += own or [(clause.line, clause.head)]
        left_out |= {line[0]: "" for line in clause.lines if own and line not in own}
    return _ShownSection(
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

    Return () if they are most of the lines that were asked for by number; a read from line 1 counts
    as one of the whole file.
    """
    imports = () if section.symbol else long_imports(section.lines)
    is_whole_file = section.start_line == 1
    return imports if is_whole_file or 2 * len(imports) < len(section.lines) else ()


def _shown_before(
    path: str, lines: Sequence[tuple[int, str]], seen: Sequence[LineSpan], *, is_symbol: bool
) -> Iterator[int]:
    """Yield the numbers of lines that form a long run in `seen`.

    If all lines of a symbol are in `seen`, yield all. Other lines were asked for by number.
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


def read_code(
    server: RepositoryServer, session: AgentSession, request: ReadCodeRequest
) -> Reply[SourceSections]:
    places = request.places
    if not places:
        raise QueryError("The subject is missing: give symbols, paths, or lines like a.py:10-40.")
    if len(places) > _MAX_PLACES:
        raise QueryError(f"{len(places)} places are given: read at most {_MAX_PLACES} at once.")
    index = server.index(request.repo)
    repo = index.repository.name
    seen = [span for span in session.shown_lines() if span.repo == repo]
    query = next(iter(session.queries()), "")

    def reply(place: str) -> SourceReply:
        if session.sent_as == "json":
            source = index.source.read(place)
            note_sections(session, repo, source)
            return SourceReply(source)
        source = _read_known(index, session, place)
        note_read(session, repo, source.file)
        return SourceReply(source, seen, request.about, request.about or query)

    replies = answer_each(places, reply, titled=False)
    if session.sent_as == "json":
        return replies
    limited = _within_limit(_without_repeats(_by_file(replies)))
    for part in limited.replies.values():
        if isinstance(part, SourceReply):
            part.note_shown(session, repo)
    return limited


def _read_known(index: Index, session: AgentSession, place: str) -> SourceSections:
    """Read the source at a place: a symbol, a file or lines.

    If several definitions have the name (and line, as in `Cart.add:81`), prefer one in a file that
    an earlier answer named; a method that implements it has another name. Without such a file, the
    first definition is read.
    """
    source, repo = index.source.read(place), index.repository.name
    if not source.elsewhere or session.was_suggested(repo, source.file):
        return source
    lines = match[0] if (match := _LINES.search(place)) else ""
    name, section = place.removesuffix(lines), source.sections[0]
    parts = _NAME_SEPARATOR.split(name)
    same = section.symbol.split(".")[-len(parts) :] if section.symbol else parts
    known = (
        at
        for at in source.elsewhere
        if session.was_suggested(repo, at.partition("::")[0])
        and _symbol_parts(at)[-len(parts) :] == same
    )
    if not (chosen := next(known, "")):
        return source
    others = [at for at in source.elsewhere if at != chosen]
    first = f"{name}{lines}" if lines else f"{section.symbol}:{section.line}"
    read = index.source.read(chosen.rpartition(":")[0] + lines)
    return replace(read, elsewhere=(f"{source.file}::{first}", *others))


def _symbol_parts(place: str) -> list[str]:
    """Return the names in `path::Cart.add:81`, a place elsewhere: `Cart` and `add`."""
    return place.partition("::")[2].rpartition(":")[0].split(".")


def _without_repeats(replies: MultiReply) -> MultiReply:
    """Leave out sections that were shown before, if others of the call were not."""
    once = {
        name: replace(part, again=False)
        for name, part in replies.replies.items()
        if isinstance(part, SourceReply)
    }
    has_news = any(part.has_news for part in once.values())
    return replace(replies, replies=once) if has_news else replies


def _by_file(replies: MultiReply) -> MultiReply:
    """Set `below` of each reply to the last file that the reply before it shows."""
    parts, below = dict[str, Reply[Any]](), ""
    for name, part in replies.replies.items():
        if isinstance(part, SourceReply):
            parts[name], below = replace(part, below=below), part.last_path
        else:
            parts[name] = part
    return replace(replies, replies=parts)


def _within_limit(replies: MultiReply) -> MultiReply:
    """Shorten the longest parts of an answer that exceeds the size limit, so that it fits."""
    sizes = [len(part.text()) + 2 for part in replies.replies.values()]
    room = _MAX_TEXT - sum(len(name) + len(why) + 30 for name, why in replies.failed.items())
    if sum(sizes) <= room:
        return replies
    shares = fair_shares(sizes, room)
    parts = {
        name: replace(part, room=max(share, _LEAST_ROOM)) if isinstance(part, SourceReply) else part
        for (name, part), share in zip(replies.replies.items(), shares, strict=True)
    }
    return replace(replies, replies=parts)
