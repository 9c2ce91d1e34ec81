"""Waiting for a first index, which the first questions do for a while."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

import anyio
import anyio.to_thread

from codeindex.mcp.repository_server import RepositoryServer
from codeindex.watch.state import PhaseProgress, is_structure_complete

PATIENCE_SECONDS = 20.0
"""How long after the first question answers wait for a whole index; clients give up after 60."""
_LOOK_SECONDS = 0.25


async def wait_until_searchable(
    served: RepositoryServer, repo: str = ""
) -> AsyncIterator[PhaseProgress]:
    """Yield how far an index is until all of it can be searched; ScopeError as `Served.index`.

    Nothing is waited for once `PATIENCE_SECONDS` have passed since the first question about it.
    """
    index = await anyio.to_thread.run_sync(served.index, repo)
    until = served.first_asked(index) + PATIENCE_SECONDS
    while time.monotonic() < until:
        work = served.background.current_work(index)
        if work is None or await anyio.to_thread.run_sync(is_structure_complete, index):
            return
        yield work
        await anyio.sleep(_LOOK_SECONDS)
