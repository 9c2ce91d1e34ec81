"""Waiting for a first index: not for all of it, and not for ever."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

import anyio
import anyio.to_thread

from codeindex.mcp.served import Served
from codeindex.watch.state import Work

PATIENCE_SECONDS = 20.0
_LOOK_SECONDS = 0.25
"""How long a first question waits for something to be searchable, and how often it looks."""


async def building(served: Served, repo: str = "") -> AsyncIterator[Work]:
    """Yield how far an index is until something of it can be searched; ScopeError as `index`."""
    index = await anyio.to_thread.run_sync(served.index, repo)
    started = time.monotonic()
    while time.monotonic() - started < PATIENCE_SECONDS:
        work = served.background.working(index)
        if work is None or await anyio.to_thread.run_sync(lambda: index.is_indexed):
            return
        yield work
        await anyio.sleep(_LOOK_SECONDS)
