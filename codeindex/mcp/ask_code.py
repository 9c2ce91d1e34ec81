"""Answer the tool `ask_code` in sentences that cite file and lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from codeindex.api.index import Index
from codeindex.api.requests.answers import AskWriterRequest
from codeindex.ask.extract import Extract, ExtractDict
from codeindex.ask.merge_repositories import merge_extracts
from codeindex.errors import CodeIndexError, QueryError
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

    return ask_each(indexes, ask).as_dict()


def ask_each(indexes: Sequence[Index], ask: Callable[[Index], Extract]) -> Extract:
    """Ask several repositories and merge their answers; notes name those that cannot answer.

    Raise the error of the first one if none can.
    """
    extracts, failed = list[Extract](), dict[str, CodeIndexError]()
    for index in indexes:
        try:
            extracts.append(ask(index))
        except QueryError:
            raise
        except CodeIndexError as error:
            failed[index.repository.name] = error
    if not extracts:
        raise next(iter(failed.values()))
    merged = merge_extracts(extracts)
    notes = (f"not searched: {name}: {error}" for name, error in failed.items())
    return replace(merged, notes=(*merged.notes, *notes))


def _indexes(server: RepositoryServer, request: AskCodeRequest) -> list[Index]:
    """Return the indexes for the request's `scope` or `repo`, or the first one without both."""
    if request.scope is None and not request.repo:
        return [server.index()]
    return server.scope_indexes(request.scope, request.repo)
