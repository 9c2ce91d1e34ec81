"""Serving many clients by HTTP: MCP at `/mcp`, JSON beside it, on one address and no other."""

from __future__ import annotations

import secrets
import signal
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.mcp.address import Address, check_proxies, open_listener, read_token

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from starlette.types import ASGIApp

    from codeindex.mcp.auth_middleware import RequestGuard
    from codeindex.mcp.repository_server import RepositoryServer
    from codeindex.watch.intervals import WatchIntervals

SESSION_SECONDS = 3600.0
"""A session ends when its client has asked, and listened to, nothing for so long."""
MOST_SESSIONS = 1_000
MOST_BODY = 1 << 20
"""Bytes of a request: the largest sensible one is a question with a vector, some 20 kB."""
_MOST_CONNECTIONS = 1_000
"""More get 503: each may be a stream that stays open, and systems give a process 1,024 files."""
_IDLE_SECONDS = 60
"""How long a client may keep a connection open between two requests."""
_GRACE_SECONDS = 2
"""For what is being answered when the server ends."""


def serve_http(  # noqa: PLR0913 (options of the command, each by its name)
    paths: tuple[str, ...],
    where: str,
    *,
    token_file: Path | None,
    all_tools: bool,
    any_folder: bool,
    allow_write: bool,
    forwarded_allow_ips: str,
    pace: WatchIntervals | None,
) -> None:
    """Answer until interrupted; AddressError and RootError before anybody is answered."""
    from codeindex.logs import SERVER, enable_log_file

    address, proxies = Address.parsed(where), check_proxies(forwarded_allow_ips)
    token = read_token(token_file) if token_file else ""
    made = not token and not address.is_loopback
    enable_log_file(SERVER, on_stderr=True)
    with open_listener(address) as taken:
        from codeindex.mcp.auth_middleware import RequestGuard
        from codeindex.mcp.repository_server import AccessPolicy, RepositoryServer

        token = secrets.token_urlsafe(32) if made else token
        address = replace(address, port=taken.getsockname()[1])
        read_only = not (token or allow_write)
        access = AccessPolicy(any_folder=any_folder, shared=True, read_only=read_only)
        served = RepositoryServer(paths, access=access, pace=pace)
        try:
            served.adopt(())
            app = http_app(served, RequestGuard.at(address, token=token), all_tools=all_tools)
            announce = partial(_announce, address, token if made else "", read_only=read_only)
            _run(app, taken, announce=announce, proxies=proxies)
        finally:
            served.close()


def http_app(
    served: RepositoryServer,
    door: RequestGuard,
    *,
    all_tools: bool = False,
    session_seconds: float = SESSION_SECONDS,
) -> ASGIApp:
    """Return the application behind its door."""
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.exceptions import HTTPException

    from codeindex.mcp.auth_middleware import guard_app
    from codeindex.mcp.routes import api_routes, not_found
    from codeindex.mcp.server import make_server

    app = make_server(served, all_tools=all_tools, sent_as="json").streamable_http_app(
        session_idle_timeout=session_seconds,
        max_sessions=MOST_SESSIONS,
        max_request_body_size=MOST_BODY,
        # the door has looked, at the other paths too
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        custom_starlette_routes=api_routes(served),
    )
    app.exception_handlers[HTTPException] = not_found
    return guard_app(app, door)


def _announce(address: Address, token: str, *, read_only: bool) -> None:
    """Say where the server is; standard output is left to nobody."""
    sys.stderr.write(f"codeindex: serving MCP at http://{address}/mcp\n")
    if read_only:
        sys.stderr.write(
            "codeindex: read-only, as no token is asked for: --allow-write lets anybody on this"
            " machine write wiki pages and INDEX.md\n"
        )
    if token:
        sys.stderr.write(f"codeindex: its token, shown this once: {token}\n")
    sys.stderr.flush()


def _run(app: ASGIApp, taken: socket.socket, *, announce: Callable[[], None], proxies: str) -> None:
    """Answer until interrupted; of `proxies` alone is believed for whom they ask."""
    import uvicorn

    from codeindex.mcp.connection_limits import limited_protocol

    config = uvicorn.Config(
        app,
        http=limited_protocol(),
        access_log=False,
        log_level="warning",
        limit_concurrency=_MOST_CONNECTIONS,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
        server_header=False,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ws="none",
    )
    server = uvicorn.Server(config)
    for one in (signal.SIGINT, signal.SIGTERM):
        # uvicorn has the same while it runs, and raises a signal again when it is done
        signal.signal(one, server.handle_exit)
    announce()
    server.run(sockets=[taken])
