"""Let the first queries wait, for a limited time, until the first index can answer them."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterable
from functools import partial

import anyio
import anyio.to_thread

from codeindex.api.index import Index
from codeindex.mcp.repository_server import RepositoryServer
from codeindex.query.classify import follows_edges
from codeindex.watch.background_sync import BackgroundSync
from codeindex.watch.state import (
    PhaseProgress,
    SyncForecast,
    are_words_complete,
    is_structure_complete,
)

PATIENCE_SECONDS = 20.0
"""Longest wait, counted from the first question; clients give up after 60 s."""
_LIKELY_SECONDS = 10.0
"""Longest wait of a later question until the files likeliest to answer it are stored."""
_POLL_SECONDS = 0.25
_SEARCH_TOOLS = frozenset({"search_code", "code_search"})
_SOURCE_TOOLS = frozenset({"read_code", "read_source", "read", "open_file", "get_tree"})
"""Tools that read files and their symbols alone."""


def needs_edges(tool: str, queries: Iterable[str]) -> bool:
    """Tell whether a tool's answer needs edges, and so has to wait for the first sync."""
    if tool in _SOURCE_TOOLS:
        return False
    return tool not in _SEARCH_TOOLS or any(map(follows_edges, queries))


async def wait_until_searchable(
    server: RepositoryServer, repo: str = "", *, edges: bool = True, question: str = ""
) -> AsyncIterator[PhaseProgress]:
    """Yield the progress of the first sync of an index until a question can be answered from it.

    The index is that of `repo`, or the first one by default. A search, which has a `question` and
    needs no `edges`, waits for all indexes without `repo`. An index can answer when all its files
    are stored or, without `edges`, when the words of all files are. The iteration also ends if no
    sync runs, or `PATIENCE_SECONDS` after the first question to an index.

    If all files will not be stored by then, the files that are likeliest to answer `question` are
    stored first. Without `edges`, the iteration ends when these can be searched. A question after
    `PATIENCE_SECONDS` waits only for these files. Raise ScopeError if `repo` is not served.
    """
    indexes = await anyio.to_thread.run_sync(server.indexes_of, repo)
    targets = indexes if repo or (question and not edges) else indexes[:1]
    patiences = [server.first_query_time(index) + PATIENCE_SECONDS for index in targets]
    likely_until = time.monotonic() + _LIKELY_SECONDS if question else 0.0
    for index, patience in zip(targets, patiences, strict=True):
        async for work in _wait_for_index(
            server.background, index, (patience, likely_until), edges=edges, question=question
        ):
            yield work


async def _wait_for_index(
    background: BackgroundSync,
    index: Index,
    until: tuple[float, float],
    *,
    edges: bool,
    question: str,
) -> AsyncIterator[PhaseProgress]:
    """Yield the progress of one index, as `wait_until_searchable` does.

    `until` has the times, as of `time.monotonic()`, until which to wait for all files, and for the
    files that are likeliest to answer.
    """
    patience, _ = until
    forecast = SyncForecast()
    is_preferred = False
    while (now := time.monotonic()) < max(until):
        work = background.current_work(index)
        if work is None or await anyio.to_thread.run_sync(_is_ready, index, edges):
            return
        is_late = now > patience
        if question and not is_preferred and (is_late or forecast.end(work, now) > patience):
            prefer = partial(background.prefer, index, question)
            is_preferred = await anyio.to_thread.run_sync(prefer)
        is_answerable = background.is_answerable(index, question)
        if (is_late and not is_preferred) or (is_answerable and (is_late or not edges)):
            return
        yield work
        await anyio.sleep(_POLL_SECONDS)


def _is_ready(index: Index, edges: bool) -> bool:
    return is_structure_complete(index) if edges else are_words_complete(index)
