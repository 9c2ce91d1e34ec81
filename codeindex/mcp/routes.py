"""Answer scripts over HTTP in plain JSON: search, list of files, sync."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from codeindex import __version__
from codeindex.errors import CodeIndexError, QueryError
from codeindex.mcp.auth_middleware import HEALTH_PATH, error_response
from codeindex.mcp.batch_code import MAX_REQUESTS
from codeindex.mcp.json_response import codeindex_error_response, json_response
from codeindex.mcp.multi_call import answer_each, refuse_too_many
from codeindex.mcp.readiness import needs_edges, wait_until_searchable
from codeindex.mcp.reply import DataReply
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.session import AgentSession
from codeindex.mcp.tools import TOOLS, run_tool
from codeindex.mcp.web_routes import web_routes

if TYPE_CHECKING:
    from starlette.exceptions import HTTPException
    from starlette.requests import Request

    from codeindex.api.index import Index

QueryParameters = Mapping[str, str]
"""The parameters of an address, without `query`, which may be given several times."""
JsonObject = Mapping[str, Any]


def _search(server: RepositoryServer, given: QueryParameters, queries: Sequence[str]) -> JsonObject:
    """Answer one query; for several, return `answers` and `failed`, both by query."""
    tool = TOOLS["code_search"]
    refuse_too_many(queries, "queries", most=MAX_REQUESTS)

    def reply(query: str | None) -> DataReply:
        named = given if query is None else {**given, "query": query}
        return DataReply(run_tool(server, AgentSession(), tool, named).data or {})

    return answer_each(queries, reply).data() if queries else reply(None).data()


def _files(server: RepositoryServer, given: QueryParameters, queries: Sequence[str]) -> JsonObject:
    index = _index_of_repo(server, given, queries)
    return {"repo": index.repository.name, "files": list(index.files())}


def _sync(server: RepositoryServer, given: QueryParameters, queries: Sequence[str]) -> JsonObject:
    report = server.background.sync_now(_index_of_repo(server, given, queries))
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


def _index_of_repo(
    server: RepositoryServer, given: QueryParameters, queries: Sequence[str]
) -> Index:
    """Return the index that the URL parameter `repo` names.

    Raise QueryError if there are other parameters.
    """
    if unknown := sorted({*given, *(["query"] if queries else ())} - {"repo"}):
        raise QueryError(f"There is no parameter {unknown[0]!r}: this takes repo.")
    return server.index(given.get("repo", ""))


_ROUTES: tuple[
    tuple[str, str, Callable[[RepositoryServer, QueryParameters, Sequence[str]], JsonObject]], ...
] = (
    ("GET", "/api/search/code", _search),
    ("GET", "/api/code-files/list", _files),
    ("POST", "/api/code-files/sync", _sync),
)


def api_routes(server: RepositoryServer) -> list[Route]:
    """Return the HTTP routes of the JSON API, the search page and the health check."""
    return [
        Route(HEALTH_PATH, _health),
        *web_routes(server),
        *(
            Route(path, partial(_respond, server, answer), methods=[verb])
            for verb, path, answer in _ROUTES
        ),
    ]


async def _health(_: Request) -> Response:
    return JSONResponse({"status": "ok", "version": __version__})


async def _respond(
    server: RepositoryServer,
    answer: Callable[[RepositoryServer, QueryParameters, Sequence[str]], JsonObject],
    request: Request,
) -> Response:
    """Wait, for a limited time, until the index is complete; then respond with the answer."""
    given = dict(request.query_params)
    queries = request.query_params.getlist("query")
    given.pop("query", None)
    try:
        edges = answer is _search and needs_edges("code_search", queries)
        async for _ in wait_until_searchable(
            server, given.get("repo", ""), edges=edges, question=" ".join(queries)
        ):
            pass
    except CodeIndexError as error:
        return codeindex_error_response(error)
    return await json_response(server, partial(answer, server, given, queries))


async def not_found(_: Request, error: HTTPException) -> Response:
    """Return the error response for an unknown path or method."""
    paths = ", ".join(("/", "/mcp", HEALTH_PATH, *(f"{verb} {path}" for verb, path, _ in _ROUTES)))
    return error_response(error.status_code, f"{error.detail}: here are {paths}.")
