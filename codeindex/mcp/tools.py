"""Define the table of all tools with the capability or function that answers, and run tools."""

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
from codeindex.mcp.arguments import check_arguments, input_schema
from codeindex.mcp.ask_code import ask_code
from codeindex.mcp.batch_code import BatchDict, answer_batch
from codeindex.mcp.code_search import code_search
from codeindex.mcp.explore_code import explore_code
from codeindex.mcp.find_symbol import find_symbol
from codeindex.mcp.invalidate_file import invalidate_file
from codeindex.mcp.json_schema import output_schema
from codeindex.mcp.open_file import open_file
from codeindex.mcp.output_limits import MAX_CHARACTERS, cut_text, limit_data
from codeindex.mcp.read_code import read_code
from codeindex.mcp.reply import DataReply, Reply, ReportReply
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.search_code import search_code
from codeindex.mcp.session import AgentSession, note_sections
from codeindex.mcp.similar import similar
from codeindex.mcp.status import status
from codeindex.mcp.suggest_context import suggest_file_context
from codeindex.mcp.summarize_code import summarize_code
from codeindex.mcp.wiki import is_wiki_tool, note_pages, with_base_version
from codeindex.metrics.record import record_event
from codeindex.search.pack.agent_json import compact_json
from codeindex.text.sanitize import escape_line, escape_text

Run = Callable[[RepositoryServer, AgentSession, dict[str, Any]], Reply[Any]]
_HIDDEN = frozenset({"compact", "member", "min_score", "module", "scope", "sync", "vector"})
"""Parameters that are accepted but not in the schema, since agents do not need them."""
_HIDDEN_BY_DEFAULT = _HIDDEN | {"budget", "language", "repo"}
"""Parameters hidden in default tools: the server's instructions explain `repo` for all; agents that
see `budget` set two to five times the default and get answers that fill it; none set `language`."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of the MCP server.

    Its function `run` returns a reply, or raises CodeIndexError.
    """

    name: str
    request: type[Request]
    parameters: Mapping[str, Parameter]
    """The fields of the request, and those of `SharedRequest` if the tool is a capability."""
    run: Run
    default: bool = False
    """True if the tool is listed by default."""
    writes: bool = False
    adds: bool = False
    """True if the tool is not idempotent: two calls write twice."""
    function: Callable[..., Any] | None = None
    """The function that answers, if the request has no capability."""

    @property
    def description(self) -> str:
        """The docstring of the request class, which clients see in the list of tools."""
        return inspect.getdoc(self.request) or ""

    @property
    def output(self) -> dict[str, Any]:
        """The JSON schema of the tool's structured answer."""
        return output_schema(self.function or answer_of(self.request))

    @property
    def input(self) -> dict[str, Any]:
        """The JSON schema of the tool's parameters, without the hidden parameters."""
        return input_schema(self.parameters, hidden=_HIDDEN_BY_DEFAULT if self.default else _HIDDEN)

    def call(
        self, server: RepositoryServer, session: AgentSession, given: Mapping[str, Any]
    ) -> Reply[Any]:
        """Check the arguments `given`, run the tool and return its reply.

        Raises QueryError for an invalid argument, and ForbiddenError if the tool writes but the
        server is read-only.
        """
        if self.writes and server.access.read_only:
            raise ForbiddenError(
                f"{self.name} writes, and this server is read-only: start it with --token-file, or"
                " with --allow-write."
            )
        return self.run(server, session, check_arguments(self.parameters, given))


def _capability_tool(
    name: str, capability: str, *, writes: bool = False, adds: bool = False
) -> Tool:
    """Return the tool `name`, which runs a method of `Index`, like "search" (`capability`).

    `writes` and `adds` are fields of `Tool`.
    """
    request = request_type(capability)
    parameters = {**parameters_of(request), **parameters_of(requests.SharedRequest)}
    is_complete = is_wiki_tool(name) or writes  # reports of writes are not pruned

    def run(server: RepositoryServer, session: AgentSession, given: dict[str, Any]) -> Reply[Any]:
        index, arguments = server.index(given.pop("repo", "")), dict(given)
        compact = given.pop("compact", False)
        if member := given.pop("member", ""):
            _narrow(given, server.member_path(index.repository.name, member), parameters)
        if is_wiki_tool(name):
            given = with_base_version(session, index.repository.name, parameters, given)
        report = index.run(request(**given))
        note_sections(session, index.repository.name, report)
        reply = ReportReply(report, arguments, compact=compact, whole=is_complete)
        if is_wiki_tool(name):
            note_pages(session, index.repository.name, reply)
        return reply

    return Tool(name, request, parameters, run, writes=writes, adds=adds)


def _narrow(given: dict[str, Any], folder: str, parameters: Mapping[str, Parameter]) -> None:
    """Set the argument `path` to `folder`, the folder of a workspace member.

    Raises QueryError if the tool has no parameter `path`, or if `path` is already given.
    """
    if "path" not in parameters or given.get("path"):
        raise QueryError("`member` names a folder: it cannot be used here, or with `path`.")
    given["path"] = folder


def _function_tool(
    name: str,
    function: Callable[[RepositoryServer, AgentSession, Any], Any],
    request: type[Request],
    *,
    default: bool = False,
    writes: bool = False,
) -> Tool:
    """Return the tool `name`, which calls `function` with the server, the session and a request."""

    def run(server: RepositoryServer, session: AgentSession, given: dict[str, Any]) -> Reply[Any]:
        reply = function(server, session, request(**given))
        return DataReply(reply) if isinstance(reply, Mapping) else reply

    parameters = parameters_of(request)
    return Tool(name, request, parameters, run, default=default, writes=writes, function=function)


def _batch_code(
    server: RepositoryServer, session: AgentSession, request: requests.BatchCodeRequest
) -> Reply[BatchDict]:
    """Answer several requests in one call.

    A request for a tool that writes, or for another batch, raises QueryError.
    """

    def run(name: str, arguments: Mapping[str, Any]) -> Reply[Any]:
        tool = find_tool(name)
        if tool.writes or tool.request is requests.BatchCodeRequest:
            raise QueryError(f"{tool.name} cannot be part of a batch: call it alone.")
        return tool.call(server, session, arguments)

    return answer_batch(request.requests, run)


_ROWS = (
    _function_tool("explore_code", explore_code, requests.ExploreCodeRequest, default=True),
    _function_tool("search_code", search_code, requests.SearchCodeRequest, default=True),
    _function_tool("find_symbol", find_symbol, requests.FindSymbolRequest, default=True),
    _function_tool("summarize_code", summarize_code, requests.SummarizeCodeRequest, default=True),
    _function_tool("read_code", read_code, requests.ReadCodeRequest, default=True),
    _function_tool("batch_code", _batch_code, requests.BatchCodeRequest, default=True),
    _capability_tool("context", "changes.context"),
    _capability_tool("explain_search", "explain.search"),
    _capability_tool("export_graph", "graph.export"),
    _capability_tool("find", "combined.find"),
    _capability_tool("for_diff", "changes.for_diff"),
    _capability_tool("guides", "overview.guides"),
    _capability_tool("impact", "graph.impact"),
    _capability_tool("modules", "overview.modules"),
    _capability_tool("patterns", "overview.patterns"),
    _capability_tool("read", "source.read"),
    _capability_tool("summarize", "combined.summarize"),
    _capability_tool("unused", "graph.unused"),
    _capability_tool("why_not", "explain.why_not"),
    _capability_tool("batch_file_summaries", "source.summaries"),
    _capability_tool("explain_symbol", "symbols.explain"),
    _capability_tool("get_callees", "graph.callees"),
    _capability_tool("get_callers", "graph.callers"),
    _capability_tool("get_dependency_graph", "graph.diagram"),
    _capability_tool("get_diff_summary", "changes.diff_summary"),
    _capability_tool("get_file_context", "source.file_context"),
    _capability_tool("get_file_summary", "source.summary"),
    _capability_tool("get_health", "overview.health"),
    _capability_tool("get_hotspots", "overview.hotspots"),
    _capability_tool("get_implementers", "graph.implementers"),
    _capability_tool("get_imports", "graph.imports"),
    _capability_tool("get_public_api", "source.public_api"),
    _capability_tool("get_related_tests", "graph.related_tests"),
    _capability_tool("get_stats", "overview.stats"),
    _capability_tool("get_token_estimate", "source.token_estimate"),
    _capability_tool("get_tree", "source.tree"),
    _capability_tool("get_type_flow", "graph.type_flow"),
    _capability_tool("list_declarations", "source.declarations"),
    _capability_tool("list_workspace_members", "overview.members"),
    _capability_tool("lookup_symbol", "symbols.lookup"),
    _capability_tool("read_source", "source.read"),
    _capability_tool("regenerate_index", "overview.regenerate_index", writes=True),
    _capability_tool("search_relevant", "combined.search_relevant"),
    _capability_tool("search_signatures", "symbols.signatures"),
    _capability_tool("wiki_compound", "wiki.compound", writes=True, adds=True),
    _capability_tool("wiki_contribute", "wiki.contribute", writes=True),
    _capability_tool("wiki_generate", "wiki.generate", writes=True),
    _capability_tool("wiki_read", "wiki.read"),
    _capability_tool("wiki_record_failure", "wiki.record_failure", writes=True, adds=True),
    _capability_tool("wiki_search", "wiki.search"),
    _capability_tool("wiki_status", "wiki.status"),
    _capability_tool("wiki_suggest_contribution", "wiki.suggest_contribution"),
    _capability_tool("wiki_update", "wiki.update", writes=True),
    _function_tool("suggest_context", suggest_file_context, requests.HookContextRequest),
    _function_tool(
        "invalidate_file", invalidate_file, requests.HookInvalidationRequest, writes=True
    ),
    _function_tool("similar", similar, requests.SimilarCodeRequest),
    _function_tool("code_search", code_search, requests.CodeSearchRequest),
    _function_tool("ask_code", ask_code, requests.AskCodeRequest),
    _function_tool("open_file", open_file, requests.OpenFileRequest),
    _function_tool("status", status, requests.ServedStatusRequest),
)
TOOLS: Mapping[str, Tool] = {tool.name: tool for tool in _ROWS}
"""Every tool by name. All tools can be called, even if they are not listed."""
_TOOLS_BY_COMMAND = {tool.request.label(): tool for tool in _ROWS if tool.request.capability}
"""Tools by the name of the command for the same capability, with `_` for `-`."""


def find_tool(name: str) -> Tool:
    """Return a tool by its own name or by the name of the CLI command for the same capability.

    Raises QueryError for an unknown name; the message suggests similar names.
    """
    plain = name.replace("-", "_")
    tool = TOOLS.get(plain) or _TOOLS_BY_COMMAND.get(plain)
    if tool is None:
        near = get_close_matches(plain, TOOLS.keys() | _TOOLS_BY_COMMAND.keys(), n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "see tools/list."
        raise QueryError(f"There is no tool {name!r}: {hint}")
    return tool


@contextmanager
def _record_call(tool: Tool) -> Iterator[None]:
    """Record how long the `with` block, a call of a tool, takes and whether it fails.

    `codeindex metrics` shows the record.
    """
    started, failed = time.monotonic(), True
    try:
        yield
        failed = False
    finally:
        milliseconds = round((time.monotonic() - started) * 1000, 1)
        record_event("tool", tool=tool.name, latency_ms=milliseconds, error=failed)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a tool call: text, and also JSON data if the session gets JSON."""

    text: str
    data: dict[str, Any] | None = None


def run_tool(
    server: RepositoryServer, session: AgentSession, tool: Tool, given: Mapping[str, Any]
) -> ToolResult:
    """Run a tool with the arguments `given`; return the result as text or JSON.

    The session decides the form. A note in the result names changed files that the index does not
    have yet, unless the text says so itself. The session remembers the lines that the result shows,
    unless the result was cut to the size limit. Hidden characters are escaped, since models read
    what people do not see.
    """
    is_whole = False
    try:
        with _record_call(tool), server.explain_missing_index():
            reply = tool.call(server, session, given)
            notes = _freshness_notes(server, given)
            if session.sent_as == "text":
                text = escape_text(reply.text())
                is_whole = len(text) <= MAX_CHARACTERS
                if not is_whole:
                    within = escape_text(reply.text_within(MAX_CHARACTERS))
                    text = cut_text(within, MAX_CHARACTERS)
                note = escape_line(" ".join(note for note in notes if note not in text))
                return ToolResult(f"note: {note}\n{text}" if note else text)
            data = reply.data()
        limited = limit_data({**({"note": " ".join(notes)} if notes else {}), **data})
        is_whole = limited.get("left_out") == data.get("left_out")
        return ToolResult(compact_json(limited), limited)
    finally:
        session.commit(whole=is_whole)


def _freshness_notes(server: RepositoryServer, given: Mapping[str, Any]) -> list[str]:
    """Return sentences on files that an answer does not cover.

    `given` are the arguments of the call, which tell the repositories that it reads.
    """
    repo = given.get("repo")
    indexes = server.indexes_of(repo) if repo else server.indexes()
    return [note for index in indexes for note in server.freshness_notes(index)]
