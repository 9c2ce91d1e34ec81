"""Create the HTTP responses of the JSON routes, also for errors."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

import anyio.to_thread
from starlette.responses import JSONResponse, Response

from codeindex.errors import (
    CodeIndexError,
    ForbiddenError,
    LockedError,
    NotIndexedError,
    QueryError,
    RootError,
    ScopeError,
    unexpected_error,
)
from codeindex.mcp.auth_middleware import error_response
from codeindex.mcp.output_limits import shorten_error
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.text.sanitize import escape_data

logger = logging.getLogger(__name__)

_ERROR_STATUS: tuple[tuple[type[CodeIndexError], int], ...] = (
    (ForbiddenError, 403),  # before ScopeError, its base
    (QueryError, 400),
    (ScopeError, 404),
    (RootError, 404),
    (NotIndexedError, 404),
    (LockedError, 409),
)
"""The HTTP status by type of error; other errors have status 500."""


async def json_response(
    server: RepositoryServer,
    answer: Callable[[], Mapping[str, Any]],
    headers: dict[str, str] | None = None,
) -> Response:
    """Run `answer` in a thread; return a response with its JSON, or with its error's text."""

    def run() -> Mapping[str, Any]:
        with server.explain_missing_index():
            return answer()

    try:
        return JSONResponse(escape_data(await anyio.to_thread.run_sync(run)), headers=headers)
    except CodeIndexError as error:
        return codeindex_error_response(error, headers)
    except Exception as error:
        logger.exception("a request failed")
        return codeindex_error_response(unexpected_error(error, "a request"), headers)


def codeindex_error_response(
    error: CodeIndexError, headers: dict[str, str] | None = None
) -> Response:
    """Return a response with the status for a CodeIndexError, and its shortened message."""
    return error_response(_status_of(error), shorten_error(str(error)), headers)


def _status_of(error: CodeIndexError) -> int:
    return next((status for kind, status in _ERROR_STATUS if isinstance(error, kind)), 500)
