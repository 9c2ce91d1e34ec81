"""Answer the tool `ask_code` in sentences that cite file and lines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from codeindex.ask.merge_repositories import merge_extracts
from codeindex.errors import ScopeError
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import AskCodeRequest, RepositoryScope
from codeindex.mcp.sampling import current_sampling_client
from codeindex.mcp.session import AgentSession

if TYPE_CHECKING:
    from codeindex.api.index import Index
    from codeindex.ask.extract import Extract, ExtractDict

_NO_MODEL = "This client offers no model to write with: the answer is put together without one."


def ask_code(
    server: RepositoryServer, session: AgentSession, request: AskCodeRequest
) -> ExtractDict:
    names = [request.repo] if request.scope is None else _names(request.scope)
    session.note_query(request.query)

    def ask(index: Index) -> Extract:
        writer = current_sampling_client() if request.sample else None
        extract = index.answers.ask_writer(
            request.query,
            writer,
            model=writer.name if writer else "",
            limit=request.limit,
            path=request.path,
            min_score=request.min_score,
            agentic=request.agentic,
        )
        if writer and extract.meta["llmModel"]:
            extract = replace(extract, meta=extract.meta | {"llmModel": writer.name})
        if request.sample and writer is None:
            return replace(extract, notes=(_NO_MODEL,))
        return extract

    return merge_extracts([ask(server.index(name)) for name in names]).as_dict()


def _names(scope: RepositoryScope) -> list[str]:
    match scope:
        case {"type": "repo", "repo": str(name)}:
            return [name]
        case {"type": "repos", "repos": [_, *_] as names} if all(
            isinstance(name, str) for name in names
        ):
            return list(dict.fromkeys(names))
        case _:
            pass
    raise ScopeError(
        'An answer is about repositories that are named: give {"type": "repo", "repo": NAME} or'
        ' {"type": "repos", "repos": [NAMES]} as `scope`, or ask search_code, which searches all.'
    )
