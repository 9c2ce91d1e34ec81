"""Answer the tool `read_code` with the code of symbols, files and lines."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from codeindex.errors import QueryError
from codeindex.mcp.multi_call import answer_each, refuse_too_many
from codeindex.mcp.output_limits import MAX_CHARACTERS
from codeindex.mcp.reply import MultiReply, Reply, fair_shares
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import ReadCodeRequest
from codeindex.mcp.session import AgentSession, note_read, note_sections
from codeindex.search.pack.response_pruning import prune_response
from codeindex.search.source_excerpt import SourceExcerpt, excerpt_clauses, excerpt_section
from codeindex.text.sanitize import escape_line
from codeindex.types import LineSpan

if TYPE_CHECKING:
    from codeindex.analysis.outline.source_sections import SourceSections
    from codeindex.api.index import Index

_MAX_TEXT = int(MAX_CHARACTERS * 0.95)
"""Characters of all places together; the rest is for notes and for titles in a batch."""
_LEAST_ROOM = 200
"""Characters that a place gets at least: a title, a line and a note."""
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
    def _sections(self) -> list[SourceExcerpt]:
        room = self.room
        sections = []
        for section in self.source.sections:
            path = section.file or self.source.file
            if section.clauses:
                shown = excerpt_clauses(section, path, self.query)
            else:
                shown = excerpt_section(section, path, self.seen, self.about, again=self.again)
            if self.room:
                shown = shown.within(room)
                room -= shown.size()
            sections.append(shown)
        return sections


def read_code(
    server: RepositoryServer, session: AgentSession, request: ReadCodeRequest
) -> Reply[SourceSections]:
    places = request.places
    if not places:
        raise QueryError("The subject is missing: give symbols, paths, or lines like a.py:10-40.")
    refuse_too_many(places, "places")
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
