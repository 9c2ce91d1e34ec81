"""Handle the requests that the MCP SDK receives: tools, resources, prompts, subscriptions."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote
from urllib.request import url2pathname

import anyio
import anyio.to_thread
import mcp_types
from mcp.server import Server
from mcp.shared.exceptions import MCPError

from codeindex import __version__
from codeindex.errors import CHANGED_PROGRAM, CodeIndexError, QueryError
from codeindex.mcp import prompts, resources
from codeindex.mcp.batch_code import repositories_of
from codeindex.mcp.output_limits import shorten_error
from codeindex.mcp.readiness import PATIENCE_SECONDS, needs_edges, wait_until_searchable
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.sampling import offer_sampling
from codeindex.mcp.session import SessionRegistry, session_key
from codeindex.mcp.subscriptions import Subscriptions
from codeindex.mcp.tools import TOOLS, Tool, find_tool, run_tool
from codeindex.mcp.wiki import GENERATE_TOOL, is_wiki_tool
from codeindex.redact_query import redact_arguments, redact_text
from codeindex.text.urls import split_url
from codeindex.types import AgentFormat

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

logger = logging.getLogger(__name__)

INSTRUCTIONS = """\
Search this repository by meaning and by structure. Answers always match the files on disk.
Most questions take two calls: explore_code, then one read_code or batch_code for all that is still
missing. Then answer: do not read again what was shown, nor verify what is plain.
- explore_code: first, for a question or task, in words and names that the code may use; shows the
  code, what it calls, its callers and tests, and the lines with constants or fields that you name.
- find_symbol: callers (each with its line and condition), implementers, tests, impact and more.
- search_code: modes exact and regex list lines like grep, each with its function: for settings,
  messages and tables. Several patterns at once. `around: 2` adds the conditions of each line.
- read_code: names (better than guessed lines) or lines (cart.py:10-40 suffices if no other file is
  called so). Give `about` unless you need every line: of long code, what concerns it is shown with
  its conditions.
- summarize_code: a file, folder or symbol without its code.
- batch_code: requests that do not need each other's answers, in one call.
Lines count from 1; one without a number follows the line above. `…` stands for lines left out,
`…/` for the folder of the file above, `:9:` for line 9 of that file. Code has one blank a level of
indent and no lines of brackets alone: to edit, take the file's own text. Lines "shown before" are
not repeated unless you ask for just them. Every tool takes `repo` if several are served."""
_ROOTS_SECONDS = PATIENCE_SECONDS / 4
"""Timeout for `roots/list`, which some clients never answer."""
_THREADS = 8
"""Most tool calls that run at once. More would not be faster, since Python runs one thread at a
time, and each call holds database connections and memory."""
_PATTERN_THREADS = _THREADS // 2
"""Most calls that search for a pattern at the same time. Each may take ten seconds; the other
threads are for calls that must not wait."""


def make_server(
    server: RepositoryServer, *, all_tools: bool = False, sent_as: AgentFormat = "text"
) -> Server[Any]:
    """Return the MCP SDK's server; `all_tools` lists every tool instead of the default ones.

    `sent_as` chooses plain text for agents, or JSON with output schemas for programs.
    """
    sessions, subscriptions = SessionRegistry(sent_as), Subscriptions(server)
    return Server(
        "codeindex",
        version=__version__,
        instructions=INSTRUCTIONS,
        lifespan=partial(_lifespan, subscriptions),
        on_list_tools=partial(_list_tools, server, all_tools, sent_as),
        on_call_tool=partial(
            _call_tool, server, sessions, subscriptions, anyio.CapacityLimiter(_PATTERN_THREADS)
        ),
        on_list_resources=resources.list_resources,
        on_list_resource_templates=resources.list_resource_templates,
        on_read_resource=partial(_read_resource, server, sessions),
        on_subscribe_resource=subscriptions.subscribe,
        on_unsubscribe_resource=subscriptions.unsubscribe,
        on_subscriptions_listen=subscriptions.listen,
        on_list_prompts=prompts.list_prompts,
        on_get_prompt=prompts.get_prompt,
    )


@asynccontextmanager
async def _lifespan(subscriptions: Subscriptions, _: Server[Any]) -> AsyncIterator[Any]:
    anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
    async with subscriptions.notify_changes(), anyio.create_task_group() as tasks:
        yield tasks
        tasks.cancel_scope.cancel()


async def _list_tools(
    server: RepositoryServer,
    all_tools: bool,
    sent_as: AgentFormat,
    context: ServerRequestContext[Any, Any],
    _: Any,
) -> mcp_types.ListToolsResult:
    """Return the tools, and start to open and index the repositories for the calls that follow."""

    def describe_listed() -> list[mcp_types.Tool]:
        wiki = all_tools or server.has_wiki()
        default = [tool for tool in TOOLS.values() if all_tools or tool.default]
        wiki_tools = [tool for tool in TOOLS.values() if wiki and is_wiki_tool(tool.name)]
        listed = (*default, *(() if all_tools else wiki_tools))
        allowed = (tool for tool in listed if not (tool.writes and server.access.read_only))
        return [_describe_tool(tool, sent_as) for tool in allowed]

    tools = await anyio.to_thread.run_sync(describe_listed)
    context.lifespan_context.start_soon(_open_early, server, context)
    return mcp_types.ListToolsResult(tools=tools)


async def _open_early(server: RepositoryServer, context: ServerRequestContext[Any, Any]) -> None:
    """Open the repositories early; ignore errors, which the first tool call will report."""
    try:
        await _open_roots(server, context)
    except CodeIndexError as error:
        logger.debug("no repository is open yet: %s", error)
    except Exception:  # else the task group, and with it the server, would end
        logger.exception("no repository is open yet")


def _describe_tool(tool: Tool, sent_as: AgentFormat) -> mcp_types.Tool:
    return mcp_types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input,
        output_schema=tool.output if sent_as == "json" else None,
        annotations=_annotations(tool),
    )


def _annotations(tool: Tool) -> mcp_types.ToolAnnotations:
    """Return the hints about a tool for clients, such as that it only reads."""
    if not tool.writes:
        return mcp_types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return mcp_types.ToolAnnotations(
        read_only_hint=False,
        destructive_hint=not tool.adds,
        idempotent_hint=not tool.adds,
        open_world_hint=False,
    )


async def _call_tool(
    server: RepositoryServer,
    sessions: SessionRegistry,
    subscriptions: Subscriptions,
    patterns: anyio.CapacityLimiter,
    context: ServerRequestContext[Any, Any],
    params: mcp_types.CallToolRequestParams,
) -> mcp_types.CallToolResult:
    try:
        tool = find_tool(params.name)
    except QueryError as error:
        raise MCPError(mcp_types.INVALID_PARAMS, _error_text(error)) from error
    session = sessions.get(session_key(context))
    try:
        given = redact_arguments(params.arguments or {})
        queries = _texts_of(given.get("query"))
        edges = needs_edges(tool.name, queries)
        for repo in dict.fromkeys(repositories_of(given)):
            await _wait_until_ready(server, context, repo, edges=edges, question=" ".join(queries))
        with offer_sampling(context):
            async with patterns if _has_pattern(given) else nullcontext():
                run = partial(run_tool, server, session, tool, given)
                result = await anyio.to_thread.run_sync(run)
    except CodeIndexError as error:
        return _error_result(_error_text(error))
    except Exception as error:
        logger.exception("%s failed", tool.name)
        if isinstance(error, ImportError):
            return _error_result(CHANGED_PROGRAM)
        return _error_result(
            f"Unexpected {type(error).__name__} in {tool.name}: see the server's log."
        )
    if tool.name == GENERATE_TOOL:
        await subscriptions.notify_tools_changed(context.session)
    return mcp_types.CallToolResult(
        content=[mcp_types.TextContent(text=result.text)], structured_content=result.data
    )


def _has_pattern(arguments: Mapping[str, Any]) -> bool:
    """Tell whether a call, or one of its batch, searches for an expression or for syntax."""
    batch = arguments.get("requests")
    calls = [arguments, *(batch if isinstance(batch, list) else [])]
    modes = [call.get("mode") for call in calls if isinstance(call, Mapping)]
    return "regex" in modes or "ast" in modes


async def _read_resource(
    server: RepositoryServer,
    sessions: SessionRegistry,
    context: ServerRequestContext[Any, Any],
    params: mcp_types.ReadResourceRequestParams,
) -> mcp_types.ReadResourceResult:
    await _wait_until_ready(server, context)
    return await resources.read_resource(server, sessions, session_key(context), str(params.uri))


def _error_text(error: CodeIndexError) -> str:
    code = getattr(error, "code", "")
    return redact_text(f"{code}: {error}" if code else str(error))


def _error_result(text: str) -> mcp_types.CallToolResult:
    return mcp_types.CallToolResult(
        content=[mcp_types.TextContent(text=shorten_error(text))], is_error=True
    )


async def _wait_until_ready(
    server: RepositoryServer,
    context: ServerRequestContext[Any, Any],
    repo: str = "",
    *,
    edges: bool = True,
    question: str = "",
) -> None:
    """Open the repositories, and wait for the first index; report its progress to the client.

    `edges` and `question` are those of `wait_until_searchable`.
    """
    await _open_roots(server, context)
    reported = -1
    async for work in wait_until_searchable(server, repo, edges=edges, question=question):
        if work.done > reported:  # the protocol wants increasing values
            reported = work.done
            await context.session.report_progress(work.done, work.total or None, str(work))


def _texts_of(query: object) -> list[str]:
    """Return the queries in an argument, a text or list; [] for any other value."""
    given = query if isinstance(query, list) else [query]
    return [text for text in given if isinstance(text, str)]


async def _open_roots(server: RepositoryServer, context: ServerRequestContext[Any, Any]) -> None:
    """Open the client's roots, unless repositories are open already."""
    if server.needs_roots:
        roots = await _list_roots(context)
        await anyio.to_thread.run_sync(lambda: server.open_roots(roots))


async def _list_roots(context: ServerRequestContext[Any, Any]) -> list[str]:
    """Return the paths of the client's roots; [] if it offers none or gives no valid answer.

    The question to the client belongs to the connection, so it may be sent after the request of
    `context` has been answered.
    """
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.roots is None:
        return []
    try:
        with anyio.fail_after(_ROOTS_SECONDS):
            result = await context.session.list_roots()
    except (MCPError, TimeoutError):
        return []
    except ValueError as error:  # its answer has another form
        logger.warning("The client's roots cannot be used: %s", error)
        return []
    return [path for root in result.roots if (path := _path_of_uri(str(root.uri)))]


def _path_of_uri(uri: str) -> str:
    parts = split_url(uri)
    return url2pathname(unquote(parts.path)) if parts.scheme == "file" else ""
