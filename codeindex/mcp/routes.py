"""Answer scripts by HTTP in plain JSON: search, list of files, sync."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from codeindex import __version__
from codeindex.errors import (
    CodeIndexError,
    LockedError,
    NotIndexedError,
    QueryError,
    RootError,
    ScopeError,
)
from codeindex.mcp.arguments import parse_texts
from codeindex.mcp.auth_middleware import HEALTH_PATH, error_response
from codeindex.mcp.output_limits import shorten_error
from codeindex.mcp.readiness import wait_until_searchable
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.session import AgentSession
from codeindex.mcp.tools import TOOLS, run_tool
from codeindex.mcp.web_routes import web_routes
from codeindex.text.sanitize import escape_data

if TYPE_CHECKING:
    from starlette.exceptions import HTTPException
    from starlette.requests import Request

QueryParameters = Mapping[str, str]
_FORBIDDEN = "FORBIDDEN"
_ERROR_STATUS: tuple[tuple[type[CodeIndexError], int], ...] = (
    (QueryError, 400),
    (ScopeError, 404),
    (RootError, 404),
    (NotIndexedError, 404),
    (LockedError, 409),
)
"""The HTTP status by type of error; other errors have status 500."""


def _search(server: RepositoryServer, given: QueryParameters) -> dict[str, Any]:
    tool = TOOLS["code_search"]
    return run_tool(server, AgentSession(), tool, parse_texts(tool.parameters, given)).data or {}


def _files(server: RepositoryServer, given: QueryParameters) -> dict[str, Any]:
    index = _index_of_repo(server, given)
    return {"repo": index.repository.name, "files": list(index.files())}


def _sync(server: RepositoryServer, given: QueryParameters) -> dict[str, Any]:
    report = server.background.sync_now(_index_of_repo(server, given))
    return {
        "repo": report.repo,
        "version": report.version,
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "failed": len(report.failed),
        "skipped": len(report.skipped),
        "seconds": round(report.seconds, 3),
        "notes": list(report.notes),
    }


def _index_of_repo(server: RepositoryServer, given: QueryParameters) -> Any:
    if unknown := sorted(set(given) - {"repo"}):
        raise QueryError(f"There is no parameter {unknown[0]!r}: this takes repo.")
    return server.index(given.get("repo", ""))


_ROUTES: tuple[
    tuple[str, str, Callable[[RepositoryServer, QueryParameters], dict[str, Any]]], ...
] = (
    ("GET", "/api/search/code", _search),
    ("GET", "/api/code-files/list", _files),
    ("POST", "/api/code-files/sync", _sync),
)


def api_routes(server: RepositoryServer) -> list[Route]:
    """Return the routes of the plain JSON API, the search page and the health check."""
    return [
        Route(HEALTH_PATH, _health),
        *web_routes(server, _status_of),
        *(
            Route(path, partial(_respond, server, answer), methods=[verb])
            for verb, path, answer in _ROUTES
        ),
    ]


async def _health(_: Request) -> Response:
    return JSONResponse({"status": "ok", "version": __version__})


async def _respond(
    server: RepositoryServer,
    answer: Callable[[RepositoryServer, QueryParameters], dict[str, Any]],
    request: Request,
) -> Response:
    given = dict(request.query_params)
    try:
        async for _ in wait_until_searchable(server, given.get("repo", "")):
            pass
        with server.explain_missing_index():
            data = await anyio.to_thread.run_sync(lambda: answer(server, given))
        return JSONResponse(escape_data(data))
    except CodeIndexError as error:
        return error_response(_status_of(error), shorten_error(str(error)))


def _status_of(error: CodeIndexError) -> int:
    if getattr(error, "code", "") == _FORBIDDEN:
        return 403
    return next((status for kind, status in _ERROR_STATUS if isinstance(error, kind)), 500)


async def not_found(_: Request, error: HTTPException) -> Response:
    """Return the error response for an unknown path or method."""
    paths = ", ".join(("/", "/mcp", HEALTH_PATH, *(f"{verb} {path}" for verb, path, _ in _ROUTES)))
    return error_response(error.status_code, f"{error.detail}: here are {paths}.")
