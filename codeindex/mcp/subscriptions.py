"""Notify clients when an index changes, by the old and the new subscription protocol."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types
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
"""URIs of the resources whose content changes with the index."""
_MAX_SUBSCRIPTIONS = 2 * 1_000
"""Two resources for each of `http.MAX_SESSIONS` sessions. Beyond the limit the oldest subscriptions
are dropped, since the SDK does not report which sessions have ended."""
_SEND_SECONDS = 5.0
"""Timeout for sending a notification: a client may have stopped reading."""


class Subscriptions:
    """The subscriptions of all clients. Call the methods on the server's event loop."""

    def __init__(self, server: RepositoryServer) -> None:
        self._server = server
        self._bus = InMemorySubscriptionBus()
        self._sessions: OrderedDict[tuple[str | None, str], ServerSession] = OrderedDict()
        self.listen = ListenHandler(self._bus, max_subscriptions=_MAX_SUBSCRIPTIONS)
        """Handles `subscriptions/listen` of protocol version 2026-07-28."""

    async def subscribe(
        self, context: ServerRequestContext[Any, Any], params: mcp_types.SubscribeRequestParams
    ) -> mcp_types.EmptyResult:
        """Handle `resources/subscribe`; raise MCPError if the URI is not in SUBSCRIBABLE."""
        uri = str(params.uri)
        if uri not in SUBSCRIBABLE:
            message = f"{uri!r} cannot be subscribed to: use {' or '.join(SUBSCRIBABLE)}."
            raise MCPError(mcp_types.INVALID_PARAMS, message)
        self._sessions[session_key(context), uri] = context.session
        while len(self._sessions) > _MAX_SUBSCRIPTIONS:
            self._sessions.popitem(last=False)
        return mcp_types.EmptyResult()

    async def unsubscribe(
        self, context: ServerRequestContext[Any, Any], params: mcp_types.UnsubscribeRequestParams
    ) -> mcp_types.EmptyResult:
        self._sessions.pop((session_key(context), str(params.uri)), None)
        return mcp_types.EmptyResult()

    async def notify_tools_changed(self, session: ServerSession) -> None:
        """Notify all listeners and the client of `session` that the list of tools changed."""
        await self._bus.publish(ToolsListChanged())
        with anyio.move_on_after(_SEND_SECONDS):
            await session.send_tool_list_changed()

    @asynccontextmanager
    async def notify_changes(self) -> AsyncIterator[None]:
        """Notify clients of index changes as long as the `async with` block runs.

        Syncs run in other threads and only set an event of this loop, so that several changes at
        once become one notification.
        """
        loop, changed = asyncio.get_running_loop(), asyncio.Event()
        async with anyio.create_task_group() as tasks:
            with self._server.background.listening(lambda: loop.call_soon_threadsafe(changed.set)):
                tasks.start_soon(self._notify_on, changed)
                yield
            tasks.cancel_scope.cancel()

    async def _notify_on(self, changed: asyncio.Event) -> None:
        while await changed.wait():
            changed.clear()
            async with anyio.create_task_group() as tasks:
                for (_, uri), session in self._sessions.items():
                    tasks.start_soon(_notify, session, uri)
                for uri in SUBSCRIBABLE:
                    await self._bus.publish(ResourceUpdated(uri=uri))


async def _notify(session: ServerSession, uri: str) -> None:
    """Tell a client that a resource changed; give up after `_SEND_SECONDS`.

    The client may have stopped reading.
    """
    with anyio.move_on_after(_SEND_SECONDS) as limit:
        await session.send_resource_updated(uri)
    if limit.cancelled_caught:
        logger.info("A client does not take what it subscribed to: %s", uri)
