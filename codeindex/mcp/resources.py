"""Resources: what a client may put before a model without its asking."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import anyio.to_thread
import mcp_types as wire
from mcp.shared.exceptions import MCPError

from codeindex.errors import CodeIndexError
from codeindex.mcp.open_file import refuse_outside
from codeindex.mcp.output_limits import compact_json, limit_data, shorten_error
from codeindex.mcp.relevant_resource import relevant_text
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import ServedStatusRequest
from codeindex.mcp.session import AgentSession, SessionRegistry
from codeindex.mcp.status import status

JSON, MARKDOWN = "application/json", "text/markdown"

_RESOURCES = (
    wire.Resource(
        uri="codeindex://relevant",
        name="Contextually relevant code",
        description="What belongs to what was asked and read in this session, and was not read.",
        mime_type=MARKDOWN,
    ),
    wire.Resource(
        uri="codeindex://status",
        name="Index status",
        description="What is served, and how far it is indexed.",
        mime_type=JSON,
    ),
)
_TEMPLATES = (
    wire.ResourceTemplate(
        uri_template="codeindex://file/{+path}{?repo}",
        name="File outline",
        description="What a file imports and declares, and how it is tested.",
        mime_type=JSON,
    ),
    wire.ResourceTemplate(
        uri_template="codeindex://symbol/{name}{?repo}",
        name="Symbol",
        description="How to use a symbol: signature, documentation, members, uses.",
        mime_type=JSON,
    ),
)


async def list_resources(*_: Any) -> wire.ListResourcesResult:
    return wire.ListResourcesResult(resources=list(_RESOURCES))


async def list_resource_templates(*_: Any) -> wire.ListResourceTemplatesResult:
    return wire.ListResourceTemplatesResult(resource_templates=list(_TEMPLATES))


async def read_resource(
    served: RepositoryServer, sessions: SessionRegistry, key: str | None, uri: str
) -> wire.ReadResourceResult:
    """Return a resource; MCPError for an address that leads nowhere."""
    session = sessions.of(key)
    try:
        mime, text = await anyio.to_thread.run_sync(lambda: _text(served, session, uri))
    except CodeIndexError as error:
        raise MCPError(wire.INVALID_PARAMS, shorten_error(str(error))) from error
    contents = wire.TextResourceContents(uri=uri, mime_type=mime, text=text)
    return wire.ReadResourceResult(contents=[contents])


def _text(served: RepositoryServer, session: AgentSession, uri: str) -> tuple[str, str]:
    address = urlsplit(uri)
    place = unquote(address.path).removeprefix("/")
    repo = parse_qs(address.query).get("repo", [""])[0]
    if (address.scheme, place) == ("codeindex", "") and address.netloc in _WHOLE:
        return _WHOLE[address.netloc](served, session)
    if address.scheme != "codeindex" or address.netloc not in {"file", "symbol"} or not place:
        raise MCPError(wire.INVALID_PARAMS, f"There is no resource {uri!r}: see resources/list.")
    index = served.index(repo)
    with served.naming_causes():
        if address.netloc == "symbol":
            found = index.symbols.explain(place).as_dict()
        else:
            refuse_outside(place)
            found = index.source.summary(place).as_dict()
    caveat = served.caveat(index)
    return JSON, compact_json(limit_data({**({"note": caveat} if caveat else {}), **found}))


_WHOLE: dict[str, Callable[[RepositoryServer, AgentSession], tuple[str, str]]] = {
    "relevant": lambda served, session: (
        MARKDOWN,
        relevant_text(served, session),
    ),
    "status": lambda served, session: (
        JSON,
        compact_json(limit_data(status(served, session, ServedStatusRequest()))),
    ),
}
