"""Plain JSON by HTTP for scripts: search, the list of files, and a sync."""

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
from codeindex.mcp.index_facts import sync_counts
from codeindex.mcp.output_limits import shorten_error
from codeindex.mcp.readiness import wait_until_searchable
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.session import AgentSession
from codeindex.mcp.tools import TOOLS, run_tool
from codeindex.text.sanitize import escape_data

if TYPE_CHECKING:
    from starlette.exceptions import HTTPException
    from starlette.requests import Request

Given = Mapping[str, str]
_FORBIDDEN = "FORBIDDEN"
_STATUS: tuple[tuple[type[CodeIndexError], int], ...] = (
    (QueryError, 400),
    (ScopeError, 404),
    (RootError, 404),
    (NotIndexedError, 404),
    (LockedError, 409),
)
"""Whose fault an error is; all others are ours."""


def _search(served: RepositoryServer, given: Given) -> dict[str, Any]:
    tool = TOOLS["code_search"]
    return run_tool(served, AgentSession(), tool, parse_texts(tool.taken, given)).data or {}


def _files(served: RepositoryServer, given: Given) -> dict[str, Any]:
    index = _only_repo(served, given)
    return {"repo": index.repository.name, "files": list(index.files())}


def _sync(served: RepositoryServer, given: Given) -> dict[str, Any]:
    return sync_counts(served.background.sync_now(_only_repo(served, given)))


def _only_repo(served: RepositoryServer, given: Given) -> Any:
    if unknown := sorted(set(given) - {"repo"}):
        raise QueryError(f"There is no parameter {unknown[0]!r}: this takes repo.")
    return served.index(given.get("repo", ""))


_ROUTES: tuple[tuple[str, str, Callable[[RepositoryServer, Given], dict[str, Any]]], ...] = (
    ("GET", "/api/search/code", _search),
    ("GET", "/api/code-files/list", _files),
    ("POST", "/api/code-files/sync", _sync),
)


def api_routes(served: RepositoryServer) -> list[Route]:
    """Return the routes beside MCP's."""
    return [
        Route(HEALTH_PATH, _health),
        *(
            Route(path, partial(_respond, served, answer), methods=[verb])
            for verb, path, answer in _ROUTES
        ),
    ]


async def _health(_: Request) -> Response:
    return JSONResponse({"status": "ok", "version": __version__})


async def _respond(
    served: RepositoryServer,
    answer: Callable[[RepositoryServer, Given], dict[str, Any]],
    request: Request,
) -> Response:
    given = dict(request.query_params)
    try:
        async for _ in wait_until_searchable(served, given.get("repo", "")):
            pass
        with served.naming_causes():
            found = await anyio.to_thread.run_sync(lambda: answer(served, given))
        return JSONResponse(escape_data(found))
    except CodeIndexError as error:
        return error_response(_status_of(error), shorten_error(str(error)))


def _status_of(error: CodeIndexError) -> int:
    if getattr(error, "code", "") == _FORBIDDEN:
        return 403
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


async def not_found(_: Request, error: HTTPException) -> Response:
    """Answer for a path or method that there is not."""
    paths = ", ".join(("/mcp", HEALTH_PATH, *(f"{verb} {path}" for verb, path, _ in _ROUTES)))
    return error_response(error.status_code, f"{error.detail}: here are {paths}.")
