"""Answer the tool `code_search`, whose results keep the form of an older version."""

from __future__ import annotations

from typing import TypedDict

from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import CodeSearchRequest
from codeindex.mcp.search_code import make_filters, note_hits, refuse_unknown_paths
from codeindex.mcp.session import AgentSession
from codeindex.types import Hit


class PlacedSnippetDict(TypedDict):
    """A result with its place, in the form of an older version of the tool; lines count from 1."""

    file_path: str
    line_start: int
    line_end: int
    snippet: str
    score: float


class SnippetDict(PlacedSnippetDict, total=False):
    """A result; `repo` is set only if several repositories were searched."""

    repo: str


class ResultsDict(TypedDict):
    """The results of an answer in the form of an older version of the tool, best first."""

    results: list[SnippetDict]


class SnippetsDict(ResultsDict, total=False):
    """An answer; `failed` maps repositories that were not searched to the error message.

    `commits` has the searched commit of each repository of a cluster.
    """

    failed: dict[str, str]
    commits: dict[str, str]


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
    several = len(answer.searched_repos) > 1
    found: SnippetsDict = {"results": [_snippet(hit, several=several) for hit in answer.hits]}
    if failed := answer.meta.get("failed"):
        found["failed"] = dict(failed)
    if commits := answer.meta.get("commits"):
        found["commits"] = dict(commits)
    return found


def _snippet(hit: Hit, *, several: bool) -> SnippetDict:
    snippet: SnippetDict = {
        "file_path": hit.path,
        "line_start": hit.start_line,
        "line_end": hit.end_line,
        "snippet": hit.text,
        "score": round(hit.score, 4),
    }
    if several:
        snippet["repo"] = hit.repo
    return snippet
