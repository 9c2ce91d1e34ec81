"""Serve many clients by HTTP at one address: the search page, MCP at `/mcp`, JSON at `/api`."""

from __future__ import annotations

import secrets
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from codeindex.logs import SERVER, enable_log_file
from codeindex.mcp.address import LOOPBACK, Address, check_proxies, open_listener, read_token
from codeindex.mcp.auth_middleware import RequestGuard, guard_app
from codeindex.mcp.repository_server import AccessPolicy, RepositoryServer
from codeindex.mcp.session_limit import SessionLimit

if TYPE_CHECKING:
    import socket

    from starlette.applications import Starlette
    from starlette.types import ASGIApp

    from codeindex.api.index_limits import IndexLimits
    from codeindex.watch.options import WatchOptions

SESSION_SECONDS = 3600.0
"""A session without a request and without an open stream ends after this time."""
MAX_SESSIONS = 1_000
MAX_BODY_BYTES = 1 << 20
"""Most bytes of a request: the largest useful request, a query with a vector, has 20 kB."""
MAX_HEAD_BYTES = 64 * 1024
"""Most bytes of the request line and the header while they are incomplete; they are read before a
token is checked. A head that arrives whole in one read, of 256 KiB at most, is accepted."""
_MAX_CONNECTIONS = 1_000
"""Further connections get 503: each may need a file handle, and processes often have 1,024."""
_IDLE_SECONDS = 60
"""A connection without a request is closed after this time."""
_SHUTDOWN_SECONDS = 2
"""Requests that run when the server ends have this time to finish."""


def serve_http(  # noqa: PLR0913 (options of the command, each by its name)
    paths: tuple[str, ...],
    listen: str,
    *,
    token_file: Path | None,
    all_tools: bool,
    any_folder: bool,
    allow_write: bool,
    forwarded_allow_ips: str,
    watch_options: WatchOptions | None,
    limits: IndexLimits,
) -> None:
    """Serve repositories at `listen` ([HOST:]PORT) until interrupted.

    Raises AddressError for an invalid address, proxy or token file, RootError for `paths`.
    """
    address, proxies = Address.parse(listen), check_proxies(forwarded_allow_ips)
    token = read_token(token_file) if token_file else ""
    is_generated = not token and not address.is_loopback
    enable_log_file(SERVER, on_stderr=True)
    with open_listener(address) as listener:
        token = secrets.token_urlsafe(32) if is_generated else token
        address = replace(address, port=listener.getsockname()[1])
        read_only = not (token or allow_write)
        access = AccessPolicy(any_folder=any_folder, shared=True, read_only=read_only)
        server = RepositoryServer(paths, access=access, watch_options=watch_options, limits=limits)
        guard = RequestGuard.for_address(address, token=token)
        app = guard_app(open_app(server, all_tools=all_tools), guard)
        shown = token if is_generated else ""
        announce = partial(_announce, address, shown, read_only=read_only)
        _run_server(server, app, listener, announce=announce, proxies=proxies)


def serve_page(paths: tuple[str, ...], port: int, *, any_folder: bool, opens_browser: bool) -> None:
    """Serve the search page to this machine until interrupted; its address has a new token.

    Raises AddressError if the port is in use, RootError for `paths`.
    """
    from codeindex.watch.options import WatchOptions

    address, token = Address(LOOPBACK, port), secrets.token_urlsafe(32)
    enable_log_file(SERVER, on_stderr=True)
    with open_listener(address) as listener:
        address = replace(address, port=listener.getsockname()[1])
        access = AccessPolicy(any_folder=any_folder, shared=True, read_only=True)
        server = RepositoryServer(paths, access=access, watch_options=WatchOptions())
        guard = RequestGuard.for_address(address, token=token)
        app = guard_app(open_app(server), guard)
        url = f"http://{address}/#token={token}"
        announce = partial(_announce_page, url, opens_browser=opens_browser)
        _run_server(server, app, listener, announce=announce, proxies="")


def _run_server(
    server: RepositoryServer,
    app: ASGIApp,
    listener: socket.socket,
    *,
    announce: Callable[[], None],
    proxies: str,
) -> None:
    """Open the roots of a server, serve its application until interrupted, and close it."""
    try:
        server.open_roots(())
        run_app(app, listener, announce=announce, proxies=proxies)
    finally:
        server.close()


def _announce_page(url: str, *, opens_browser: bool) -> None:
    """Print the page's address on standard error, and open it if `opens_browser`."""
    import webbrowser

    sys.stderr.write(f"codeindex: search page at {url}\ncodeindex: Ctrl-C ends it\n")
    sys.stderr.flush()
    if opens_browser:
        # the listener accepts connections already; they wait until the server runs
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()


def open_app(
    server: RepositoryServer,
    *,
    all_tools: bool = False,
    session_seconds: float = SESSION_SECONDS,
    max_sessions: int = MAX_SESSIONS,
) -> Starlette:
    """Return the ASGI application without access checks; the caller must add them."""
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.exceptions import HTTPException

    from codeindex.mcp.routes import api_routes, not_found
    from codeindex.mcp.server import make_server

    app = make_server(server, all_tools=all_tools, sent_as="json").streamable_http_app(
        session_idle_timeout=session_seconds,
        max_sessions=max_sessions,
        max_request_body_size=MAX_BODY_BYTES,
        # the guard checks `Host` and `Origin`, for all paths
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        custom_starlette_routes=api_routes(server),
    )
    app.exception_handlers[HTTPException] = not_found
    app.add_middleware(SessionLimit, most=max_sessions, idle_seconds=session_seconds)
    return app


def _announce(address: Address, token: str, *, read_only: bool) -> None:
    """Print the addresses on standard error, and the token if it was generated."""
    sys.stderr.write(f"codeindex: serving MCP at http://{address}/mcp\n")
    if read_only:
        sys.stderr.write(
            "codeindex: read-only, as no token is asked for: --allow-write lets anybody on this"
            " machine write wiki pages and INDEX.md\n"
        )
    if token:
        sys.stderr.write(f"codeindex: its token, shown this once: {token}\n")
    fragment = "#token=TOKEN" if token else ""
    sys.stderr.write(f"codeindex: search page at http://{address}/{fragment}\n")
    sys.stderr.flush()


def run_app(
    app: ASGIApp, listener: socket.socket, *, announce: Callable[[], None], proxies: str
) -> None:
    """Serve until interrupted; `X-Forwarded-For` is accepted only from `proxies`."""
    import uvicorn

    from codeindex.mcp.connection_limits import limited_protocol

    config = uvicorn.Config(
        app,
        http=limited_protocol(),
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        access_log=False,
        log_level="warning",
        limit_concurrency=_MAX_CONNECTIONS,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
        server_header=False,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        ws="none",
    )
    server = uvicorn.Server(config)
    for number in (signal.SIGINT, signal.SIGTERM):
        # uvicorn handles them while it runs, and raises them again when it is done
        signal.signal(number, server.handle_exit)
    announce()
    server.run(sockets=[listener])
