"""Have the first questions wait until the first index is made, for a limited time."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

import anyio
import anyio.to_thread

from codeindex.mcp.repository_server import RepositoryServer
from codeindex.watch.state import PhaseProgress, is_structure_complete

PATIENCE_SECONDS = 20.0
"""Longest wait, counted from the first question; clients give up after 60 s."""
_POLL_SECONDS = 0.25


async def wait_until_searchable(
    server: RepositoryServer, repo: str = ""
) -> AsyncIterator[PhaseProgress]:
    """Yield the progress of the first sync until all files of an index can be searched.

    That is the index of `repo`, or by default the first one. The iteration also ends if no sync
    runs, or `PATIENCE_SECONDS` after the first question about an index. Raises ScopeError if
    `repo` is not served.
    """
    indexes = await anyio.to_thread.run_sync(server.indexes_of, repo)
    for index in indexes if repo else indexes[:1]:
        deadline = server.first_query_time(index) + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            work = server.background.current_work(index)
            if work is None or await anyio.to_thread.run_sync(is_structure_complete, index):
                break
            yield work
            await anyio.sleep(_POLL_SECONDS)
