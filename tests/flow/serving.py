"""A server by HTTP in this process, and the repository that it serves."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import uvicorn

from codeindex.mcp.address import Address, open_listener
from codeindex.mcp.auth_middleware import RateLimiter, RequestGuard, guard_app
from codeindex.mcp.connection_limits import ConnectionLimits, limited_protocol
from codeindex.mcp.http import MAX_HEAD_BYTES, open_app
from codeindex.mcp.repository_server import AccessPolicy, RepositoryServer

BOTH = "application/json, text/event-stream"
FILES = {
    "shop/pay.py": 'def charge(card):\n    """Take money from a card."""\n    return bool(card)\n',
    "shop/cart.py": "from shop.pay import charge\n\n\ndef checkout(card):\n    charge(card)\n",
}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@dataclass(frozen=True, slots=True)
class Site:
    """A running server."""

    url: str
    served: RepositoryServer

    def ask(self, path: str, verb: str = "GET", **more: Any) -> httpx2.Response:
        return httpx2.request(verb, f"{self.url}{path}", timeout=30, **more)

    def post(self, message: dict[str, Any], **headers: str) -> httpx2.Response:
        """Send a message of the protocol as a client would that is not the SDK's."""
        return self.ask("/mcp", "POST", json=message, headers={"Accept": BOTH, **headers})


@contextmanager
def site(
    root: Path,
    *more: Path,
    host: str = "127.0.0.1",
    token: str = "",
    limiter: RateLimiter | None = None,
    session_seconds: float = 60.0,
    max_sessions: int = 1_000,
    read_only: bool = False,
    proxies: str = "",
    limits: ConnectionLimits | None = None,
) -> Iterator[Site]:
    """Serve a repository, and perhaps more, at a free port."""
    with open_listener(Address(host, 0)) as listener:
        served = RepositoryServer(
            [str(root), *map(str, more)], access=AccessPolicy(shared=True, read_only=read_only)
        )
        served.open_roots(())
        guard = RequestGuard.for_address(Address(host, 0), token=token, limiter=limiter)
        app = guard_app(
            open_app(served, session_seconds=session_seconds, max_sessions=max_sessions), guard
        )
        try:
            with running(app, listener, proxies=proxies, limits=limits) as url:
                yield Site(url, served)
        finally:
            served.close()


@contextmanager
def running(
    app: Any, listener: Any, *, proxies: str = "", limits: ConnectionLimits | None = None
) -> Iterator[str]:
    """Run an ASGI application in a thread; yield its address."""
    config = uvicorn.Config(
        app,
        http=limited_protocol(limits),
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        log_level="error",
        timeout_graceful_shutdown=1,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
        ws="none",
        lifespan="on",
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
