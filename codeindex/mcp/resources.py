"""Offer MCP resources, which a client may give its model without a tool call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, unquote

import anyio.to_thread
import mcp_types
from mcp.shared.exceptions import MCPError

from codeindex.errors import CodeIndexError
from codeindex.mcp.open_file import refuse_outside
from codeindex.mcp.output_limits import limit_data, shorten_error
from codeindex.mcp.relevant_resource import relevant_text
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import ServedStatusRequest
from codeindex.mcp.session import AgentSession, SessionRegistry
from codeindex.mcp.status import status
from codeindex.redact_query import redact_text
from codeindex.search.pack.agent_json import compact_json
from codeindex.text.urls import split_url

JSON, MARKDOWN = "application/json", "text/markdown"

_RESOURCES = (
    mcp_types.Resource(
        uri="codeindex://relevant",
        name="Contextually relevant code",
        description="What belongs to what was asked and read in this session, and was not read.",
        mime_type=MARKDOWN,
    ),
    mcp_types.Resource(
        uri="codeindex://status",
        name="Index status",
        description="What is served, and how far it is indexed.",
        mime_type=JSON,
    ),
)
_TEMPLATES = (
    mcp_types.ResourceTemplate(
        uri_template="codeindex://file/{+path}{?repo}",
        name="File outline",
        description="What a file imports and declares, and how it is tested.",
        mime_type=JSON,
    ),
    mcp_types.ResourceTemplate(
        uri_template="codeindex://symbol/{name}{?repo}",
        name="Symbol",
        description="How to use a symbol: signature, documentation, members, uses.",
        mime_type=JSON,
    ),
)


async def list_resources(*_: Any) -> mcp_types.ListResourcesResult:
    return mcp_types.ListResourcesResult(resources=list(_RESOURCES))


async def list_resource_templates(*_: Any) -> mcp_types.ListResourceTemplatesResult:
    return mcp_types.ListResourceTemplatesResult(resource_templates=list(_TEMPLATES))


async def read_resource(
    server: RepositoryServer, sessions: SessionRegistry, key: str | None, uri: str
) -> mcp_types.ReadResourceResult:
    """Return the contents of a resource; raise MCPError for an unknown URI or a failure."""
    session = sessions.get(key)
    try:
        mime, text = await anyio.to_thread.run_sync(lambda: _text(server, session, uri))
    except CodeIndexError as error:
        raise MCPError(mcp_types.INVALID_PARAMS, shorten_error(str(error))) from error
    contents = mcp_types.TextResourceContents(uri=uri, mime_type=mime, text=text)
    return mcp_types.ReadResourceResult(contents=[contents])


def _text(server: RepositoryServer, session: AgentSession, uri: str) -> tuple[str, str]:
    address = split_url(uri)
    name = unquote(address.path).removeprefix("/")
    repo = parse_qs(address.query).get("repo", [""])[0]
    if (address.scheme, name) == ("codeindex", "") and address.netloc in _FIXED_RESOURCES:
        return _FIXED_RESOURCES[address.netloc](server, session)
    if address.scheme != "codeindex" or address.netloc not in {"file", "symbol"} or not name:
        raise MCPError(
            mcp_types.INVALID_PARAMS,
            f"There is no resource {redact_text(uri)!r}: see resources/list.",
        )
    index = server.index(repo)
    with server.explain_missing_index():
        if address.netloc == "symbol":
            data = index.symbols.explain(name).as_dict()
        else:
            refuse_outside(name)
            data = index.source.summary(name).as_dict()
    note = " ".join(server.freshness_notes(index))
    return JSON, compact_json(limit_data({**({"note": note} if note else {}), **data}))


_FIXED_RESOURCES: dict[str, Callable[[RepositoryServer, AgentSession], tuple[str, str]]] = {
    "relevant": lambda server, session: (MARKDOWN, relevant_text(server, session)),
    "status": lambda server, session: (
        JSON,
        compact_json(limit_data(status(server, session, ServedStatusRequest()))),
    ),
}
