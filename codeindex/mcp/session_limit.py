"""Close the MCP session that was idle longest when a client opens one session too many."""

from __future__ import annotations

import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from starlette.datastructures import Headers

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger(__name__)

MCP_PATH = "/mcp"
_SESSION_ID = "mcp-session-id"
_FIRST_ERROR, _NOT_FOUND = 400, 404


class _LastUse(NamedTuple):
    """The address of a session's client, and the time of its last request."""

    address: str
    at: float


class SessionLimit:
    """An ASGI application that keeps the number of sessions of the `app` below it at most `most`.

    Without it, a client that opens sessions and closes none would keep all others out. When a
    further session is opened, one of the address with the most sessions is closed: the one without
    a request for the longest time. Its client is told to open another one. If all have an open
    request, such as a stream, none is closed, and the `app` refuses the new one. The `app` ends
    sessions itself that are idle for `idle_seconds`; these do not count.
    """

    def __init__(self, app: ASGIApp, *, most: int, idle_seconds: float) -> None:
        self._app = app
        self._most = most
        self._idle_seconds = idle_seconds
        self._sessions: OrderedDict[str, _LastUse] = OrderedDict()
        """The session that was used last is at the end."""
        self._requests: Counter[str] = Counter()
        """{session id: number of its requests in progress}."""
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
        if session not in self._sessions:
            await self._app(scope, receive, send)
            return

        async def send_and_note_end(message: Message) -> None:
            if message["type"] == "http.response.start":
                is_closed = scope["method"] == "DELETE" and message["status"] < _FIRST_ERROR
                if is_closed or message["status"] == _NOT_FOUND:
                    self._sessions.pop(session, None)
            await send(message)

        with self._counted(session, self._sessions[session].address):
            await self._app(scope, receive, send_and_note_end)

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request that may open a session."""
        counted = ExitStack()

        async def send_and_note_session(message: Message) -> None:
            if message["type"] == "http.response.start":
                session = Headers(raw=message.get("headers", [])).get(_SESSION_ID)
                if session and message["status"] < _FIRST_ERROR:
                    counted.close()  # from now on it counts as a session
                    address = (scope.get("client") or ("",))[0]
                    counted.enter_context(self._counted(session, address))
            await send(message)

        with counted:
            counted.enter_context(self._counted_as_opening())
            self._forget_ended()
            while len(self._sessions) + self._opening > self._most:
                if not await self._close_one(scope):
                    break
            await self._app(scope, receive, send_and_note_session)

    @contextmanager
    def _counted_as_opening(self) -> Iterator[None]:
        """Count a request that may open a session, in the block."""
        self._opening += 1
        try:
            yield
        finally:
            self._opening -= 1

    @contextmanager
    def _counted(self, session: str, address: str) -> Iterator[None]:
        """Count a request of a session, in the block: the session is not closed meanwhile."""
        self._note_use(session, address)
        self._requests[session] += 1
        try:
            yield
        finally:
            self._requests[session] -= 1
            if not self._requests[session]:
                del self._requests[session]
            if session in self._sessions:
                self._note_use(session, address)

    def _note_use(self, session: str, address: str) -> None:
        self._sessions[session] = _LastUse(address, time.monotonic())
        self._sessions.move_to_end(session)

    def _forget_ended(self) -> None:
        """Forget the sessions that the `app` has ended because nothing was asked in them."""
        oldest = time.monotonic() - self._idle_seconds
        unused = takewhile(lambda session: self._sessions[session].at < oldest, self._sessions)
        for session in [session for session in unused if not self._requests[session]]:
            del self._sessions[session]

    async def _close_one(self, scope: Scope) -> bool:
        """Close an idle session, as a client would; return False if there is none."""
        counts = Counter(use.address for use in self._sessions.values())
        idle = [session for session in self._sessions if not self._requests[session]]
        if not idle:
            return False
        # the first one of those with equal counts
        session = max(idle, key=lambda session: counts[self._sessions[session].address])
        logger.warning("%d sessions are open: the one idle longest is closed", len(self._sessions))
        del self._sessions[session]
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
