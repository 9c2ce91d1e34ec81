"""Answer the tool `read_code` with the code of symbols, files and lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codeindex.errors import QueryError
from codeindex.mcp.multi_call import answer_each
from codeindex.mcp.reply import Reply
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import ReadCodeRequest
from codeindex.mcp.response_pruning import prune_response
from codeindex.mcp.session import AgentSession, note_sections
from codeindex.search.pack.text_lines import numbered_lines, section_title
from codeindex.text.comments import licence_lines
from codeindex.text.sanitize import escape_line
from codeindex.text.short_names import shorten_name

if TYPE_CHECKING:
    from codeindex.analysis.outline.source import SourceSection, SourceSections


@dataclass(frozen=True, slots=True)
class SourceReply(Reply[Any]):
    """A reply with source code; each section has a title with its path and line numbers."""

    source: SourceSections

    def data(self) -> Mapping[str, Any]:
        """Return the report of `Index.source.read`, pruned for agents."""
        return prune_response(self.source.as_dict(), {})

    def text(self) -> str:
        """Return the code with line numbers, under a title for each section."""
        return "\n".join(self._lines())

    @property
    def has_titles(self) -> bool:
        """True: each section has a title."""
        return True

    def _lines(self) -> Iterator[str]:
        if self.source.spelt_otherwise:
            names = ", ".join(self.source.spelt_otherwise)
            yield escape_line(f"note: nothing is spelt just so: this is {names}")
        for section in self.source.sections:
            path = section.file or self.source.file
            symbol = shorten_name(section.symbol, path)
            name = f" {symbol} ({section.kind})" if symbol else ""
            yield section_title(f"{path}:{section.start_line}-{section.end_line}{name}")
            lines = _without_licence(section)
            if len(lines) < len(section.lines):
                yield f"… lines 1-{lines[0][0] - 1}: licence"
            yield from numbered_lines(lines)
            if section.truncated:
                first = section.lines[-1][0] + 1 if section.lines else section.start_line
                yield escape_line(f"… left out: read_code {path}:{first}-{section.end_line}")
        if self.source.elsewhere:
            yield escape_line(f"also: {', '.join(self.source.elsewhere)}")


def _without_licence(section: SourceSection) -> Sequence[tuple[int, str]]:
    """Return the lines of a section, without a licence text at the start of a file."""
    if section.symbol or section.start_line != 1:
        return section.lines
    licence = licence_lines("\n".join(text for _, text in section.lines))
    return section.lines[licence:] or section.lines


_MAX_PLACES = 20
"""Most places in one call: more do not fit into `output_limits.MAX_CHARACTERS`."""


def read_code(
    server: RepositoryServer, session: AgentSession, request: ReadCodeRequest
) -> Reply[SourceSections]:
    places = request.places
    if not places:
        raise QueryError("Nothing is named: give symbols, paths, or lines like a.py:10-40.")
    if len(places) > _MAX_PLACES:
        raise QueryError(f"{len(places)} places are named: read {_MAX_PLACES} at once at most.")
    index = server.index(request.repo)

    def reply(place: str) -> SourceReply:
        source = index.source.read(place)
        note_sections(session, index.repository.name, source)
        return SourceReply(source)

    return answer_each(places, reply, titled=False)
