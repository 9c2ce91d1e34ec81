"""Answer the tool `status` with the served repositories and how far each is indexed."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, TypedDict

from codeindex.api.index import Index
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import ServedStatusRequest
from codeindex.mcp.session import AgentSession
from codeindex.types import Readiness
from codeindex.watch.state import PhaseProgress


class IndexStatusDict(TypedDict, total=False):
    """The status of an index; if it is not `indexed`, it has only the first four fields.

    `doing` is the progress of a running sync, None if none runs.
    """

    repo: str
    root: str
    doing: str | None
    indexed: bool
    version: int
    branch: str
    files: int
    chunks: int
    symbols: int
    readiness: Annotated[dict[str, Any], Readiness]
    model: str | None
    languages: dict[str, int]


class StatusDict(TypedDict):
    """The status of each repository."""

    repos: list[IndexStatusDict]


def status(server: RepositoryServer, _: AgentSession, request: ServedStatusRequest) -> StatusDict:
    repo = request.repo
    indexes = [server.index(repo)] if repo or server.needs_roots else server.indexes()
    return {
        "repos": [describe_index(index, server.background.current_work(index)) for index in indexes]
    }


def describe_index(index: Index, work: PhaseProgress | None) -> IndexStatusDict:
    """Return the status of an index; `work` is the progress of its running sync, or None."""
    description: IndexStatusDict = {
        "repo": index.repository.name,
        "root": str(index.root),
        "doing": str(work) if work else None,
        "indexed": index.is_indexed,
    }
    if not description["indexed"]:
        return description
    report = index.status()
    return {
        **description,
        "version": report.version,
        "branch": report.branch,
        "files": report.files,
        "chunks": report.chunks,
        "symbols": report.symbols,
        "readiness": asdict(report.readiness),
        "model": report.model or None,
        "languages": dict(report.languages),
    }
