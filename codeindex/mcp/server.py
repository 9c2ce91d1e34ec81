"""The server: what the SDK asks for, from tables that know nothing of it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import mcp_types as wire
from mcp.server import Server
from mcp.shared.exceptions import MCPError

from codeindex import __version__
from codeindex.errors import CodeIndexError, QueryError
from codeindex.mcp import prompts, resources
from codeindex.mcp.output_limits import shorten_error
from codeindex.mcp.readiness import PATIENCE_SECONDS, wait_until_searchable
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.sampling import offer_sampling
from codeindex.mcp.session import SessionRegistry, session_key
from codeindex.mcp.subscriptions import Subscriptions
from codeindex.mcp.tools import TOOLS, Tool, find_tool, run_tool
from codeindex.mcp.wiki import GENERATE_TOOL, is_wiki_tool
from codeindex.redact_query import redact_arguments, redact_text
from codeindex.types import AgentFormat

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

logger = logging.getLogger(__name__)

INSTRUCTIONS = """\
Search this repository by meaning and by structure. Answers always match the files on disk.
- explore_code: start here with a question or task; shows code, callers and tests at once.
- search_code: find code when you do not know its names; modes exact and regex work like grep, and
  name the function around each line.
- find_symbol: a symbol by name, its callers, implementers, tests, impact and more.
- summarize_code: a file, folder or symbol without its code.
- read_code: symbols by name, or lines (path:10-40); several at once.
Paths are relative to the repository's root, lines count from 1. Code that you were shown before is
listed as "shown before" and not repeated. Every tool takes `repo` if several are served."""
_ROOTS_SECONDS = PATIENCE_SECONDS / 4
_THREADS = 8
"""Questions that are answered at once, others wait: the interpreter runs one at a time, and each
holds connections and what it has read."""


def make_server(
    served: RepositoryServer, *, all_tools: bool = False, sent_as: AgentFormat = "text"
) -> Server[Any]:
    """Return a server over repositories; `all_tools` lists every tool.

    Answers are plain text for agents, or JSON with output schemas for programs.
    """
    sessions, subscriptions = SessionRegistry(sent_as), Subscriptions(served)
    return Server(
        "codeindex",
        version=__version__,
        instructions=INSTRUCTIONS,
        lifespan=partial(_while_serving, subscriptions),
        on_list_tools=partial(_list_tools, served, all_tools, sent_as),
        on_call_tool=partial(_call_tool, served, sessions, subscriptions),
        on_list_resources=resources.list_resources,
        on_list_resource_templates=resources.list_resource_templates,
        on_read_resource=partial(_read_resource, served, sessions),
        on_subscribe_resource=subscriptions.subscribe,
        on_unsubscribe_resource=subscriptions.unsubscribe,
        on_subscriptions_listen=subscriptions.listen,
        on_list_prompts=prompts.list_prompts,
        on_get_prompt=prompts.get_prompt,
    )


@asynccontextmanager
async def _while_serving(subscriptions: Subscriptions, _: Server[Any]) -> AsyncIterator[Any]:
    anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
    async with subscriptions.telling(), anyio.create_task_group() as beginning:
        yield beginning
        beginning.cancel_scope.cancel()


async def _list_tools(
    served: RepositoryServer,
    all_tools: bool,
    sent_as: AgentFormat,
    context: ServerRequestContext[Any, Any],
    _: Any,
) -> wire.ListToolsResult:
    """List the tools, and begin to index what is served: the first call comes soon."""

    def listed() -> list[wire.Tool]:
        wiki = all_tools or served.has_wiki()
        wanted = (one for one in TOOLS.values() if all_tools or one.default)
        more = (one for one in TOOLS.values() if wiki and not all_tools and is_wiki_tool(one.name))
        every = (one for one in (*wanted, *more) if not (one.writes and served.access.read_only))
        return [_described(one, sent_as) for one in every]

    tools = await anyio.to_thread.run_sync(listed)
    context.lifespan_context.start_soon(_begin, served, context)
    return wire.ListToolsResult(tools=tools)


async def _begin(served: RepositoryServer, context: ServerRequestContext[Any, Any]) -> None:
    """Open what is to be served; what hinders that is told to the first call."""
    with suppress(CodeIndexError):
        await _adopt(served, context)


def _described(tool: Tool, sent_as: AgentFormat) -> wire.Tool:
    return wire.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input,
        output_schema=tool.output if sent_as == "json" else None,
        annotations=_annotations(tool),
    )


def _annotations(tool: Tool) -> wire.ToolAnnotations:
    """Return what a client may rely on; what a tool destroys matters only if it writes."""
    if not tool.writes:
        return wire.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return wire.ToolAnnotations(
        read_only_hint=False,
        destructive_hint=not tool.adds,
        idempotent_hint=not tool.adds,
        open_world_hint=False,
    )


async def _call_tool(
    served: RepositoryServer,
    sessions: SessionRegistry,
    subscriptions: Subscriptions,
    context: ServerRequestContext[Any, Any],
    params: wire.CallToolRequestParams,
) -> wire.CallToolResult:
    try:
        tool = find_tool(params.name)
    except QueryError as error:
        raise MCPError(wire.INVALID_PARAMS, _told(error)) from error
    session = sessions.of(session_key(context))
    try:
        given = redact_arguments(params.arguments or {})
        await _ready(served, context, given.get("repo"))
        with offer_sampling(context):
            found = await anyio.to_thread.run_sync(lambda: run_tool(served, session, tool, given))
    except CodeIndexError as error:
        return _failed(_told(error))
    except Exception as error:
        logger.exception("%s failed", tool.name)
        return _failed(f"Unexpected {type(error).__name__} in {tool.name}: see the server's log.")
    if tool.name == GENERATE_TOOL:
        await subscriptions.tell_of_tools(context.session)
    return wire.CallToolResult(
        content=[wire.TextContent(text=found.text)], structured_content=found.data
    )


async def _read_resource(
    served: RepositoryServer,
    sessions: SessionRegistry,
    context: ServerRequestContext[Any, Any],
    params: wire.ReadResourceRequestParams,
) -> wire.ReadResourceResult:
    await _ready(served, context)
    return await resources.read_resource(served, sessions, session_key(context), str(params.uri))


def _told(error: CodeIndexError) -> str:
    code = getattr(error, "code", "")
    return redact_text(f"{code}: {error}" if code else str(error))


def _failed(text: str) -> wire.CallToolResult:
    return wire.CallToolResult(content=[wire.TextContent(text=shorten_error(text))], is_error=True)


async def _ready(
    served: RepositoryServer, context: ServerRequestContext[Any, Any], repo: object = None
) -> None:
    """Know what to serve, and wait a while until all of it can be searched."""
    await _adopt(served, context)
    reported = -1
    async for work in wait_until_searchable(served, repo if isinstance(repo, str) else ""):
        if work.done > reported:  # as the protocol has it
            reported = work.done
            await context.session.report_progress(work.done, work.total or None, str(work))


async def _adopt(served: RepositoryServer, context: ServerRequestContext[Any, Any]) -> None:
    """Open what the server was started for, or else the client's folders."""
    if served.needs_roots:
        roots = await _roots(context)
        await anyio.to_thread.run_sync(lambda: served.adopt(roots))


async def _roots(context: ServerRequestContext[Any, Any]) -> list[str]:
    """Ask a client that still offers them for its folders; it may refuse, or not answer."""
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.roots is None or not context.session.can_send_request:
        return []
    try:
        with anyio.fail_after(_ROOTS_SECONDS):
            found = await context.session.list_roots()
    except (MCPError, TimeoutError):
        return []
    return [path for one in found.roots if (path := _path_of(str(one.uri)))]


def _path_of(uri: str) -> str:
    from urllib.parse import unquote, urlsplit
    from urllib.request import url2pathname

    parts = urlsplit(uri)
    return url2pathname(unquote(parts.path)) if parts.scheme == "file" else ""
