"""Answer the tool `ask_code` in sentences that cite file and lines."""

from __future__ import annotations

from dataclasses import replace

from codeindex.api.index import Index
from codeindex.api.requests.answers import AskWriterRequest
from codeindex.ask.extract import Extract, ExtractDict
from codeindex.ask.merge_repositories import merge_extracts
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.requests import AskCodeRequest
from codeindex.mcp.sampling import current_sampling_client
from codeindex.mcp.session import AgentSession

_NO_MODEL = "This client offers no model to write with: the answer is put together without one."


def ask_code(
    server: RepositoryServer, session: AgentSession, request: AskCodeRequest
) -> ExtractDict:
    indexes = _indexes(server, request)
    session.note_query(request.query)

    def ask(index: Index) -> Extract:
        writer = current_sampling_client() if request.sample else None
        paths = server.scoped_paths(index.repository.name, (request.path,), request.member)
        model = writer.name if writer else ""
        wanted = AskWriterRequest.from_other(
            request, writer=writer, model=model, path="".join(paths)
        )
        extract: Extract = index.run(wanted)
        if writer and extract.meta["llmModel"]:
            extract = replace(extract, meta=extract.meta | {"llmModel": writer.name})
        if request.sample and writer is None:
            return replace(extract, notes=(_NO_MODEL,))
        return extract

    return merge_extracts([ask(index) for index in indexes]).as_dict()


def _indexes(server: RepositoryServer, request: AskCodeRequest) -> list[Index]:
    """Return the indexes for the request's `scope` or `repo`, or the first one without both."""
    if request.scope is None and not request.repo:
        return [server.index()]
    return server.scope_indexes(request.scope, request.repo)
