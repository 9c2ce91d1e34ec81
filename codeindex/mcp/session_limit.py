"""Close the MCP session that was idle longest when a client opens one session too many."""

from __future__ import annotations

import logging
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger(__name__)

MCP_PATH = "/mcp"
_SESSION_ID = "mcp-session-id"
_FIRST_ERROR, _NOT_FOUND = 400, 404


class SessionLimit:
    """An ASGI application that keeps the number of sessions of the `app` below it at most `most`.

    Without it, a client that opens sessions and closes none would keep all others out. When a
    further session is opened, one of the address with the most sessions is closed: the one without
    a request for the longest time. Its client is told to open another one. If all have an open
    request, such as a stream, none is closed, and the `app` refuses the new one.
    """

    def __init__(self, app: ASGIApp, *, most: int) -> None:
        self._app = app
        self._most = most
        self._addresses: OrderedDict[str, str] = OrderedDict()
        """{session: address of its client}, the session that was used last at the end."""
        self._requests: Counter[str] = Counter()
        """{session: its requests that are being answered}."""
        self._opening = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != MCP_PATH:
            await self._app(scope, receive, send)
        elif session := Headers(scope=scope).get(_SESSION_ID):
            await self._use(session, scope, receive, send)
        else:
            await self._open(scope, receive, send)

    async def _use(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request of a session; forget the session if it has ended."""
        if session not in self._addresses:
            await self._app(scope, receive, send)
            return

        async def look(message: Message) -> None:
            if message["type"] == "http.response.start":
                is_closed = scope["method"] == "DELETE" and message["status"] < _FIRST_ERROR
                if is_closed or message["status"] == _NOT_FOUND:
                    self._addresses.pop(session, None)
            await send(message)

        self._addresses.move_to_end(session)
        self._requests[session] += 1
        try:
            await self._app(scope, receive, look)
        finally:
            self._requests[session] -= 1
            if not self._requests[session]:
                del self._requests[session]
            if session in self._addresses:
                self._addresses.move_to_end(session)

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request that may open a session."""

        async def look(message: Message) -> None:
            if message["type"] == "http.response.start":
                session = Headers(raw=message.get("headers", [])).get(_SESSION_ID)
                if session and message["status"] < _FIRST_ERROR:
                    self._addresses[session] = (scope.get("client") or ("",))[0]
            await send(message)

        self._opening += 1
        try:
            while len(self._addresses) + self._opening > self._most:
                if not await self._close_one(scope):
                    break
            await self._app(scope, receive, look)
        finally:
            self._opening -= 1

    async def _close_one(self, scope: Scope) -> bool:
        """Close an idle session, as a client would; return False if there is none."""
        counts = Counter(self._addresses.values())
        idle = [session for session in self._addresses if not self._requests[session]]
        if not idle:
            return False
        session = max(idle, key=lambda session: counts[self._addresses[session]])  # the first one
        logger.warning("%d sessions are open: the one idle longest is closed", len(self._addresses))
        del self._addresses[session]
        headers = [(b"host", Headers(scope=scope).get("host", "").encode("latin-1"))]
        request = {
            **scope,
            "method": "DELETE",
            "headers": [*headers, (_SESSION_ID.encode(), session.encode())],
        }
        await self._app(request, _no_body, _ignore)
        return True


async def _no_body() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _ignore(_: Message) -> None:
    """Drop the response."""
