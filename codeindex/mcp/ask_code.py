"""The tool `ask_code`: an answer in sentences, each with its place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

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
    served: RepositoryServer, session: AgentSession, request: AskCodeRequest
) -> ExtractDict:
    from codeindex.ask.merge_repositories import merge_extracts

    names = [request.repo] if request.scope is None else _names(request.scope)
    session.note_query(request.query)

    def asked(index: Index) -> Extract:
        writer = current_sampling_client() if request.sample else None
        found = index.answers.ask_writer(
            request.query,
            writer,
            model=writer.name if writer else "",
            limit=request.limit,
            path=request.path,
            min_score=request.min_score,
            agentic=request.agentic,
        )
        if writer and found.meta["llmModel"]:
            found = replace(found, meta=found.meta | {"llmModel": writer.name})
        return replace(found, notes=(_NO_MODEL,)) if request.sample and writer is None else found

    return merge_extracts([asked(served.index(name)) for name in names]).as_dict()


def _names(scope: RepositoryScope) -> list[str]:
    match scope:
        case {"type": "repo", "repo": str(name)}:
            return [name]
        case {"type": "repos", "repos": [_, *_] as names} if all(
            isinstance(one, str) for one in names
        ):
            return list(dict.fromkeys(names))
        case _:
            pass
    raise ScopeError(
        'An answer is about repositories that are named: give {"type": "repo", "repo": NAME} or'
        ' {"type": "repos", "repos": [NAMES]} as `scope`, or ask search_code, which searches all.'
    )
