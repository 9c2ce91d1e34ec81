"""Telling clients that an index has changed, in both generations of the protocol."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as wire
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourceUpdated,
    ToolsListChanged,
)
from mcp.shared.exceptions import MCPError

from codeindex.mcp.repository_server import RepositoryServer
from codeindex.mcp.session import session_key

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.session import ServerSession

logger = logging.getLogger(__name__)

SUBSCRIBABLE = ("codeindex://status", "codeindex://relevant")
"""The resources that are made from an index as it is now."""
_MOST = 2_000
"""Subscriptions that are kept: both resources of as many sessions as there may be. Those of
sessions that have ended are not told apart, and go with age."""
_PATIENCE_SECONDS = 5.0
"""How long a client that has stopped reading is waited for."""


class Subscriptions:
    """Who wants to be told; its methods run on the server's event loop."""

    def __init__(self, served: RepositoryServer) -> None:
        self._served = served
        self._bus = InMemorySubscriptionBus()
        self._known: OrderedDict[tuple[str | None, str], ServerSession] = OrderedDict()
        self.listen = ListenHandler(self._bus, max_subscriptions=_MOST)
        """Serves `subscriptions/listen`, which came with 2026-07-28."""

    async def subscribe(
        self, context: ServerRequestContext[Any, Any], params: wire.SubscribeRequestParams
    ) -> wire.EmptyResult:
        """Remember a client of the older protocol; MCPError for what never changes by itself."""
        uri = str(params.uri)
        if uri not in SUBSCRIBABLE:
            sentence = f"{uri!r} is not told of: subscribe to {' or '.join(SUBSCRIBABLE)}."
            raise MCPError(wire.INVALID_PARAMS, sentence)
        self._known[session_key(context), uri] = context.session
        while len(self._known) > _MOST:
            self._known.popitem(last=False)
        return wire.EmptyResult()

    async def unsubscribe(
        self, context: ServerRequestContext[Any, Any], params: wire.UnsubscribeRequestParams
    ) -> wire.EmptyResult:
        self._known.pop((session_key(context), str(params.uri)), None)
        return wire.EmptyResult()

    async def tell_of_tools(self, session: ServerSession) -> None:
        """Tell that there are other tools to list, and the client that has made it so."""
        await self._bus.publish(ToolsListChanged())
        with anyio.move_on_after(_PATIENCE_SECONDS):
            await session.send_tool_list_changed()

    @asynccontextmanager
    async def telling(self) -> AsyncIterator[None]:
        """Tell of changes while the block runs.

        Indexes change in other threads, which only set an event of this loop: many changes at once
        become one message.
        """
        loop, changed = asyncio.get_running_loop(), asyncio.Event()
        async with anyio.create_task_group() as tasks:
            with self._served.background.listening(lambda: loop.call_soon_threadsafe(changed.set)):
                tasks.start_soon(self._tell_whenever, changed)
                yield
            tasks.cancel_scope.cancel()

    async def _tell_whenever(self, changed: asyncio.Event) -> None:
        while await changed.wait():
            changed.clear()
            async with anyio.create_task_group() as tasks:
                for (_, uri), session in self._known.items():
                    tasks.start_soon(_tell, session, uri)
                for uri in SUBSCRIBABLE:
                    await self._bus.publish(ResourceUpdated(uri=uri))


async def _tell(session: ServerSession, uri: str) -> None:
    """Tell one client, which may have stopped reading, or be gone."""
    with anyio.move_on_after(_PATIENCE_SECONDS) as limit:
        await session.send_resource_updated(uri)
    if limit.cancelled_caught:
        logger.info("A client does not take what it subscribed to: %s", uri)
