"""Serve the search page and answer its requests in JSON."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
from starlette.responses import Response
from starlette.routing import Route

from codeindex.api.requests import Request, parameters_of
from codeindex.api.requests.answers import AskRequest
from codeindex.api.requests.core import SearchRequest
from codeindex.api.requests.graph import CalleesRequest, CallersRequest, RelatedTestsRequest
from codeindex.api.requests.source import DeclarationsRequest, ReadRequest, TreeRequest
from codeindex.ask.extract import Extract
from codeindex.errors import QueryError
from codeindex.ingest.parse.highlighter import SyntaxHighlighter
from codeindex.mcp.arguments import check_arguments
from codeindex.mcp.ask_code import ask_each
from codeindex.mcp.json_response import json_response
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import ServedStatusRequest
from codeindex.mcp.search_code import make_filters
from codeindex.mcp.session import AgentSession
from codeindex.mcp.status import status
from codeindex.text.sanitize import escape_text
from codeindex.types import SymbolKind
from codeindex.web.static_files import PAGE_HEADERS, static_files

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from codeindex.api.index import Index

_CAPABILITIES: Mapping[str, type[Request]] = {
    "callees": CalleesRequest,
    "callers": CallersRequest,
    "declarations": DeclarationsRequest,
    "read": ReadRequest,
    "tests": RelatedTestsRequest,
    "tree": TreeRequest,
}
"""The requests that the page sends to one repository, by the last part of their URL path."""
_FORBIDDEN_PARAMETERS = frozenset({"llm_cmd", "llm_seconds", "agentic"})
"""Parameters that run a command of the caller: a page may not."""
_FILTERS = ("language", "path", "kind", "module")
_HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
_MAX_LIMIT = 100
_MOST_RUNNING = 4
"""Maximum number of requests that run at once; opening a file sends four. A search goes on to its
end even if the page does not wait for it any more, and typing starts many."""
_ABANDONED = 499
"""The status that servers log for a request whose client is gone; nobody receives it."""
_MAX_TEXT_BYTES = 400_000
"""Most bytes of the texts to highlight, which the page sends: 100 results of a screen each."""


def web_routes(server: RepositoryServer) -> list[Route]:
    """Return the HTTP routes of the search page: its files, and the requests that it sends.

    No request waits for the first index: the page shows its progress. A request is dropped if the
    page disconnects before its turn.
    """
    running = anyio.CapacityLimiter(_MOST_RUNNING)

    def route(path: str, answer: Callable[[Mapping[str, str]], dict[str, Any]]) -> Route:
        async def respond(http: HttpRequest) -> Response:
            async with running:
                if await http.is_disconnected():
                    return Response(status_code=_ABANDONED)
                given = dict(http.query_params)
                return await json_response(server, partial(answer, given), _HEADERS)

        return Route(f"/api/ui/{path}", respond, methods=["GET"])

    async def highlight(http: HttpRequest) -> Response:
        texts = await _read_texts(http)
        return await json_response(server, partial(_highlight, texts), _HEADERS)

    return [
        *(Route(path, _static_response(path), methods=["GET"]) for path in static_files()),
        route("status", partial(_status, server)),
        route("search", partial(_search, server)),
        route("ask", partial(_ask, server)),
        *(route(name, partial(_run, server, kind)) for name, kind in _CAPABILITIES.items()),
        Route("/api/ui/highlight", highlight, methods=["POST"]),
    ]


def _static_response(path: str) -> Callable[[HttpRequest], Awaitable[Response]]:
    async def respond(_: HttpRequest) -> Response:
        content, content_type = static_files()[path]
        return Response(content, headers={**PAGE_HEADERS, "Content-Type": content_type})

    return respond


def _status(server: RepositoryServer, _: Mapping[str, str]) -> dict[str, Any]:
    """Return each repository's state, and all symbol kinds for the page's filter."""
    repos = status(server, AgentSession(), ServedStatusRequest())["repos"]
    return {"repos": repos, "kinds": [str(kind) for kind in SymbolKind]}


def _search(server: RepositoryServer, given: Mapping[str, str]) -> dict[str, Any]:
    """Return search results for the URL parameters `given`.

    The repository is `repo`; without it, all repositories are searched.
    """
    if unknown := sorted(set(given) - {"q", "repo", "limit", "cursor", *_FILTERS}):
        raise QueryError(f"There is no parameter {unknown[0]!r}: this takes q, repo and filters.")
    parameters = parameters_of(SearchRequest)
    texts = {"query": given.get("q", ""), "limit": given.get("limit", "20")}
    texts["cursor"] = given.get("cursor", "")
    arguments = check_arguments(parameters, texts)
    arguments["limit"] = min(arguments["limit"], _MAX_LIMIT)
    language, path, kind, module = (given.get(name, "").strip() for name in _FILTERS)
    filters = make_filters(server, (path,), language, module)
    if kind:
        filters = replace(filters, kinds=(kind,))
    answer = server.search(
        arguments.pop("query"), repo=given.get("repo", ""), filters=filters, **arguments
    )
    data = answer.as_dict()
    return {**data, "results": [{**hit, "why": None} for hit in data["results"]]}


def _ask(server: RepositoryServer, given: Mapping[str, str]) -> dict[str, Any]:
    """Return the answer to a question in the URL parameters `given`.

    The repository is `repo`; without it, all repositories are searched.
    """
    arguments = _arguments(AskRequest, given)

    def ask(index: Index) -> Extract:
        path = _unescaped_path(index, arguments.get("path", ""))
        extract: Extract = index.run(AskRequest(**arguments | {"path": path}))
        return extract

    return dict(ask_each(server.indexes_of(given.get("repo", "")), ask).as_dict())


def _run(server: RepositoryServer, kind: type[Request], given: Mapping[str, str]) -> dict[str, Any]:
    arguments = _arguments(kind, given)
    index = server.index(given.get("repo", ""))
    if "path" in arguments:
        arguments["path"] = _unescaped_path(index, arguments["path"])
    report = index.run(kind(**arguments))
    return dict(report.as_dict())


def _arguments(kind: type[Request], given: Mapping[str, str]) -> dict[str, Any]:
    """Return the URL parameters `given` as arguments for a request of type `kind`.

    Raises QueryError for an unknown, forbidden or invalid parameter.
    """
    texts = {name: text for name, text in given.items() if name != "repo"}
    parameters = {
        name: parameter
        for name, parameter in parameters_of(kind).items()
        if name not in _FORBIDDEN_PARAMETERS
    }
    return check_arguments(parameters, texts)


def _unescaped_path(index: Index, path: str) -> str:
    """Return the real path of a file whose hidden characters the page shows escaped."""
    if "\\" not in path:
        return path
    return next((file for file in index.files() if escape_text(file) == path), path)


async def _read_texts(http: HttpRequest) -> bytes:
    """Return the body of a request, or b"" if it is longer than `_MAX_TEXT_BYTES`."""
    body = bytearray()
    async for chunk in http.stream():
        body += chunk
        if len(body) > _MAX_TEXT_BYTES:
            return b""
    return bytes(body)


def _highlight(body: bytes) -> dict[str, Any]:
    """Return {"styles": …}: the coloured spans of each line of each text.

    `body` is a JSON list of pairs [language, text]; any other body raises QueryError.
    """
    try:
        texts = [(str(language), str(text)) for language, text in json.loads(body)]
    except (ValueError, TypeError, RecursionError):
        raise QueryError(
            f"Send a JSON list of [language, text], of at most {_MAX_TEXT_BYTES} bytes."
        ) from None
    highlighter = SyntaxHighlighter()
    try:
        return {"styles": highlighter.style_texts(texts)}
    finally:
        highlighter.close()
