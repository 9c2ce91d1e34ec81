"""The limit of MCP sessions, with an application whose responses stay open."""

from __future__ import annotations

import anyio
import anyio.lowlevel
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from codeindex.mcp.session_limit import MCP_PATH, SessionLimit


class _Sessions:
    """An ASGI application that opens a session for each POST, and ends the response after `end`."""

    def __init__(self) -> None:
        self.end = anyio.Event()
        self.closed: list[str] = []
        self._opened = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "DELETE":
            self.closed.append(Request(scope).headers["mcp-session-id"])
            await Response()(scope, receive, send)
            return
        self._opened += 1
        name = f"session {self._opened}".encode()
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"mcp-session-id", name)]}
        )
        await self.end.wait()
        await send({"type": "http.response.body", "body": b""})


async def _post(limit: SessionLimit) -> None:
    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(_: Message) -> None:
        await anyio.lowlevel.checkpoint()

    scope = {
        "type": "http", "method": "POST", "path": MCP_PATH, "headers": [], "client": ("10.0.0.1", 1)
    }  # fmt: skip
    await limit(scope, receive, send)


def test_a_session_whose_first_response_is_being_sent_counts_once_and_is_not_closed() -> None:
    async def run() -> list[str]:
        app = _Sessions()
        limit = SessionLimit(app, most=3, idle_seconds=60)
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(_post, limit)
                await anyio.wait_all_tasks_blocked()
            assert app.closed == []  # all of them are being answered
            app.end.set()
        app.closed.clear()
        await _post(limit)
        await _post(limit)
        return app.closed

    assert anyio.run(run) == ["session 1", "session 2", "session 3"]


def test_a_session_is_closed_only_if_there_is_one_too_many() -> None:
    async def run() -> list[str]:
        app = _Sessions()
        limit = SessionLimit(app, most=3, idle_seconds=60)
        app.end.set()
        await _post(limit)
        app.end = anyio.Event()
        async with anyio.create_task_group() as group:
            for _ in range(2):
                group.start_soon(_post, limit)
                await anyio.wait_all_tasks_blocked()
            app.end.set()
        return app.closed

    assert anyio.run(run) == []
