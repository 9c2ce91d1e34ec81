"""Answer the tool `open_file` with lines of a file, whose path is relative to its repository."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath
from typing import TypedDict

from codeindex.errors import QueryError, ScopeError
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import OpenFileRequest
from codeindex.mcp.session import AgentSession, note_read


class OpenedDict(TypedDict):
    """Lines of a file; `end_line` is the last line in `content`."""

    repo: str
    path: str
    start_line: int
    end_line: int
    total_lines: int
    content: str
    truncated: bool


def open_file(
    server: RepositoryServer, session: AgentSession, request: OpenFileRequest
) -> OpenedDict:
    if not request.repo.strip():
        raise ScopeError("`repo` is empty: name the repository that the file is in.")
    refuse_outside(request.path)
    index = server.index(request.repo)
    source = index.source.read(
        request.path, start_line=request.start_line, end_line=request.end_line
    )
    section = source.sections[0]
    name = index.repository.name
    note_read(session, name, source.file)
    session.note_shown(name, source.file, section.lines)
    return {
        "repo": index.repository.name,
        "path": source.file,
        "start_line": section.start_line,
        "end_line": section.lines[-1][0] if section.lines else section.end_line,
        "total_lines": source.total_lines,
        "content": "\n".join(text for _, text in section.lines),
        "truncated": section.truncated,
    }


def refuse_outside(path: str) -> None:
    """Raise QueryError for a path that is absolute or has `..`, on POSIX or on Windows."""
    variants = PurePosixPath(path), PureWindowsPath(path)
    if any(variant.is_absolute() or variant.drive or variant.root for variant in variants):
        raise QueryError(f"{path!r} is absolute: name the file relative to its repository.")
    if any(".." in variant.parts for variant in variants):
        raise QueryError(f"{path!r} leads out of its folder: '..' is not allowed.")
    if "\0" in path or not path.strip():
        raise QueryError(f"{path!r} is not a path: name a file of the repository.")
