"""The tool `status`: what is served, and how far it is indexed."""

from __future__ import annotations

from typing import TypedDict

from codeindex.mcp.index_facts import IndexStatusDict, describe_index
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import ServedStatusRequest
from codeindex.mcp.session import AgentSession


class StatusDict(TypedDict):
    """What is known of each repository."""

    repos: list[IndexStatusDict]


def status(served: RepositoryServer, _: AgentSession, request: ServedStatusRequest) -> StatusDict:
    repo = request.repo
    indexes = [served.index(repo)] if repo or served.needs_roots else served.indexes()
    return {"repos": [describe_index(one, served.background.current_work(one)) for one in indexes]}
