"""Let the first queries wait, for a limited time, until the first index can answer them."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterable

import anyio
import anyio.to_thread

from codeindex.mcp.repository_server import RepositoryServer
from codeindex.query.classify import follows_edges
from codeindex.watch.state import PhaseProgress, are_words_complete, is_structure_complete

PATIENCE_SECONDS = 20.0
"""Longest wait, counted from the first question; clients give up after 60 s."""
_POLL_SECONDS = 0.25
_SEARCH_TOOLS = frozenset({"search_code", "code_search"})
_SOURCE_TOOLS = frozenset({"read_code", "read_source", "read", "open_file", "get_tree"})
"""Tools that read files and their symbols alone."""


def needs_edges(tool: str, queries: Iterable[str]) -> bool:
    """Tell whether the answer of a tool depends on edges.

    If it does, the answer has to wait until the first sync has ended.
    """
    if tool in _SOURCE_TOOLS:
        return False
    return tool not in _SEARCH_TOOLS or any(map(follows_edges, queries))


async def wait_until_searchable(
    server: RepositoryServer, repo: str = "", *, edges: bool = True
) -> AsyncIterator[PhaseProgress]:
    """Yield the progress of the first sync until all files of an index can be searched.

    The index is that of `repo`, or by default the first one. Without `edges`, it suffices that the
    words of all files are stored. The iteration also ends if no sync runs, or `PATIENCE_SECONDS`
    after the first query about an index. Raises ScopeError if `repo` is not served.
    """
    is_ready = is_structure_complete if edges else are_words_complete
    indexes = await anyio.to_thread.run_sync(server.indexes_of, repo)
    for index in indexes if repo else indexes[:1]:
        deadline = server.first_query_time(index) + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            work = server.background.current_work(index)
            if work is None or await anyio.to_thread.run_sync(is_ready, index):
                break
            yield work
            await anyio.sleep(_POLL_SECONDS)
