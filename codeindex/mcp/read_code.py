"""The tool `read_code`: the code of symbols and lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codeindex.errors import QueryError
from codeindex.mcp.multi_call import answer_each
from codeindex.mcp.reply import Reply
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import ReadCodeRequest
from codeindex.mcp.response_pruning import prune_response
from codeindex.mcp.session import AgentSession, note_sections
from codeindex.search.pack.text_lines import escape_code_line, section_title
from codeindex.text.sanitize import escape_line

if TYPE_CHECKING:
    from codeindex.analysis.outline.source import SourceSections


@dataclass(frozen=True, slots=True)
class SourceReply(Reply[Any]):
    """Lines of code below their place, as they stand in the file."""

    source: SourceSections

    def data(self) -> Mapping[str, Any]:
        """Return the source as `Index.read` gives it, without what is empty."""
        return prune_response(self.source.as_dict(), {})

    def text(self) -> str:
        """Return the code without line numbers: its header says where it begins."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.source.spelt_otherwise:
            known = ", ".join(self.source.spelt_otherwise)
            yield escape_line(f"note: nothing is spelt just so: this is {known}")
        for one in self.source.sections:
            name = f" {one.symbol} ({one.kind})" if one.symbol else ""
            yield section_title(
                f"{one.file or self.source.file}:{one.start_line}-{one.end_line}{name}"
            )
            yield from (escape_code_line(text) for _, text in one.lines)
            if one.truncated:
                first = one.lines[-1][0] + 1 if one.lines else one.start_line
                path = one.file or self.source.file
                yield escape_line(f"… left out: read_code {path}:{first}-{one.end_line}")
        if self.source.elsewhere:
            yield escape_line(f"also: {', '.join(self.source.elsewhere)}")


_MOST = 20
"""Places of one call: more would not fit into an answer."""


def read_code(
    served: RepositoryServer, session: AgentSession, request: ReadCodeRequest
) -> Reply[SourceSections]:
    places = request.places
    if not places:
        raise QueryError("Nothing is named: give symbols, paths, or lines like a.py:10-40.")
    if len(places) > _MOST:
        raise QueryError(f"{len(places)} places are named: read {_MOST} at once at most.")
    index = served.index(request.repo)

    def reply(place: str) -> SourceReply:
        source = index.source.read(place)
        note_sections(session, index.repository.name, source)
        return SourceReply(source)

    return answer_each(places, reply, titled=False)
