"""The table of tools: a row for each, with the capability or the function that it calls."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from codeindex.api.capability import answer_of
from codeindex.api.requests import Parameter, Request, parameters_of, request_type
from codeindex.errors import ForbiddenError, QueryError
from codeindex.mcp import requests
from codeindex.mcp.arguments import checked, input_schema
from codeindex.mcp.ask_code import ask_code
from codeindex.mcp.editing import invalidate_file, suggest_context
from codeindex.mcp.explore_code import explore_code
from codeindex.mcp.find_symbol import find_symbol
from codeindex.mcp.json_schema import output_schema
from codeindex.mcp.open_file import open_file
from codeindex.mcp.output_limits import compact_json, limit_data, limit_text
from codeindex.mcp.read_code import read_code
from codeindex.mcp.reply import DataReply, Reply, ReportReply
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.search_code import code_search, search_code
from codeindex.mcp.session import AgentSession, note_sections
from codeindex.mcp.similar import similar
from codeindex.mcp.status import status
from codeindex.mcp.summarize_code import summarize_code
from codeindex.mcp.wiki import is_wiki_tool, note_pages, with_base_version
from codeindex.metrics.record import record_event
from codeindex.text.sanitize import escape_line

Run = Callable[[RepositoryServer, AgentSession, dict[str, Any]], Reply[Any]]
_HIDDEN = frozenset({"compact", "member", "min_score", "module", "scope", "sync", "vector"})
"""Parameters that are taken but not listed: programs know them, agents do not need them."""
_LISTED_ONCE = _HIDDEN | {"repo"}
"""Parameters that the default tools do not list: the server's instructions name `repo` once."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool; `run` returns its answer, and raises CodeIndexError."""

    name: str
    request: type[Request]
    taken: Mapping[str, Parameter]
    """What it takes: the fields of its request, and `SharedRequest`'s if it is a capability."""
    run: Run
    default: bool = False
    """Listed by default."""
    writes: bool = False
    adds: bool = False
    """Called twice, it writes twice."""
    function: Callable[..., Any] | None = None
    """The function that answers, where it is not the capability of the request."""

    @property
    def description(self) -> str:
        """The docstring of the request."""
        return inspect.getdoc(self.request) or ""

    @property
    def output(self) -> dict[str, Any]:
        """The JSON schema of the answer as data."""
        return output_schema(self.function or answer_of(self.request))

    @property
    def input(self) -> dict[str, Any]:
        """The JSON schema of the parameters, without those that only programs use."""
        return input_schema(self.taken, hidden=_LISTED_ONCE if self.default else _HIDDEN)

    def call(
        self, served: RepositoryServer, session: AgentSession, given: Mapping[str, Any]
    ) -> Reply[Any]:
        """Answer; QueryError for wrong arguments, ForbiddenError where writing is not allowed."""
        if self.writes and served.access.read_only:
            raise ForbiddenError(
                f"{self.name} writes, and this server is read-only: start it with --token-file, or"
                " with --allow-write."
            )
        return self.run(served, session, checked(self.taken, given))


def _capability(name: str, capability: str, *, writes: bool = False, adds: bool = False) -> Tool:
    """Make the tool of a capability of `Index`."""
    request = request_type(capability)
    taken = {**parameters_of(request), **parameters_of(requests.SharedRequest)}
    is_complete = is_wiki_tool(name) or writes  # a report of what was written is not shortened

    def run(served: RepositoryServer, session: AgentSession, given: dict[str, Any]) -> Reply[Any]:
        index, shown = served.index(given.pop("repo", "")), dict(given)
        compact = given.pop("compact", False)
        if member := given.pop("member", ""):
            _narrow(given, served.member_path(index.repository.name, member), taken)
        if is_wiki_tool(name):
            given = with_base_version(session, index.repository.name, taken, given)
        report = index.run(request(**given))
        note_sections(session, index.repository.name, report)
        reply = ReportReply(report, shown, compact=compact, whole=is_complete)
        if is_wiki_tool(name):
            note_pages(session, index.repository.name, reply)
        return reply

    return Tool(name, request, taken, run, writes=writes, adds=adds)


def _narrow(given: dict[str, Any], folder: str, taken: Mapping[str, Parameter]) -> None:
    """Limit a call to one folder, if the tool takes a folder."""
    if "path" not in taken or given.get("path"):
        raise QueryError("`member` stands for a folder: it cannot be used here, or beside `path`.")
    given["path"] = folder


def _function(
    name: str,
    function: Callable[[RepositoryServer, AgentSession, Any], Any],
    request: type[Request],
    *,
    default: bool = False,
    writes: bool = False,
) -> Tool:
    """Make the tool of a function of the server, which sees the session."""

    def run(served: RepositoryServer, session: AgentSession, given: dict[str, Any]) -> Reply[Any]:
        found = function(served, session, request(**given))
        return DataReply(found) if isinstance(found, Mapping) else found

    taken = parameters_of(request)
    return Tool(name, request, taken, run, default=default, writes=writes, function=function)


_ROWS = (
    _function("explore_code", explore_code, requests.ExploreCodeRequest, default=True),
    _function("search_code", search_code, requests.SearchCodeRequest, default=True),
    _function("find_symbol", find_symbol, requests.FindSymbolRequest, default=True),
    _function("summarize_code", summarize_code, requests.SummarizeCodeRequest, default=True),
    _function("read_code", read_code, requests.ReadCodeRequest, default=True),
    _capability("context", "changes.context"),
    _capability("explain_search", "explain.search"),
    _capability("export_graph", "graph.export"),
    _capability("find", "combined.find"),
    _capability("for_diff", "changes.for_diff"),
    _capability("guides", "overview.guides"),
    _capability("impact", "graph.impact"),
    _capability("modules", "overview.modules"),
    _capability("patterns", "overview.patterns"),
    _capability("read", "source.read"),
    _capability("summarize", "combined.summarize"),
    _capability("unused", "graph.unused"),
    _capability("why_not", "explain.why_not"),
    _capability("batch_file_summaries", "source.summaries"),
    _capability("explain_symbol", "symbols.explain"),
    _capability("get_callees", "graph.callees"),
    _capability("get_callers", "graph.callers"),
    _capability("get_dependency_graph", "graph.diagram"),
    _capability("get_diff_summary", "changes.diff_summary"),
    _capability("get_file_context", "source.file_context"),
    _capability("get_file_summary", "source.summary"),
    _capability("get_health", "overview.health"),
    _capability("get_hotspots", "overview.hotspots"),
    _capability("get_implementers", "graph.implementers"),
    _capability("get_imports", "graph.imports"),
    _capability("get_public_api", "source.public_api"),
    _capability("get_related_tests", "graph.related_tests"),
    _capability("get_stats", "overview.stats"),
    _capability("get_token_estimate", "source.token_estimate"),
    _capability("get_tree", "source.tree"),
    _capability("get_type_flow", "graph.type_flow"),
    _capability("list_declarations", "source.declarations"),
    _capability("list_workspace_members", "overview.members"),
    _capability("lookup_symbol", "symbols.lookup"),
    _capability("read_source", "source.read"),
    _capability("regenerate_index", "overview.regenerate_index", writes=True),
    _capability("search_relevant", "combined.search_relevant"),
    _capability("search_signatures", "symbols.signatures"),
    _capability("wiki_compound", "wiki.compound", writes=True, adds=True),
    _capability("wiki_contribute", "wiki.contribute", writes=True),
    _capability("wiki_generate", "wiki.generate", writes=True),
    _capability("wiki_read", "wiki.read"),
    _capability("wiki_record_failure", "wiki.record_failure", writes=True, adds=True),
    _capability("wiki_search", "wiki.search"),
    _capability("wiki_status", "wiki.status"),
    _capability("wiki_suggest_contribution", "wiki.suggest_contribution"),
    _capability("wiki_update", "wiki.update", writes=True),
    _function("suggest_context", suggest_context, requests.HookContextRequest),
    _function("invalidate_file", invalidate_file, requests.HookInvalidationRequest, writes=True),
    _function("similar", similar, requests.SimilarCodeRequest),
    _function("code_search", code_search, requests.CodeSearchRequest),
    _function("ask_code", ask_code, requests.AskCodeRequest),
    _function("open_file", open_file, requests.OpenFileRequest),
    _function("status", status, requests.ServedStatusRequest),
)
TOOLS: Mapping[str, Tool] = {tool.name: tool for tool in _ROWS}
"""Every tool by its name; all can be called, the default ones are listed first."""
_BY_REQUEST = {tool.request.label(): tool for tool in _ROWS if tool.request.capability}
"""Tools by the name of their command."""


def find_tool(name: str) -> Tool:
    """Return a tool by its name, or by that of its command; QueryError offers others."""
    plain = name.replace("-", "_")
    found = TOOLS.get(plain) or _BY_REQUEST.get(plain)
    if found is None:
        near = get_close_matches(plain, TOOLS.keys() | _BY_REQUEST.keys(), n=3)
        meant = f"did you mean {' or '.join(near)}?" if near else "see tools/list."
        raise QueryError(f"There is no tool {name!r}: {meant}")
    return found


@contextmanager
def _noted(tool: Tool) -> Iterator[None]:
    """Note for `codeindex metrics` how long a call takes, and if it fails."""
    started, failed = time.monotonic(), True
    try:
        yield
        failed = False
    finally:
        milliseconds = round((time.monotonic() - started) * 1000, 1)
        record_event("tool", tool=tool.name, latency_ms=milliseconds, error=failed)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """An answer as it is sent: text, and the data that it is written from if they are sent too."""

    text: str
    data: dict[str, Any] | None = None


def run_tool(
    served: RepositoryServer, session: AgentSession, tool: Tool, given: Mapping[str, Any]
) -> ToolResult:
    """Run a tool, and say so where its answer does not cover the whole tree.

    What was cut for its size counts as not shown to the session.
    """
    is_whole = False
    try:
        with _noted(tool), served.naming_causes():
            found = tool.call(served, session, given)
            caveat = _caveat(served, given)
            if session.sent_as == "text":
                text, is_whole = limit_text(found.text())
                return ToolResult(f"note: {escape_line(caveat)}\n{text}" if caveat else text)
            data = found.data()
        sent = limit_data({**({"note": caveat} if caveat else {}), **data})
        is_whole = sent.get("left_out") == data.get("left_out")
        return ToolResult(compact_json(sent), sent)
    finally:
        session.sent(whole=is_whole)


def _caveat(served: RepositoryServer, given: Mapping[str, Any]) -> str:
    """Return what an answer does not cover, in sentences."""
    repo = given.get("repo")
    indexes = [served.index(repo)] if repo else served.indexes()
    return " ".join(filter(None, map(served.caveat, indexes)))
