"""The server: what the SDK asks for, from tables that know nothing of it."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import mcp_types as wire
from mcp.server import Server
from mcp.shared.exceptions import MCPError

from codeindex import __version__
from codeindex.errors import CodeIndexError
from codeindex.mcp import prompts, resources
from codeindex.mcp.bounded import as_json, bounded
from codeindex.mcp.served import Served
from codeindex.mcp.session import Session, Sessions
from codeindex.mcp.tools import TOOLS, Tool

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

logger = logging.getLogger(__name__)

INSTRUCTIONS = """\
Search this code by meaning and by structure; all local, always checked against the files on disk.
- search_code: find code when you do not know what it is called ("where are retries limited"), and
  who calls, imports, extends or uses something.
- find: symbols by name (mode symbol), callers (mode callers), signatures (mode signature).
- summarize: a file, folder, glob or symbol in short. Before reading a whole file.
- read: exact lines or symbols of a file, secrets taken out.
Use grep for exact strings. Answers name files relative to the repository's root, lines from 1;
results that you were shown before come as a pointer only. More tools can be called though they
are not listed: context (what else to read or change), impact (what a change may break), for_diff
(what else the present diff needs), get_callers, get_related_tests, get_file_context, ask_code.
Every tool takes `repo` where several repositories are served, `compact` for rows, `member` for a
member of a workspace."""
_PATIENCE_SECONDS = 20.0
_LOOK_SECONDS = 0.25
"""How long a first question waits for something to be searchable, and how often it looks."""


def make_server(served: Served, *, all_tools: bool = False) -> Server[Any]:
    """Return a server over repositories; `all_tools` lists every tool."""
    sessions = Sessions()
    listed = [one for one in TOOLS.values() if all_tools or one.default]
    return Server(
        "codeindex",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=partial(_list_tools, listed),
        on_call_tool=partial(_call_tool, served, sessions),
        on_list_resources=resources.listed,
        on_list_resource_templates=resources.templates,
        on_read_resource=partial(_read_resource, served, sessions),
        on_list_prompts=prompts.listed,
        on_get_prompt=prompts.get,
    )


async def _list_tools(listed: Sequence[Tool], *_: Any) -> wire.ListToolsResult:
    return wire.ListToolsResult(tools=[_described(one) for one in listed])


def _described(tool: Tool) -> wire.Tool:
    return wire.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input,
        output_schema=tool.output,
        annotations=wire.ToolAnnotations(
            read_only_hint=not tool.writes, idempotent_hint=True, open_world_hint=False
        ),
    )


async def _call_tool(
    served: Served,
    sessions: Sessions,
    context: ServerRequestContext[Any, Any],
    params: wire.CallToolRequestParams,
) -> wire.CallToolResult:
    tool = TOOLS.get(params.name)
    if tool is None:
        raise MCPError(wire.INVALID_PARAMS, f"There is no tool {params.name!r}: see tools/list.")
    session = sessions.of(session_key(context))
    try:
        await _ready(served, context)
        given = params.arguments or {}
        found = await anyio.to_thread.run_sync(lambda: _answer(served, session, tool, given))
    except CodeIndexError as error:
        return _failed(_told(error))
    except Exception as error:
        logger.exception("%s failed", tool.name)
        return _failed(f"Unexpected {type(error).__name__} in {tool.name}: see the server's log.")
    return wire.CallToolResult(
        content=[wire.TextContent(text=as_json(found))], structured_content=found
    )


def _answer(
    served: Served, session: Session, tool: Tool, given: dict[str, Any]
) -> dict[str, Any]:
    """Run a tool, and say so where its answer rests on half an index."""
    found = tool.call(served, session, given)
    for index in served.indexes():
        if caveat := served.caveat(index):
            found = {"note": caveat, **found}
    return bounded(found)


async def _read_resource(
    served: Served,
    sessions: Sessions,
    context: ServerRequestContext[Any, Any],
    params: wire.ReadResourceRequestParams,
) -> wire.ReadResourceResult:
    await _ready(served, context)
    return await resources.read(served, sessions, session_key(context), str(params.uri))


def session_key(context: ServerRequestContext[Any, Any]) -> str | None:
    """Return what tells one client's requests from another's; None where nothing does.

    Over standard input and output there is one client.
    """
    if context.request is None:
        return ""
    found: str | None = context.request.headers.get("mcp-session-id")
    return found


def _told(error: CodeIndexError) -> str:
    code = getattr(error, "code", "")
    return f"{code}: {error}" if code else str(error)


def _failed(sentence: str) -> wire.CallToolResult:
    return wire.CallToolResult(content=[wire.TextContent(text=sentence)], is_error=True)


async def _ready(served: Served, context: ServerRequestContext[Any, Any]) -> None:
    """Know what to serve, and wait a little until something of it can be searched."""
    if served.needs_roots:
        roots = await _roots(context)
        await anyio.to_thread.run_sync(lambda: served.adopt(roots))
    started = time.monotonic()
    while time.monotonic() - started < _PATIENCE_SECONDS:
        index = served.index()
        work = served.working(index)
        if work is None or await anyio.to_thread.run_sync(lambda: index.is_indexed):  # noqa: B023 (run before the next round)
            return
        await context.session.report_progress(work.done, work.total or None, str(work))
        await anyio.sleep(_LOOK_SECONDS)


async def _roots(context: ServerRequestContext[Any, Any]) -> list[str]:
    """Ask a client that still offers them for its folders; it may refuse, or not answer."""
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.roots is None or not context.session.can_send_request:
        return []
    try:
        with anyio.fail_after(_PATIENCE_SECONDS / 4):
            found = await context.session.list_roots()
    except (MCPError, TimeoutError):
        return []
    return [path for one in found.roots if (path := _path_of(str(one.uri)))]


def _path_of(uri: str) -> str:
    from urllib.parse import unquote, urlsplit
    from urllib.request import url2pathname

    parts = urlsplit(uri)
    return url2pathname(unquote(parts.path)) if parts.scheme == "file" else ""
