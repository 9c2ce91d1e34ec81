"""The tool `open_file`: lines of one file of one repository, and nothing outside of it."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath
from typing import TypedDict

from codeindex.errors import QueryError, ScopeError
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import OpenFileRequest
from codeindex.mcp.session import AgentSession, note_read


class OpenedDict(TypedDict):
    """Lines of a file; `end_line` is the last that is here."""

    repo: str
    path: str
    start_line: int
    end_line: int
    total_lines: int
    content: str
    truncated: bool


def open_file(
    served: RepositoryServer, session: AgentSession, request: OpenFileRequest
) -> OpenedDict:
    if not request.repo.strip():
        raise ScopeError("`repo` is empty: name the repository that the file is in.")
    refuse_outside(request.path)
    index = served.index(request.repo)
    found = index.source.read(
        request.path, start_line=request.start_line, end_line=request.end_line
    )
    section = found.sections[0]
    name = index.repository.name
    note_read(session, name, found.file)
    session.note_shown(name, found.file, section.lines)
    return {
        "repo": index.repository.name,
        "path": found.file,
        "start_line": section.start_line,
        "end_line": section.lines[-1][0] if section.lines else section.end_line,
        "total_lines": found.total_lines,
        "content": "\n".join(text for _, text in section.lines),
        "truncated": section.truncated,
    }


def refuse_outside(path: str) -> None:
    """Raise QueryError for a path that could lead out of a repository, on any system."""
    both = PurePosixPath(path), PureWindowsPath(path)
    if any(one.is_absolute() or one.drive or one.root for one in both):
        raise QueryError(f"{path!r} is absolute: name the file relative to its repository.")
    if any(".." in one.parts for one in both):
        raise QueryError(f"{path!r} leads out of its folder: '..' is not allowed.")
    if "\0" in path or not path.strip():
        raise QueryError(f"{path!r} is no path: name a file of the repository.")
