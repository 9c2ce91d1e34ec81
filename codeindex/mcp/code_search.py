"""Answer the tool `code_search`, whose results have the form of an older contract."""

from __future__ import annotations

from typing import TypedDict

from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import CodeSearchRequest
from codeindex.mcp.search_code import make_filters, note_hits, refuse_unknown_paths
from codeindex.mcp.session import AgentSession


class SnippetDict(TypedDict):
    """A result in the form of the older contract."""

    file_path: str
    line_start: int
    line_end: int
    snippet: str
    score: float


class SnippetsDict(TypedDict):
    """An answer in the form of the older contract."""

    results: list[SnippetDict]


def code_search(
    server: RepositoryServer, session: AgentSession, request: CodeSearchRequest
) -> SnippetsDict:
    query, path = request.query, request.path
    filters = make_filters(server, (path,), request.language)
    answer = server.search(query, sync=request.sync, filters=filters, limit=request.limit)
    if not answer.hits:
        refuse_unknown_paths(server, (path,), answer.searched_repos)
    session.note_query(query)
    note_hits(session, answer)
    return {
        "results": [
            {
                "file_path": hit.path,
                "line_start": hit.start_line,
                "line_end": hit.end_line,
                "snippet": hit.text,
                "score": round(hit.score, 4),
            }
            for hit in answer.hits
        ]
    }
